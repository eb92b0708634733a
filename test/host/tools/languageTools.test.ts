// The agent's questions to the language services of the editor: symbols, references and problems, with their places.
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { BackgroundTabs } from "../../../src/chat/host/tools/language/backgroundTabs.ts";
import { createLanguageTools } from "../../../src/chat/host/tools/language/languageTools.ts";

const text = "const consumer = sum;\nfunction sum(a) {\n  return a;\n}\nsum(1);\n";

describe("language tools of an agent", () => {
  const root = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail("no folder");
  const at = (name: string) => vscode.Uri.file(join(root(), "language", name));
  const selector = { pattern: "**/language/*.txt" };
  let asked: vscode.Position | undefined;
  let registered: vscode.Disposable;
  const tools = createLanguageTools(new BackgroundTabs());
  const run = (name: string, input: object) => {
    const tool = tools.find((one) => one.name === name);
    const context = {
      source: { kind: "chat" as const },
      changed() {},
      planned() {},
      written() {},
      began() {},
      results: { find: async () => "", maxTokens: 8000, addPicture: async () => {} },
    };
    return tool?.run?.({ ...input }, new AbortController().signal, context) ?? assert.fail(name);
  };

  before(() => {
    mkdirSync(join(root(), "language"));
    writeFileSync(at("sum.txt").fsPath, text);
    writeFileSync(at(".env").fsPath, "SECRET=sum\n");
    const range = (line: number, start: number) => new vscode.Range(line, start, line, start + 3);
    const outside = new vscode.Location(vscode.Uri.file("/etc/hosts"), range(0, 0));
    registered = vscode.Disposable.from(
      vscode.languages.registerReferenceProvider(selector, {
        provideReferences(document, position) {
          asked = position;
          const places = [range(0, 17), range(1, 9), range(4, 0)];
          const here = places.map((one) => new vscode.Location(document.uri, one));
          return [...here, new vscode.Location(at(".env"), range(0, 7)), outside];
        },
      }),
      vscode.languages.registerDocumentSymbolProvider(selector, {
        provideDocumentSymbols() {
          const { Function: outer, Variable: inner } = vscode.SymbolKind;
          const whole = new vscode.Range(1, 0, 3, 1);
          const sum = new vscode.DocumentSymbol("sum", "", outer, whole, range(1, 9));
          sum.children.push(new vscode.DocumentSymbol("a", "", inner, whole, range(1, 13)));
          return [sum];
        },
      }),
    );
  });
  after(() => {
    registered.dispose();
    rmSync(join(root(), "language"), { recursive: true });
  });

  it("finds references of a whole word with the text of their lines, inside the workspace, without secrets", async () => {
    const found = await run("find_references", { path: "language/sum.txt", line: 1, symbol: "sum" });
    assert.deepEqual(found.split("\n"), [
      "language/sum.txt:1: const consumer = sum;",
      "language/sum.txt:2: function sum(a) {",
      "language/sum.txt:5: sum(1);",
      "(A language service may not have read all files: search_workspace for sum finds what is missing here.)",
    ]);
    assert.equal(asked?.character, 17, "not the part of another word");
    await assert.rejects(
      run("find_references", { path: "language/sum.txt", line: 3, symbol: "sum" }),
      /Line 3 of language\/sum.txt does not contain sum/,
    );
    await assert.rejects(
      run("find_references", { path: "language/sum.txt", line: 99, symbol: "sum" }),
      /6 lines/,
    );
    await assert.rejects(run("find_references", { path: "../x", line: 1, symbol: "sum" }), /x/);
  });

  it("lists the symbols of a file with the names around them, all or by a part of the name", async () => {
    const path = "language/sum.txt";
    assert.equal(await run("find_symbols", { path }), `${path}:2: Function sum\n${path}:2: Variable sum.a`);
    assert.equal(await run("find_symbols", { path, query: "A" }), `${path}:2: Variable sum.a`);
    assert.match(await run("find_symbols", { path, query: "none" }), /^No symbol was found/);
    await assert.rejects(run("find_symbols", {}), /Name a path or a query/);
  });

  it("reads the problems of a file, errors first", async () => {
    const problems = vscode.languages.createDiagnosticCollection("test");
    const line = (number: number) => new vscode.Range(number, 0, number, 1);
    problems.set(at("sum.txt"), [
      new vscode.Diagnostic(line(0), "unused\nname", vscode.DiagnosticSeverity.Warning),
      new vscode.Diagnostic(line(4), "wrong", vscode.DiagnosticSeverity.Error),
      new vscode.Diagnostic(line(4), "a hint", vscode.DiagnosticSeverity.Hint),
    ]);
    assert.deepEqual((await run("read_problems", { path: "language/sum.txt" })).split("\n"), [
      "language/sum.txt:5: Error: wrong",
      "language/sum.txt:1: Warning: unused name",
    ]);
    problems.dispose();
  });

  it("waits for the language service of a file that was just written, and leaves no tab behind", async () => {
    writeFileSync(at("wrong.js").fsPath, "const port = ;\nlisten(port\n");
    writeFileSync(at("wrong.json").fsPath, '{ "a": }\n');
    const tabs = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
    const before = tabs();
    assert.match(await run("read_problems", { path: "language/wrong.js" }), /wrong\.js:1: Error: Expression/);
    assert.match(await run("read_problems", { path: "language/wrong.json" }), /wrong\.json:1: Error: Value/);
    writeFileSync(at("types.ts").fsPath, "export const port: string = 1;\n");
    assert.match(
      await run("read_problems", { path: "language/types.ts" }),
      /types\.ts:1: Error: Type 'number' is not assignable/,
    );
    assert.deepEqual(tabs(), before);
  });

  it("says that nobody has looked at a file, instead of that it has no errors", async () => {
    writeFileSync(at("none.unknown").fsPath, "none\n");
    assert.equal(
      await run("read_problems", { path: "language/none.unknown" }),
      "No language service of the editor seems to watch language/none.unknown, so nothing is known about its errors. Check it with a command.",
    );
    await assert.rejects(run("read_problems", { path: "language/absent.js" }), /absent\.js can't be opened/);
    assert.match(await run("read_problems", {}), /\(Only files that the language services have looked at/);
  });

  it("asks again if a language service starts late, and says that there may be none", async () => {
    writeFileSync(at("late.sum").fsPath, text);
    const range = new vscode.Range(1, 9, 1, 12);
    const symbol = new vscode.DocumentSymbol("sum", "", vscode.SymbolKind.Function, range, range);
    const late: vscode.Disposable[] = [];
    const register = (provide: () => vscode.DocumentSymbol[]) =>
      late.push(
        vscode.languages.registerDocumentSymbolProvider(
          { pattern: "**/late.sum" },
          { provideDocumentSymbols: provide },
        ),
      );
    register(() => {
      if (late.length === 1) register(() => [symbol]);
      return [];
    });
    assert.equal(
      await run("find_symbols", { path: "language/late.sum" }),
      "language/late.sum:2: Function sum",
    );
    vscode.Disposable.from(...late).dispose();
    assert.match(
      await run("find_symbols", { path: "language/none.unknown" }),
      /^No symbol was found\. The language service may be starting, or not know the files\./,
    );
  });
});
