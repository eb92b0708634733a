import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import * as vscode from "vscode";
import { Highlight } from "../../../src/speech/host/reading/highlight.ts";
import { fromCursor } from "../../../src/speech/host/reading/readTarget.ts";

const lines = Array.from({ length: 300 }, (_, index) => `Sentence ${index}.`);
const content = lines.join("\n\n");
const places = lines.map((line) => {
  const from = content.indexOf(line);
  return { from, to: from + line.length };
});

/** Resolves once the condition holds; checked after each change of the visible editors. */
async function until(condition: () => boolean): Promise<void> {
  if (condition()) return;
  await new Promise<void>((resolve) => {
    const check = () => {
      if (!condition()) return;
      listening.dispose();
      resolve();
    };
    const listening = vscode.Disposable.from(
      vscode.window.onDidChangeTextEditorVisibleRanges(check),
      vscode.window.onDidChangeVisibleTextEditors(check),
    );
  });
}

const isSeen = (line: number) =>
  vscode.window.activeTextEditor?.visibleRanges.some((range) =>
    range.contains(new vscode.Position(line, 0)),
  ) === true;

describe("the spoken sentence", () => {
  afterEach(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  it("is followed while visible; after scrolling away only once it is visible again", async () => {
    const document = await vscode.workspace.openTextDocument({ language: "plaintext", content });
    const editor = await vscode.window.showTextDocument(document);
    const away: boolean[] = [];
    const highlight = new Highlight(() => away.push(highlight.isAway));
    highlight.follow(document.uri, places);
    highlight.show(0);
    highlight.show(100);
    await until(() => isSeen(200));
    assert.deepEqual(away, []);
    editor.revealRange(new vscode.Range(598, 0, 598, 0));
    await until(() => isSeen(598) && highlight.isAway);
    highlight.show(101);
    highlight.show(102);
    assert.equal(highlight.isAway, true);
    assert.ok(isSeen(598) && !isSeen(204), "the view is where it was scrolled to");
    await highlight.comeBack();
    await until(() => isSeen(204));
    assert.equal(highlight.isAway, false);
    highlight.show(200);
    await until(() => isSeen(400));
    assert.deepEqual(away, [true, false]);
    highlight.dispose();
  });

  it("reopens the document if it is closed", async () => {
    const document = await vscode.workspace.openTextDocument({ language: "plaintext", content });
    await vscode.window.showTextDocument(document);
    const changes = new EventEmitter();
    const highlight = new Highlight(() => changes.emit("away", highlight.isAway));
    highlight.follow(document.uri, places);
    highlight.show(3);
    const left = once(changes, "away");
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: "Another." }));
    assert.deepEqual(await left, [true]);
    await highlight.comeBack();
    await until(() => vscode.window.activeTextEditor?.document === document && isSeen(6));
    assert.equal(highlight.isAway, false);
    highlight.dispose();
  });

  it("is the one at the cursor when reading starts there", async () => {
    const document = await vscode.workspace.openTextDocument({ language: "plaintext", content });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(590, 4, 590, 4);
    const target = fromCursor();
    assert.ok(typeof target !== "string");
    assert.deepEqual(
      target.sentences.map(({ text }) => text),
      lines.slice(295),
    );
    assert.deepEqual(
      [target.sentences[0]?.from, target.sentences[0]?.to],
      [places[295]?.from, places[295]?.to],
    );
    editor.selection = new vscode.Selection(598, lines[299]?.length ?? 0, 598, lines[299]?.length ?? 0);
    assert.match(String(fromCursor()), /no text to read after the cursor/);
  });
});
