// What a model proposes for a document is written only into the text for which it was proposed.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type * as Changes from "../../../../../src/changes/engine/editorChanges.ts";
import type * as Staged from "../../../../../src/changes/engine/staged/stagedChange.ts";
import type * as All from "../../../../../src/changes/engine/staged/stagedChanges.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { editor, loadWithEditor } from "../../editorModel.ts";
import { uriOf } from "../../seenFiles.ts";

const { StagedChange } = await loadWithEditor<typeof Staged>("src/changes/engine/staged/stagedChange.ts");
const { createEditorChanges } = await loadWithEditor<typeof Changes>("src/changes/engine/editorChanges.ts");
const { StagedChanges } = await loadWithEditor<typeof All>("src/changes/engine/staged/stagedChanges.ts");
const { window } = (globalThis as unknown as { readonly editorModel: { readonly window: object } })
  .editorModel;
Object.assign(window, { showTextDocument: async () => ({}) });

const lines = "one\ntwo\nthree\nfour\n";

/** A change of the whole file `a.txt`, or of a range, which is ready. */
function stage(text: string, more: Partial<Staged.Proposal> = {}) {
  const root = join(temporaryFolder(), "work");
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "a.txt"), lines);
  editor.start(root);
  const document = editor.open(uriOf("a.txt"));
  const staged = new StagedChanges();
  const told: string[] = [];
  const change = new StagedChange({
    kind: "edit",
    uri: document.uri as never,
    document: document as never,
    title: "a.txt: Edit",
    mayWrite: async () => true,
    onAccepted: () => told.push("accepted"),
    onDropped: () => told.push("dropped"),
    ...more,
  });
  staged.add(change);
  change.propose(text);
  change.isReady = true;
  const hunkIds = () => change.file.hunks.map(({ id }) => id);
  return { root, document, staged, change, told, hunkIds };
}

const changedSince = /^Nothing was replaced: the text changed after the answer was requested\.$/;

test("nothing is written before it is accepted, and then it is unsaved text of the editor", async () => {
  const { root, document, change, told } = stage(lines.replace("two", "TWO"));
  assert.equal(document.getText(), lines);
  assert.deepEqual(change.sides, { before: lines, after: lines.replace("two", "TWO") });
  assert.equal(await change.accept(), true);
  assert.equal(document.getText(), lines.replace("two", "TWO"));
  assert.deepEqual([document.isDirty, change.isSame, told], [true, true, ["accepted"]]);
  assert.equal(readFileSync(join(root, "a.txt"), "utf8"), lines);
});

test("it follows its range, and keeps what the user has typed elsewhere", async () => {
  const { document, change } = stage("TWO", { range: { start: 4, end: 7 } });
  document.type(0, 0, "mine\n");
  document.type(5, 0, "also mine\n");
  assert.equal(change.file.hunks[0]?.startLine, 2);
  assert.equal(await change.accept(), true);
  assert.equal(document.getText(), `mine\n${lines.replace("two", "TWO")}also mine\n`);
});

test("a text that has changed since is not replaced, also if that was during the question", async () => {
  const first = stage("TWO", { range: { start: 4, end: 7 } });
  first.document.type(1, 1, "-");
  await assert.rejects(first.change.accept(), { message: changedSince });
  const { document, change, told } = stage("TWO", {
    range: { start: 4, end: 7 },
    async mayWrite() {
      document.type(1, 1, "-");
      return true;
    },
  });
  await assert.rejects(change.accept(), { message: changedSince });
  assert.deepEqual([document.getText(), told], [lines.replace("two", "t-wo"), []]);
});

test("who declines the question keeps the document and the proposal", async () => {
  const asked: unknown[] = [];
  const { document, change } = stage(lines.replace("two", "TWO"), {
    mayWrite: async (...question) => asked.push(question) < 0,
  });
  assert.equal(await change.accept(), false);
  assert.deepEqual([document.getText(), change.isSame], [lines, false]);
  assert.deepEqual(asked, [[lines.replace("two", "TWO"), true]]);
});

test("hunks are decided one by one, and an undone one again", async () => {
  const all = lines.replace("one", "ONE").replace("three", "THREE");
  const { document, change, hunkIds } = stage(all);
  assert.deepEqual(
    change.file.hunks.map(({ startLine, lineCount, before }) => [startLine, lineCount, before]),
    [
      [0, 1, ["one"]],
      [2, 1, ["three"]],
    ],
  );
  const [first = "", second = ""] = hunkIds();
  assert.equal(await change.accept(second), true);
  assert.equal(document.getText(), lines.replace("three", "THREE"));
  assert.equal(hunkIds().length, 1);
  await assert.rejects(change.accept(first), { message: "Nothing was replaced: the hunk has changed." });
  document.put(lines);
  assert.equal(hunkIds().length, 2);
  await change.reject(hunkIds()[0] ?? "");
  assert.equal(await change.accept(hunkIds()[0]), true);
  assert.deepEqual([document.getText(), change.isSame], [lines.replace("three", "THREE"), true]);
});

test("a text that is still written is made when it is read", () => {
  const { change } = stage(lines);
  let count = 0;
  change.propose(() => `${lines}${++count}\n`);
  assert.equal(count, 0);
  assert.equal(change.sides.after, `${lines}1\n`);
  assert.equal(change.text, `${lines}1\n`);
});

test("a new file is created on acceptance, unless it exists by then", async () => {
  const uri = () => uriOf("new.txt") as never;
  const { root } = stage(lines);
  const made = new StagedChange({
    kind: "code",
    uri: uri(),
    document: undefined,
    title: "",
    mayWrite: async () => true,
  });
  made.propose("new\n");
  assert.equal(made.file.kind, "created");
  assert.ok(!existsSync(join(root, "new.txt")));
  assert.equal(await made.accept(), true);
  assert.equal(readFileSync(join(root, "new.txt"), "utf8"), "new\n");
  const late = new StagedChange({ ...made.proposal });
  late.propose("other\n");
  await assert.rejects(late.accept(), {
    message: "new.txt was not created: it exists, or can't be written.",
  });
  assert.equal(readFileSync(join(root, "new.txt"), "utf8"), "new\n");
});

test("what is staged is listed once it is ready, is found by its sides, and is told when it is dropped", () => {
  const { staged, change, told } = stage(lines.replace("two", "TWO"));
  change.isReady = false;
  assert.deepEqual(staged.files, []);
  change.isReady = true;
  assert.deepEqual(staged.files, [change.file]);
  for (const side of ["before", "after"] as const) assert.equal(staged.of(change.sideUri(side)), change);
  let dropped = 0;
  staged.onDidChange((one) => {
    if (one === change && !staged.has(one)) dropped += 1;
  });
  staged.drop(change);
  staged.drop(change);
  assert.deepEqual([staged.isEmpty, told, dropped], [true, ["dropped"], 1]);
  assert.equal(staged.of(change.sideUri("after")), undefined);
});

test("the next window is told of a staged change, whose diff the editor restores", (t) => {
  const { root, change } = stage(lines.replace("two", "TWO"));
  const changes = createEditorChanges({
    blobs: join(root, "../blobs"),
    stateFile: join(root, "../changes.jsonl"),
    report: () => {},
  });
  t.after(() => changes.dispose());
  const pending: boolean[] = [];
  changes.onDidChange(() => pending.push(changes.isPending));
  assert.equal(changes.isPending, false);
  changes.staged.add(change);
  changes.staged.drop(change);
  assert.deepEqual(pending, [true, false]);
});
