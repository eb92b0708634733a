import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { insertPicture } from "../../../src/images/host/gallery/insertPicture.ts";

const data = new Uint8Array([137, 80, 78, 71]);

describe("an inserted image", () => {
  let outside: string;
  before(() => {
    outside = mkdtempSync(join(tmpdir(), "inference-picture-"));
  });
  after(() => rmSync(outside, { recursive: true, force: true }));
  afterEach(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  /** Selects the first word of a file that is opened beside an empty editor, which keeps the focus. */
  const openNotes = async (path: string) => {
    writeFileSync(path, "word and more\n");
    const document = await vscode.workspace.openTextDocument(path);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, preview: false });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(), vscode.ViewColumn.Two);
    return { document, selections: [new vscode.Selection(0, 0, 0, 4)] };
  };
  const pictureAt = (folder: string) => ({
    uri: vscode.Uri.file(join(folder, "20261122-021305-fox.png")),
    name: "20261122-021305-fox.png",
    data,
    text: "a fox",
    size: undefined,
  });

  it("is copied next to a document outside the workspace; one undo removes text and copy", async () => {
    const place = await openNotes(join(outside, "notes.md"));
    const copy = join(outside, "fox.png");
    await insertPicture(pictureAt("/elsewhere"), "markdown", place);
    assert.equal(place.document.getText(), "word ![a fox](fox.png) and more\n");
    assert.deepEqual(new Uint8Array(readFileSync(copy)), data);
    await vscode.commands.executeCommand("type", { text: "!" });
    assert.equal(place.document.getText(), "word ![a fox](fox.png)! and more\n");
    await vscode.commands.executeCommand("undo");
    await vscode.commands.executeCommand("undo");
    assert.equal(place.document.getText(), "word and more\n");
    assert.equal(existsSync(copy), false);
  });

  it("is not glued to the words around it", async () => {
    const { document } = await openNotes(join(outside, "glued.md"));
    for (const [at, expected] of [
      [2, "word ![a fox](fox.png) and more\n"],
      [4, "word ![a fox](fox.png) and more\n"],
      [5, "word ![a fox](fox.png) and more\n"],
      [13, "word and more ![a fox](fox.png)\n"],
    ] as const) {
      const selections = [new vscode.Selection(0, at, 0, at)];
      await insertPicture(pictureAt("/elsewhere"), "markdown", { document, selections });
      assert.equal(document.getText(), expected);
      await vscode.commands.executeCommand("undo");
    }
  });

  it("is linked if both are in the workspace", async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
    const notes = join(folder, "linked.md");
    const place = await openNotes(notes);
    await insertPicture(pictureAt(join(folder, "images")), "markdown", place);
    assert.equal(place.document.getText(), "word ![a fox](images/20261122-021305-fox.png) and more\n");
    assert.equal(existsSync(join(folder, "fox.png")), false);
    await vscode.commands.executeCommand("undo");
    assert.equal(place.document.getText(), "word and more\n");
    rmSync(notes);
  });
});
