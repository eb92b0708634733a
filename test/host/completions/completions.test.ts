import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { commands, extensionId, settings } from "../../../src/shared/names/ids.ts";
import { sampleCode } from "../../../src/shared/names/sampleCode.ts";
import { closeAll } from "../editors.ts";
import { probeContext } from "../extensions.ts";

const lastLine = sampleCode.split("\n").length - 1;
const completed = 'console.log(greet("Ada"));';
const run = vscode.commands.executeCommand;

describe("inline completions", () => {
  let folder: string;
  const set = (id: string, value: unknown) => vscode.workspace.getConfiguration().update(id, value, true);
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "inference-completions-"));
    await set(settings.sandboxTokensPerSecond, 100_000);
    // The editor asks by itself after each change, too. Only what the test asks for shall be sent.
    await set(settings.completionsDebounceMs, 5_000);
    await run(commands.connectionUseSandbox);
  });
  after(async () => {
    await closeAll();
    const { sandboxTokensPerSecond, completionsDebounceMs, completionsEnabled } = settings;
    for (const id of [sandboxTokensPerSecond, completionsDebounceMs, completionsEnabled])
      await set(id, undefined);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Types at the end of a new file, key by key, and accepts what is suggested. */
  const typeAndAccept = async (name: string, keys: string): Promise<string> => {
    writeFileSync(join(folder, name), sampleCode);
    const document = await vscode.workspace.openTextDocument(join(folder, name));
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    // Not by the command `type`: the chat, which was opened, may take the focus.
    for (const [index, key] of [...keys].entries())
      assert.ok(await editor.edit((edit) => edit.insert(new vscode.Position(lastLine, index), key)));
    const end = new vscode.Position(lastLine, keys.length);
    editor.selection = new vscode.Selection(end, end);
    await run("editor.action.inlineSuggest.trigger");
    await run("editor.action.inlineSuggest.commit");
    return document.lineAt(lastLine).text;
  };

  /** Accepts the first item of the menu, *Turn On*, which allows this connection. */
  const turnOn = async () => {
    let isOpen = true;
    const choosing = run(commands.completionsConfigure).then(() => {
      isOpen = false;
    });
    while (isOpen) await run("workbench.action.acceptSelectedQuickOpenItem");
    await choosing;
    assert.equal(vscode.workspace.getConfiguration().get(settings.completionsEnabled), true);
  };

  it("send nothing while they are off", async () => {
    assert.equal(await typeAndAccept("off.ts", "con"), "con");
    assert.equal(await completionsInLedger(), 0);
  });

  it("send nothing while only a setting turns them on, because nobody has allowed this service", async () => {
    await set(settings.completionsEnabled, true);
    for (let tries = 0; tries < 3; tries++)
      assert.equal(await typeAndAccept(`setting${tries}.ts`, "con"), "con");
    assert.equal(await completionsInLedger(), 0);
    await set(settings.completionsEnabled, false);
  });

  it("complete what is typed, from the connection's model; the ledger names them as the source", async () => {
    await turnOn();
    let line = "";
    // The provider is registered after the setting has changed.
    for (let tries = 0; tries < 20 && line !== completed; tries++)
      line = await typeAndAccept(`on${tries}.ts`, "con");
    assert.equal(line, completed);
    assert.ok((await completionsInLedger()) > 0);
  });

  it("send nothing of a file of secrets, nor in a language that is left out", async () => {
    const earlier = await completionsInLedger();
    assert.equal(await typeAndAccept(".env.local", "con"), "con");
    assert.equal(await typeAndAccept("notes.md", "con"), "con");
    assert.equal(await completionsInLedger(), earlier);
  });

  it("send nothing after they were turned off", async () => {
    await set(settings.completionsEnabled, false);
    const earlier = await completionsInLedger();
    assert.equal(await typeAndAccept("again.ts", "con"), "con");
    assert.equal(await completionsInLedger(), earlier);
  });
});

/** Completions in the journals of this window's sandbox. */
async function completionsInLedger(): Promise<number> {
  const { globalStorageUri } = await probeContext();
  const folder = join(globalStorageUri.fsPath, "..", extensionId, "spend", "sandbox");
  if (!existsSync(folder)) return 0;
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
  return texts.join("\n").split('"source":{"kind":"completion"}').length - 1;
}
