import assert from "node:assert/strict";
import * as vscode from "vscode";
import { closeAll, code, open, useFiles } from "../editors.ts";

describe("the light bulb", () => {
  useFiles();
  afterEach(closeAll);

  it("offers all actions for a selection, and no action without one", async () => {
    const { document } = await open(code);
    const titles = async (range: vscode.Range) =>
      (
        await vscode.commands.executeCommand<vscode.CodeAction[]>(
          "vscode.executeCodeActionProvider",
          document.uri,
          range,
        )
      )
        .map(({ title }) => title)
        .filter((title) => title.includes("Inference"));
    assert.deepEqual(await titles(new vscode.Range(0, 0, 2, 1)), [
      "Ask Inference…",
      "Explain with Inference",
      "Fix with Inference",
      "Write Tests with Inference",
      "Write Documentation with Inference",
      "Edit with Inference…",
    ]);
    assert.deepEqual(await titles(new vscode.Range(0, 3, 0, 3)), []);
    const problems = vscode.languages.createDiagnosticCollection("test");
    problems.set(document.uri, [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 8), "wrong")]);
    assert.deepEqual(await titles(new vscode.Range(0, 3, 0, 3)), ["Fix with Inference"]);
    problems.dispose();
  });
});
