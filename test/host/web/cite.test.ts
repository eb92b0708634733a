import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { insertWithFootnotes } from "../../../src/chat/host/view/citedPage.ts";
import type { AnswerMessage } from "../../../src/chat/protocol/chatMessages.ts";
import { LastEditor } from "../../../src/platform/editor/lastEditor.ts";
import { commands, resultScheme } from "../../../src/shared/names/ids.ts";
import { closeAll, open, until, useFiles } from "../editors.ts";

const hits = [
  { title: "Sorting [maps]", url: "https://example.org/a(b)", date: "2026-01-02", snippet: "First." },
  { title: "50% & more", url: "https://ada:secret@example.net/", date: "", snippet: "" },
];
const result = { id: "1", atMs: 0, kind: "search", query: "q", provider: "provider_a", hits };
const nodes = hits.map((_, index) => ({ type: "hit", result, index }));

/** Cites rows in the way that is first in the list. */
async function citeAs(rows: readonly unknown[]): Promise<void> {
  let isOpen = true;
  const citing = vscode.commands.executeCommand(commands.webCite, rows[0], rows);
  const ended = Promise.resolve(citing).finally(() => {
    isOpen = false;
  });
  while (isOpen) await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
  await ended;
}

describe("citing", () => {
  useFiles();
  afterEach(closeAll);

  it("adds footnotes that the document has not yet, with one undo, and the cursor is behind the mark", async () => {
    const before = "One.[^4]\n\n[^4]: Old.\n";
    const editor = await open(before, "md");
    editor.selection = new vscode.Selection(0, 4, 0, 4);
    await citeAs(nodes);
    const { document } = editor;
    const note =
      "[Sorting \\[maps\\]](<https://example.org/a(b)>) (example.org, 2026-01-02, retrieved 1970-01-01).";
    assert.equal(
      document.getText(),
      `One.[^5][^6][^4]\n\n[^4]: Old.\n[^5]: ${note}\n[^6]: [50% & more](<https://example.net/>) (example.net, retrieved 1970-01-01).\n`,
    );
    assert.deepEqual(vscode.window.activeTextEditor?.selection.active, new vscode.Position(0, 12));
    await vscode.commands.executeCommand("undo");
    assert.equal(document.getText(), before);
  });

  it("in LaTeX: a key, and its entry in the bibliography that the text names", async () => {
    const folder = mkdtempSync(join(tmpdir(), "inference-cite-"));
    try {
      writeFileSync(join(folder, "refs.bib"), "@misc{example2026, title={x}}\n");
      writeFileSync(join(folder, "text.tex"), "\\addbibresource{refs.bib}\nWords\n");
      const document = await vscode.workspace.openTextDocument(join(folder, "text.tex"));
      await vscode.languages.setTextDocumentLanguage(document, "latex");
      const editor = await vscode.window.showTextDocument(document, { preview: false });
      editor.selection = new vscode.Selection(1, 5, 1, 5);
      await citeAs(nodes);
      assert.equal(
        document.getText(),
        "\\addbibresource{refs.bib}\nWords \\cite{example2026a,example1970}\n",
      );
      const bibliography = readFileSync(join(folder, "refs.bib"), "utf8");
      assert.match(bibliography, /^@misc\{example2026, title=\{x\}\}\n\n@online\{example2026a,\n/);
      assert.match(bibliography, /title = \{\{50\\% \\& more\}\},\n[^@]*url = \{https:\/\/example\.net\/\}/);
      await citeAs([nodes[0]]);
      assert.equal(readFileSync(join(folder, "refs.bib"), "utf8"), bibliography);
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("inserts an answer behind the word at the cursor, with its footnotes below, and one undo removes both", async () => {
    const before = "See here, please.\n\nMore.\n";
    const editor = await open(before, "md");
    const cursor = new vscode.Position(0, 6);
    editor.selection = new vscode.Selection(cursor, cursor);
    const sources = [{ url: "https://example.org/maps", title: "Maps", excerpt: "A map keeps its order." }];
    const answer = {
      text: "Maps keep their order [1].",
      sources,
      startedAtMs: 0,
    } as unknown as AnswerMessage;
    await insertWithFootnotes(answer, editor);
    const { document } = editor;
    assert.equal(
      document.getText(),
      "See here Maps keep their order[^1]., please.\n\nMore.\n\n[^1]: [Maps](<https://example.org/maps>) (example.org, retrieved 1970-01-01). “A map keeps its order.”\n",
    );
    await vscode.commands.executeCommand("undo");
    assert.equal(document.getText(), before);
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("cites in the document that the editor with the results covers", async () => {
    const { document } = await open("One.\n", "md");
    const [editor] = vscode.window.visibleTextEditors;
    if (editor) editor.selection = new vscode.Selection(0, 4, 0, 4);
    await vscode.commands.executeCommand(commands.webShowResults);
    await until(() => vscode.window.visibleTextEditors.length === 0);
    await citeAs([nodes[0]]);
    assert.match(document.getText(), /^One\.\[\^1\]\n\n\[\^1\]: \[Sorting/);
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("the file of the user is known while a page that is cited covers it, until it is closed", async () => {
    const { document } = await open("One.\n", "md");
    const last = new LastEditor();
    try {
      const page = vscode.Uri.from({ scheme: resultScheme, path: "/none/all/page.md" });
      await vscode.window.showTextDocument(page);
      assert.equal(vscode.window.activeTextEditor?.document.uri.scheme, resultScheme);
      assert.equal(last.target?.document, document);
      await closeAll();
      await until(() => last.target === undefined);
    } finally {
      last.dispose();
    }
  });

  it("without an editor the citation is copied", async () => {
    await vscode.env.clipboard.writeText("");
    await citeAs([nodes[0]]);
    assert.match(await vscode.env.clipboard.readText(), /^\[\^1\]\n\n\[\^1\]: \[Sorting/);
  });
});
