// The configuration of a client can be copied before the server was ever turned on.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { settings } from "../../../../../../src/shared/names/ids.ts";
import type { McpDeps } from "../../../../../../src/tools/mcp/server/window/deps.ts";
import { configurationOf } from "../../../../configurationDouble.ts";
import { temporaryFolder } from "../../../../temporaryFolder.ts";
import { double, replace } from "../../../../vscodeDouble.ts";

const { createMcpFeature } = await import("../../../../../../src/tools/mcp/server/window/mcpFeature.ts");

function openFeature(t: TestContext, isOn: boolean, answer: string | undefined) {
  const { user } = configurationOf(t, { user: { [settings.toolsMcpEnabled]: isOn } });
  const asked: string[] = [];
  const copied: string[] = [];
  const event = () => ({ dispose() {} });
  replace(
    "window",
    {
      onDidChangeWindowState: event,
      async showInformationMessage(message: string, ...rest: readonly unknown[]) {
        if (rest.length > 0) asked.push(message);
        return rest.at(-1) === answer ? answer : undefined;
      },
      showQuickPick: async (items: readonly { readonly label: string }[]) =>
        items.find(({ label }) => label === "Codex"),
    },
    t,
  );
  replace("workspace", { onDidChangeWorkspaceFolders: event }, t);
  replace("env", { clipboard: { writeText: async (text: string) => void copied.push(text) } }, t);
  const uri = double.Uri.file(temporaryFolder());
  const deps = { session: {}, log: { error: assert.fail }, extensionUri: uri, globalStorageUri: uri };
  const feature = createMcpFeature(deps as unknown as McpDeps);
  t.after(() => feature.dispose());
  return {
    asked,
    copied,
    isOn: () => user[settings.toolsMcpEnabled],
    copy: () => feature.commands["inference.tools.copyMcpConfiguration"](),
  };
}

test("while it is off, copying asks whether to turn it on, and goes on", async (t) => {
  const { asked, copied, isOn, copy } = openFeature(t, false, "Turn On and Continue");
  await copy();
  assert.deepEqual(asked, ["Let MCP clients use the tools?"]);
  assert.equal(isOn(), true);
  assert.match(copied[0] ?? "", /^\[mcp_servers\.inference-workbench\]/);
});

test("without an answer it stays off, and nothing is copied", async (t) => {
  const { copied, isOn, copy } = openFeature(t, false, undefined);
  await copy();
  assert.deepEqual([isOn(), copied], [false, []]);
});

test("while it is on, nothing is asked", async (t) => {
  const { asked, copied, copy } = openFeature(t, true, undefined);
  await copy();
  assert.deepEqual([asked, copied.length], [[], 1]);
});
