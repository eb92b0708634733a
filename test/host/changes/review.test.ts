import assert from "node:assert/strict";
import * as vscode from "vscode";
import { createReviewFeature, type ReviewFeature } from "../../../src/changes/review/reviewFeature.ts";
import { commands, reviewScheme } from "../../../src/shared/names/ids.ts";
import { closeAll, open, until, useFiles } from "../editors.ts";
import { createFakeChanges, type FakeChanges } from "./fakeChanges.ts";

const original = "one\ntwo\nthree\nfour\nfive\nsix\n";
const now = "one\nTWO\nTWO AND A HALF\nthree\nfive\nsix\nseven\n";
const hunks = [
  { id: "replaced", startLine: 1, lineCount: 2, before: ["two\n"] },
  { id: "removed", startLine: 4, lineCount: 0, before: ["four\n"] },
  { id: "added", startLine: 6, lineCount: 1, before: [] },
];

describe("review of pending hunks", () => {
  useFiles();
  let changes: FakeChanges;
  let review: ReviewFeature;
  let log: vscode.LogOutputChannel;
  before(() => {
    log = vscode.window.createOutputChannel("Review Test", { log: true });
  });
  after(() => log.dispose());
  beforeEach(() => {
    changes = createFakeChanges();
    review = createReviewFeature(changes, log);
  });
  afterEach(async () => {
    await closeAll();
    review.dispose();
    changes.dispose();
  });

  const openPending = async () => {
    const editor = await open(now);
    changes.set([{ uri: editor.document.uri, kind: "changed", hunks, original }]);
    return editor;
  };
  const cursorTo = (editor: vscode.TextEditor, line: number) => {
    editor.selection = new vscode.Selection(line, 0, line, 0);
  };
  const cursorLine = () => vscode.window.activeTextEditor?.selection.active.line;
  const lensesOf = (uri: vscode.Uri) =>
    vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", uri, 100);
  const diffOf = (uri: vscode.Uri) => {
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    return input instanceof vscode.TabInputTextDiff && input.original.query === uri.toString()
      ? input
      : undefined;
  };

  it("has lenses for the file and for each hunk, with its counts", async () => {
    const { document } = await openPending();
    const lenses = await lensesOf(document.uri);
    assert.deepEqual(
      lenses.map(({ range, command }) => `${range.start.line} ${command?.title}`),
      [
        "0 Accept All 3 Hunks",
        "0 Reject All",
        "0 Next",
        "1 Accept",
        "1 Reject",
        "1 Show Diff +2 −1",
        "4 Accept",
        "4 Reject",
        "4 Show Diff −1",
        "6 Accept",
        "6 Reject",
        "6 Show Diff +1",
      ],
    );
    const [uri, id] = lenses[3]?.command?.arguments ?? [];
    await review.decideHunk("accept", uri, id);
    assert.deepEqual(changes.decisions.length, 1);
    assert.match(changes.decisions[0] ?? "", /^accept .*replaced$/);
    assert.equal(document.getText(), now);
  });

  it("decides the hunk at the cursor and goes on to the next one of the file", async () => {
    const editor = await openPending();
    cursorTo(editor, 2);
    await review.decideHunk("accept");
    assert.equal(cursorLine(), 4);
    await review.decideHunk("reject");
    assert.equal(editor.document.getText(), now.replace("five", "four\nfive"));
    assert.deepEqual(
      changes.fileOf(editor.document.uri)?.hunks.map(({ id }) => id),
      ["added"],
    );
    cursorTo(editor, 0);
    await review.decideHunk("accept");
    assert.equal(changes.decisions.length, 2, "there is no hunk at the cursor");
    assert.equal(cursorLine(), 6, "the next one is shown");
    await review.decideHunk("accept");
    assert.equal(changes.decisions.length, 3);
  });

  it("goes through the hunks of all files, and over deleted ones by their diff", async () => {
    const first = await openPending();
    const { uri } = first.document;
    const deleted = vscode.Uri.joinPath(uri, "../deleted.js");
    changes.set([
      { uri, kind: "changed", hunks, original },
      { uri: deleted, kind: "deleted", hunks: [], original: "gone\n" },
    ]);
    cursorTo(first, 0);
    for (const line of [1, 4, 6]) {
      await review.go("next");
      assert.equal(cursorLine(), line);
    }
    await review.go("next");
    await until(() => diffOf(deleted) !== undefined);
    const diff = diffOf(deleted);
    assert.ok(diff);
    const textOf = async (side: vscode.Uri) => (await vscode.workspace.openTextDocument(side)).getText();
    assert.deepEqual([await textOf(diff.original), await textOf(diff.modified)], ["gone\n", ""]);
    await until(() => vscode.window.activeTextEditor?.document.uri.scheme === reviewScheme);
    await review.go("previous");
    await until(() => vscode.window.activeTextEditor?.document.uri.toString() === uri.toString());
    assert.equal(cursorLine(), 6);
  });

  it("compares a file with its text before the agent, which can't be changed, until it is decided", async () => {
    const { document } = await openPending();
    await review.showDiff(document.uri.toString(), "added");
    await until(() => diffOf(document.uri) !== undefined);
    const side = diffOf(document.uri)?.original;
    assert.ok(side);
    assert.equal((await vscode.workspace.openTextDocument(side)).getText(), original);
    await assert.rejects(async () => vscode.workspace.fs.writeFile(side, Buffer.from("x")));
    await review.decideFile("reject", document.uri);
    assert.equal(document.getText(), original);
    await until(() => diffOf(document.uri) === undefined);
  });

  it("compares the cells of a notebook until it is decided", async () => {
    const { document } = await open('{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}\n', "ipynb");
    const { uri } = document;
    changes.set([{ uri, kind: "changed", hunks, original: "{}\n" }]);
    await review.showDiff(uri);
    const diffs = () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs.map(({ input }) => input))
        .filter((input) => input instanceof vscode.TabInputNotebookDiff);
    await until(() => diffs().some(({ modified }) => modified.toString() === uri.toString()));
    await review.decideFile("accept", uri);
    await until(() => diffs().length === 0);
  });

  it("compares all files in one editor, which another call replaces", async () => {
    const { document } = await openPending();
    await review.showAll();
    const labels = () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs.map(({ label }) => label))
        .filter((label) => label.startsWith("Changes of the Agent"));
    await until(() => labels().length === 1);
    const other = await open("later\n");
    const both = [document, other.document];
    changes.set(both.map(({ uri }) => ({ uri, kind: "changed", hunks, original })));
    await review.showAll();
    await until(() => labels().length === 1 && labels()[0]?.includes("2 files") === true);
  });

  it("replaces the list of all files when the user comes back to it and it lacks files, and not while it is read", async () => {
    const { document } = await openPending();
    const { uri } = document;
    await review.showAll();
    const lists = () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .filter(({ label }) => label.startsWith("Changes of the Agent"));
    await until(() => lists().length === 1 && lists()[0]?.isActive === true);
    const later = vscode.Uri.joinPath(uri, "../later.js");
    await vscode.workspace.fs.writeFile(later, Buffer.from("later\n"));
    const change = () =>
      changes.set([uri, later].map((one) => ({ uri: one, kind: "changed", hunks, original })));
    const other = await open("another file\n");
    await until(() => lists()[0]?.isActive === false);
    change();
    await vscode.window.showTextDocument(other.document);
    assert.deepEqual(
      lists().map(({ label }) => label),
      ["Changes of the Agent (1 file)"],
    );
    await vscode.commands.executeCommand("workbench.action.previousEditorInGroup");
    await until(() => lists().length === 1 && lists()[0]?.label.includes("2 files") === true);
    await until(() => lists()[0]?.isActive === true);
    changes.set(
      [uri, later, other.document.uri].map((one) => ({ uri: one, kind: "changed", hunks, original })),
    );
    await until(() => changes.files.length === 3);
    assert.equal(lists()[0]?.label, "Changes of the Agent (2 files)");
  });

  it("shows the open text before the agent again when it changes", async () => {
    const { document } = await openPending();
    await review.showDiff(document.uri);
    await until(() => diffOf(document.uri) !== undefined);
    const side = diffOf(document.uri)?.original;
    assert.ok(side);
    const shown = await vscode.workspace.openTextDocument(side);
    changes.set([{ uri: document.uri, kind: "changed", hunks, original: `${original}more\n` }]);
    await until(() => shown.getText() === `${original}more\n`);
  });

  it("says why a decision failed and keeps the hunk", async () => {
    const { document } = await openPending();
    changes.accept = async () => {
      throw new Error("The disk is full.");
    };
    await review.decideFile("accept", document.uri);
    assert.equal(changes.fileOf(document.uri)?.hunks.length, 3);
  });

  it("has its commands in the window without any change", async () => {
    const known = await vscode.commands.getCommands();
    for (const command of [commands.changesAcceptHunk, commands.changesNextHunk, commands.changesShowAll])
      assert.ok(known.includes(command), command);
  });
});
