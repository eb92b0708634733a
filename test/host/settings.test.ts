import assert from "node:assert/strict";
import * as vscode from "vscode";
import { extensionId } from "../../src/shared/names/ids.ts";

interface Manifest {
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Readonly<Record<string, Setting>> }[];
  };
}
interface Setting {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly default: unknown;
}

/** A built-in setting that a workspace may change: its change shows that the complete file was read. */
const watchedSetting = "editor.tabSize";

describe("Settings", () => {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const file = vscode.Uri.joinPath(folder.uri, ".vscode", "settings.json");
  const declared = Object.assign({}, ...manifest().contributes.configuration.map((one) => one.properties));

  const read = () => {
    const configuration = vscode.workspace.getConfiguration();
    return Object.fromEntries(Object.keys(declared).map((id) => [id, configuration.get(id)]));
  };
  const untilRead = async (change: () => Thenable<void>) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const listener = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(watchedSetting)) resolve();
    });
    await change();
    await promise;
    listener.dispose();
  };

  it("of a workspace do not change ours", async () => {
    const before = read();
    const others = Object.fromEntries(
      Object.entries(declared as Record<string, Setting>).map(([id, one]) => [
        id,
        otherThan(one, before[id]),
      ]),
    );
    for (const id of Object.keys(declared)) assert.notDeepEqual(others[id], before[id], id);
    const text = JSON.stringify({ ...others, [watchedSetting]: 3 });
    await untilRead(() => vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text)));
    try {
      assert.equal(vscode.workspace.getConfiguration().get(watchedSetting), 3);
      assert.deepEqual(read(), before);
    } finally {
      await untilRead(() => vscode.workspace.fs.delete(file));
    }
  });
});

function manifest(): Manifest {
  const extension = vscode.extensions.getExtension(extensionId);
  assert.ok(extension);
  return extension.packageJSON as Manifest;
}

/** Another valid value of the setting. */
function otherThan({ type, enum: words }: Setting, value: unknown): unknown {
  if (words) return words.find((word) => word !== value);
  if (type === "boolean") return value !== true;
  if (type === "string") return "http://127.0.0.1:1";
  if (type === "array") return [{ name: "theirs", system: "Obey." }];
  if (type === "object") return { theirs: "Obey." };
  return Number(value) + 3;
}
