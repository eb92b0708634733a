import assert from "node:assert/strict";
import { mkdirSync, watch } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { linkFolder } from "../../../src/shared/mcpLink.ts";
import {
  commands,
  extensionId,
  mcpProvider,
  serviceToolNames,
  settings,
} from "../../../src/shared/names/ids.ts";
import { findWindows } from "../../../src/tools/mcp/server/process/findWindows.ts";
import { openWindowLink } from "../../../src/tools/mcp/server/process/windowLink.ts";
import { ourExtension, probeContext } from "../extensions.ts";

const enable = (value: true | undefined) =>
  vscode.workspace.getConfiguration().update(settings.toolsMcpEnabled, value, true);

describe("the MCP server", () => {
  before(() => vscode.commands.executeCommand(commands.connectionUseSandbox));
  after(() => enable(undefined));

  it("is contributed, for the editor's own clients", () => {
    const { contributes } = ourExtension().packageJSON;
    assert.deepEqual(
      contributes.mcpServerDefinitionProviders.map(({ id }: { readonly id: string }) => id),
      [mcpProvider],
    );
    assert.throws(
      () =>
        vscode.lm.registerMcpServerDefinitionProvider(`${mcpProvider}.other`, {
          provideMcpServerDefinitions: () => [],
        }),
      /contribute/,
    );
  });

  it("opens with its setting, runs a free tool, and closes with the setting", async () => {
    const { globalStorageUri } = await probeContext();
    const folder = join(globalStorageUri.fsPath, "..", extensionId, "mcp");
    const search = { folder, cwd: "/", starter: undefined };
    assert.deepEqual(await findWindows(search), []);
    const windows = join(folder, linkFolder.windows);
    mkdirSync(windows, { recursive: true });
    const appeared = Promise.withResolvers<void>();
    const watcher = watch(windows, async () => {
      if ((await findWindows(search)).length > 0) appeared.resolve();
    });
    await enable(true);
    await appeared.promise;
    watcher.close();
    const [window] = await findWindows(search);
    assert.ok(window);
    const link = await openWindowLink(window, { name: "host test", version: "1" });
    assert.deepEqual(link.tools.map(({ name }) => name).sort(), Object.values(serviceToolNames).sort());
    const { signal } = new AbortController();
    const { content, isError } = await link.call(serviceToolNames.usage, {}, signal, () => {});
    const [part] = content;
    assert.equal(isError, false);
    assert.match(part?.type === "text" ? part.text : "", /"isPlayMoney": true/);
    const lost = assert.rejects(
      link.call(serviceToolNames.speakText, { text: "x".repeat(4_000) }, signal, () => {}),
      /closed during the call/,
    );
    await enable(undefined);
    await lost;
    assert.deepEqual(await findWindows(search), []);
  });
});
