// Counts the decorations that the review sends to the editor while the user types in a file with pending hunks.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type * as vscode from "vscode";
import type { ChangedFile } from "../../../../src/changes/engine/changedFile.ts";
import type { PendingHunk } from "../../../../src/changes/engine/hunkList.ts";
import { double, replace } from "../../vscodeDouble.ts";

// The double has to be there before the first import of `vscode`.
const { createHunkDecorations } = await import("../../../../src/changes/review/hunkDecorations.ts");

/** A visible file with `count` hunks, each of one line, whose editor counts what it gets. */
function openReview(t: TestContext, count: number) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const uri = double.Uri.file("/work/a.ts") as unknown as vscode.Uri;
  const hunks = Array.from(
    { length: count },
    (_, at): PendingHunk => ({ id: `h${at}`, startLine: 3 * at, lineCount: 1, before: ["old"] }),
  );
  let file: ChangedFile | undefined = { uri, path: "a.ts", kind: "changed", hunks, added: 0, removed: 0 };
  const sent = { calls: 0, ranges: 0 };
  const document = {
    ...{ uri, languageId: "plaintext", lineCount: 3 * count },
    lineAt: (line: number) => ({ range: line }),
  };
  const editor = {
    ...{ document, viewColumn: 1, visibleRanges: [{ start: { line: 0 }, end: { line: 40 } }] },
    setDecorations(_: unknown, ranges: readonly unknown[]) {
      sent.calls += 1;
      sent.ranges += ranges.length;
    },
  };
  let changeTabs = () => {};
  const event = () => ({ dispose() {} });
  replace(
    "window",
    {
      visibleTextEditors: [editor],
      createTextEditorDecorationType: () => ({ dispose() {} }),
      onDidChangeVisibleTextEditors: event,
      onDidChangeTextEditorViewColumn: event,
      onDidChangeTextEditorVisibleRanges: event,
      tabGroups: {
        all: [],
        onDidChangeTabs(listener: () => void) {
          changeTabs = listener;
          return { dispose() {} };
        },
      },
    },
    t,
  );
  const decorations = createHunkDecorations(() => file);
  t.after(() => decorations.dispose());
  decorations.refresh();
  const first = { ...sent };
  return {
    decorations,
    first,
    /** The calls and ranges since the last call of this function. */
    take() {
      const now = { ...sent };
      Object.assign(sent, { calls: 0, ranges: 0 });
      return now;
    },
    changeTabs: () => changeTabs(),
    set(change: (hunks: readonly PendingHunk[]) => readonly PendingHunk[]) {
      file = file && { ...file, hunks: change(file.hunks) };
      decorations.refresh();
    },
    decide() {
      file = undefined;
      decorations.refresh();
    },
  };
}

const moved = (hunks: readonly PendingHunk[]) =>
  hunks.map((hunk) => ({ ...hunk, startLine: hunk.startLine + 1 }));
const nothing = { calls: 0, ranges: 0 };

for (const count of [125, 250, 500])
  test(`typing and saving draw nothing of ${count} hunks again`, (t) => {
    const { decorations, first, take, changeTabs } = openReview(t, count);
    assert.ok(first.ranges >= count && first.ranges < count + 50);
    take();
    // A tab changes when its file gets unsaved text, and when it is saved.
    for (let time = 0; time < 20; time++) changeTabs();
    decorations.refresh();
    t.mock.timers.tick(10_000);
    assert.deepEqual(take(), nothing);
  });

test("line breaks draw hunks that moved once, after a pause, and not again by saving", (t) => {
  const { take, set, changeTabs } = openReview(t, 500);
  take();
  for (let key = 0; key < 20; key++) {
    set(moved);
    t.mock.timers.tick(100);
  }
  assert.deepEqual(take(), nothing);
  t.mock.timers.tick(600);
  const { ranges } = take();
  assert.ok(ranges >= 500 && ranges < 550);
  changeTabs();
  t.mock.timers.tick(10_000);
  assert.deepEqual(take(), nothing);
});

test("a hunk that is decided or changed is drawn at once, and a file without hunks loses its colours", (t) => {
  const { first, take, set, decide } = openReview(t, 3);
  assert.equal(first.ranges, 6);
  take();
  set((hunks) => hunks.slice(1));
  assert.equal(take().ranges, 4);
  set((hunks) => hunks.map((hunk) => ({ ...hunk, before: ["old", "older"] })));
  assert.equal(take().ranges, 4);
  decide();
  assert.deepEqual(take(), { calls: 5, ranges: 0 });
});
