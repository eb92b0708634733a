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

  it("offers the actions of writers in prose, and those for code in its blocks of code", async () => {
    const { document } = await open("# Notes\n\nA line.\n\n```js\nconst a = 1;\n```\n", "md");
    const titles = async (line: number) =>
      (
        await vscode.commands.executeCommand<vscode.CodeAction[]>(
          "vscode.executeCodeActionProvider",
          document.uri,
          new vscode.Range(line, 0, line, 5),
        )
      )
        .map(({ title }) => title)
        .filter((title) => title.includes("Inference"));
    assert.deepEqual(await titles(2), [
      "Ask Inference…",
      "Explain with Inference",
      "Proofread with Inference",
      "Rewrite with Inference",
      "Shorten with Inference",
      "Summarise with Inference",
      "Translate with Inference…",
      "Edit with Inference…",
    ]);
    assert.ok((await titles(5)).includes("Write Tests with Inference"));
  });
});
