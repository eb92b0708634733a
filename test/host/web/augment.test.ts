import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commands, settings } from "../../../src/shared/names/ids.ts";
import { closeAll, open, useFiles } from "../editors.ts";

const hit = { title: "Sorting [maps]", url: "https://example.org/a", date: "2026-01-02", snippet: "First." };
const result = { id: "1", atMs: 0, kind: "search", query: "q", provider: "provider_a", hits: [hit] };
const node = { type: "hit", result, index: 0 };

describe("search results", () => {
  useFiles();
  afterEach(closeAll);

  it("are inserted at the cursor in the syntax of the language", async () => {
    for (const [extension, link] of [
      ["md", "[Sorting \\[maps\\]](<https://example.org/a>)"],
      ["html", '<a href="https://example.org/a">Sorting [maps]</a>'],
    ] as const) {
      const { document } = await open("", extension);
      await vscode.commands.executeCommand(commands.webInsertLink, node);
      assert.equal(document.getText(), link);
      await vscode.commands.executeCommand("undo");
      await vscode.commands.executeCommand(commands.webInsertCitation, node);
      assert.ok(document.getText().startsWith(`${link} (example.org, 2026-01-02, retrieved `));
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    }
  });
});

describe("insertion", () => {
  useFiles();
  afterEach(closeAll);
  const citation = /^ \[Sorting \\\[maps\\\]\].*\(example\.org, 2026-01-02, retrieved .*\)$/;

  it("goes after the selection, moves the cursor behind it, and is one undo step", async () => {
    const sentence = "Maps keep their order.";
    for (const id of [commands.webInsertCitation, commands.webInsertLink]) {
      const content = `${sentence} More.\n`;
      const editor = await open(content, "md");
      const { document } = editor;
      editor.selection = new vscode.Selection(0, 0, 0, sentence.length + 1);
      await vscode.commands.executeCommand("workbench.action.focusSideBar");
      await vscode.commands.executeCommand(id, node);
      const inserted = document.getText().slice(sentence.length, -" More.\n".length);
      assert.equal(document.getText(), `${sentence}${inserted} More.\n`);
      if (id === commands.webInsertCitation) assert.match(inserted, citation);
      else assert.equal(inserted, " [Sorting \\[maps\\]](<https://example.org/a>)");
      await vscode.commands.executeCommand("type", { text: "!" });
      assert.equal(document.getText(), `${sentence}${inserted}! More.\n`);
      await vscode.commands.executeCommand("undo");
      assert.equal(document.getText(), `${sentence}${inserted} More.\n`);
      await vscode.commands.executeCommand("undo");
      assert.equal(document.getText(), content);
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    }
  });

  it("goes to every cursor, also in a document with CRLF", async () => {
    const content = "one\r\ntwo\r\n";
    const editor = await open(content, "bib");
    const { document } = editor;
    editor.selections = [new vscode.Selection(0, 0, 0, 3), new vscode.Selection(1, 0, 1, 3)];
    await vscode.commands.executeCommand(commands.webInsertCitation, node);
    await vscode.commands.executeCommand("type", { text: "%" });
    assert.match(document.getText(), /^one\r\n@online\{[^@]*\}\r\n%\r\ntwo\r\n@online\{[^@]*\}\r\n%\r\n$/);
  });
});

describe("web addresses", () => {
  afterEach(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));
  const content = "See https://example.org/a. Not http://10.0.0.1/.\n";
  const offers = (texts: readonly string[]) => texts.filter((text) => text.includes("as markdown")).length;
  const hovers = async (document: vscode.TextDocument, column: number) => {
    const at = new vscode.Position(0, column);
    const found = await vscode.commands.executeCommand<vscode.Hover[]>(
      "vscode.executeHoverProvider",
      document.uri,
      at,
    );
    return offers(
      found.flatMap(({ contents }) => contents.map((one) => (typeof one === "string" ? one : one.value))),
    );
  };

  it("offer public pages, in prose and in comments", async () => {
    const prose = await vscode.workspace.openTextDocument({ language: "markdown", content });
    assert.equal(await hovers(prose, 8), 1);
    assert.equal(await hovers(prose, 34), 0);
    assert.equal(await hovers(prose, 1), 0);
    const code = await vscode.workspace.openTextDocument({
      language: "typescript",
      content: `const a = "https://e.org/";`,
    });
    assert.equal(await hovers(code, 14), 0);
  });

  it("offer them in a code lens or not, by the setting", async () => {
    const prose = await vscode.workspace.openTextDocument({ language: "markdown", content });
    const lenses = async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        "vscode.executeCodeLensProvider",
        prose.uri,
        9,
      );
      return found.flatMap(({ command }) =>
        command?.command === commands.webScrape ? [command.arguments] : [],
      );
    };
    const set = (value: string | undefined) =>
      vscode.workspace.getConfiguration().update(settings.webLinkAction, value, true);
    assert.deepEqual(await lenses(), []);
    await set("codeLens");
    assert.deepEqual(await lenses(), [[["https://example.org/a"]]]);
    await set("off");
    assert.deepEqual(await lenses(), []);
    assert.equal(await hovers(prose, 8), 0);
    await set(undefined);
  });
});
