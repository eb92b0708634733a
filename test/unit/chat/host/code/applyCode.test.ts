import assert from "node:assert/strict";
import { test } from "node:test";
import { double, replace } from "../../../vscodeDouble.ts";

const { applyCode } = await import("../../../../../src/chat/host/code/applyCode.ts");

test("code for a file outside of the workspace is not applied to the active file of the same name", async (t) => {
  const document = { uri: double.Uri.file("/work/hello.ts"), getText: () => "const a = 1;\n" };
  const messages: string[] = [];
  replace(
    "window",
    {
      activeTextEditor: { document },
      visibleTextEditors: [],
      showInformationMessage: async (message: string) => void messages.push(message),
    },
    t,
  );
  const proposals = { show: () => assert.fail("a diff was shown") } as never;
  for (const path of [
    "../other/hello.ts",
    "src/../../hello.ts",
    "..\\hello.ts",
    "C:\\hello.ts",
    "file:///hello.ts",
  ])
    await applyCode(
      { action: "apply", text: "const a = 2;", language: "ts", path },
      proposals,
      async () => {},
    );
  assert.equal(messages.length, 5);
  for (const message of messages) assert.match(message, /is outside the workspace\. Nothing was changed\.$/);
});
