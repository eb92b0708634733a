import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  afterAgentEdit,
  afterForeignEdit,
  afterUserEdit,
  type HunkList,
  type LineChange,
  originalText,
  rejectedHunk,
  toLineChange,
} from "../../../../src/changes/engine/hunkList.ts";
import { randomCases } from "../../../runner/cases.ts";

/** `npm run changes` runs more. */
const numRuns = randomCases(1000);
const newIds = () => {
  let count = 0;
  return () => `h${count++}`;
};
const line = fc.constantFrom("a", "b", "c", "d", "", "e\r");
const lines = fc.array(line, { minLength: 1, maxLength: 14 });
const splice = fc.record({ at: fc.nat(13), remove: fc.nat(4), insert: fc.array(line, { maxLength: 4 }) });
const spliced = (text: string, { at, remove, insert }: { at: number; remove: number; insert: string[] }) => {
  const all = text.split("\n");
  const start = Math.min(at, all.length);
  const end = Math.min(start + remove, all.length);
  const result = [...all.slice(0, start), ...insert, ...all.slice(end)];
  return { text: (result.length > 0 ? result : [""]).join("\n"), start, end };
};

function assertWellFormed(hunks: HunkList, text: string): void {
  let at = 0;
  for (const { startLine, lineCount, before } of hunks) {
    assert.ok(startLine >= at, "in order");
    at = startLine + lineCount;
    assert.ok(lineCount + before.length > 0, "no empty hunk");
  }
  assert.ok(at <= text.split("\n").length);
  assert.equal(new Set(hunks.map(({ id }) => id)).size, hunks.length, "ids are unique");
}

test("agent's edits in any order: rejecting every hunk in any order restores the text", () => {
  fc.assert(
    fc.property(
      lines,
      fc.array(splice, { maxLength: 8 }),
      fc.infiniteStream(fc.nat(99)),
      (first, steps, picks) => {
        const original = first.join("\n");
        const newId = newIds();
        let [text, hunks]: [string, HunkList] = [original, []];
        for (const step of steps) {
          const next = spliced(text, step).text;
          hunks = afterAgentEdit(hunks, text, next, newId);
          text = next;
          assertWellFormed(hunks, text);
          assert.equal(originalText(text, hunks), original);
        }
        while (hunks.length > 0) {
          const pick = hunks[(picks.next().value as number) % hunks.length];
          const left = rejectedHunk(text, hunks, pick?.id ?? "");
          assert.ok(left);
          [text, hunks] = [left.text, left.hunks];
          assertWellFormed(hunks, text);
        }
        assert.equal(text, original);
      },
    ),
    { numRuns },
  );
});

test("edits of agent and user in any order: the user's text stays when all hunks are rejected", () => {
  const step = fc.record({
    by: fc.constantFrom("agent", "user", "accept", "reject"),
    edit: splice,
    pick: fc.nat(9),
  });
  fc.assert(
    fc.property(lines, fc.array(step, { maxLength: 10 }), (first, steps) => {
      const newId = newIds();
      let [text, hunks]: [string, HunkList] = [first.join("\n"), []];
      for (const [index, { by, edit, pick }] of steps.entries()) {
        const chosen = hunks[pick % Math.max(1, hunks.length)];
        if (by === "accept") hunks = hunks.filter((hunk) => hunk !== chosen);
        else if (by === "reject") {
          const left = chosen && rejectedHunk(text, hunks, chosen.id);
          if (left) [text, hunks] = [left.text, left.hunks];
        } else {
          const typed = `typed ${index}`;
          const insert = by === "user" ? [...edit.insert, typed] : edit.insert;
          const { text: next, start, end } = spliced(text, { ...edit, insert });
          if (by === "agent") hunks = afterAgentEdit(hunks, text, next, newId);
          else {
            hunks = afterUserEdit(hunks, [{ start, end, count: insert.length }]);
            assert.ok(originalText(next, hunks).includes(typed), "rejecting all keeps it");
          }
          text = next;
        }
        assertWellFormed(hunks, text);
      }
    }),
    { numRuns },
  );
});

test("of two hunks that removed lines at the same place, either can be rejected first", () => {
  const removed = (id: string, line: string) => ({ id, startLine: 1, lineCount: 0, before: [line] });
  const hunks = [removed("first", "b"), removed("second", "c")];
  for (const [id = "", other = ""] of [
    ["first", "second"],
    ["second", "first"],
  ]) {
    const left = rejectedHunk("a\nd", hunks, id);
    assert.equal(left && rejectedHunk(left.text, left.hunks, other)?.text, "a\nb\nc\nd");
  }
});

test("an edit of the user beside hunks is part of the original, too", () => {
  fc.assert(
    fc.property(lines, splice, splice, (first, agent, user) => {
      const original = first.join("\n");
      const changed = spliced(original, agent).text;
      const hunks = afterAgentEdit([], original, changed, newIds());
      const { text, start, end } = spliced(changed, user);
      const left = afterUserEdit(hunks, [{ start, end, count: user.insert.length }]);
      if (left.length < hunks.length) return;
      const added = user.insert.length - (end - start);
      const lengths = [originalText(text, left), original].map((one) => one.split("\n").length);
      if (text !== "" && originalText(text, left) !== "")
        assert.equal((lengths[0] ?? 0) - (lengths[1] ?? 0), added);
      assert.deepEqual(afterForeignEdit(hunks, changed, changed), hunks);
    }),
    { numRuns },
  );
});

test("positions of an editor become whole lines", () => {
  const range = (a: number, b: number, c: number, d: number) => ({
    start: { line: a, character: b },
    end: { line: c, character: d },
  });
  assert.deepEqual(toLineChange(range(3, 0, 3, 0), "new line\n"), { start: 3, end: 3, count: 1 });
  assert.deepEqual(toLineChange(range(3, 0, 5, 0), ""), { start: 3, end: 5, count: 0 });
  assert.deepEqual(toLineChange(range(3, 4, 3, 4), "x"), { start: 3, end: 4, count: 1 });
  assert.deepEqual(toLineChange(range(3, 4, 3, 4), "\n"), { start: 3, end: 4, count: 2 });
  assert.deepEqual(toLineChange(range(3, 4, 4, 2), ""), { start: 3, end: 5, count: 1 });
});

/** Hunks and changes at these distances; the changes are in the order of the editor, from the end. */
const places = fc.array(
  fc.record({
    gap: fc.nat(3),
    lines: fc.nat(3),
    isHunk: fc.boolean(),
    count: fc.nat(3),
    isShared: fc.boolean(),
  }),
  { maxLength: 20 },
);

test("an edit in many places does what an edit of each place from the end does", () => {
  fc.assert(
    fc.property(places, places, (hunkPlaces, changePlaces) => {
      let at = 0;
      const hunks = hunkPlaces.map(({ gap, lines: lineCount }, index) => {
        const startLine = at + gap;
        at = startLine + lineCount;
        return { id: `h${index}`, startLine, lineCount, before: ["x"] };
      });
      let from = 0;
      const changes = changePlaces.map(({ gap, lines, count, isShared }): LineChange => {
        // Two places may be in one line, which then stays.
        const start = isShared && from > 0 ? from - 1 : from + gap;
        from = start + Math.max(1, lines);
        return { start, end: from, count: Math.max(1, count) };
      });
      const whole = changes.map(({ start, end, count }, index) =>
        index % 3 === 2 &&
        (changes[index - 1]?.end ?? 0) <= start &&
        (changes[index + 1]?.start ?? end) >= end
          ? { start, end: end - 1, count }
          : { start, end, count },
      );
      for (const list of [changes.toReversed(), whole.toReversed()]) {
        const oneByOne = list.reduce<HunkList>((left, change) => afterUserEdit(left, [change]), hunks);
        assert.deepEqual(afterUserEdit(hunks, list), oneByOne);
      }
    }),
    { numRuns },
  );
});

test("replacing all in a file with many hunks takes steps linear in both", () => {
  const stepsOf = (count: number) => {
    let steps = 0;
    const counted = <Value extends object>(value: Value): Value =>
      new Proxy(value, { get: (target, name) => Reflect.get(target, name, void steps++) });
    const hunks = Array.from({ length: count }, (_, at) =>
      counted({ id: `h${at}`, startLine: 4 * at, lineCount: 1, before: ["x"] }),
    );
    const changes = Array.from({ length: count }, (_, at) =>
      counted({ start: 4 * at + 2, end: 4 * at + 3, count: 2 }),
    ).reverse();
    const left = afterUserEdit(hunks, changes);
    assert.deepEqual([left.length, left.at(-1)?.startLine], [count, 5 * (count - 1)]);
    return steps;
  };
  const [one, two, four] = [stepsOf(250), stepsOf(500), stepsOf(1_000)] as const;
  assert.ok(two < 2.1 * one && four < 2.1 * two, `${one}, ${two} and ${four} steps`);
});

test("a change of many lines outside of the editor takes one pass over the hunks", () => {
  const count = 400;
  const lines = (changed: string) =>
    Array.from({ length: 4 * count }, (_, at) => (at % 4 === 2 ? changed : `${at}`));
  let steps = 0;
  const hunks = Array.from(
    { length: count },
    (_, at) =>
      new Proxy(
        { id: `h${at}`, startLine: 4 * at, lineCount: 1, before: ["x"] },
        { get: (target, name) => Reflect.get(target, name, void steps++) },
      ),
  );
  const left = afterForeignEdit(hunks, lines("a").join("\n"), lines("b").join("\n"));
  assert.equal(left.length, count);
  assert.ok(steps < 20 * count, `${steps} steps`);
});

test("an editor that opens a file with other line ends keeps the hunks at their lines, and so does the file", () => {
  const anyLine = fc.constantFrom("a", "b", "", "c\r", "\r", "d\re", "f\r\r");
  // At the end of a text, a return is not one of `\r\n`.
  const anyText = fc
    .tuple(fc.array(anyLine, { maxLength: 9 }), fc.constantFrom("a", "b", "", "d\re"))
    .map(([above, last]) => [...above, last].join("\n"));
  fc.assert(
    fc.property(anyText, anyText, (before, file) => {
      const hunks = afterAgentEdit([], before, file, newIds());
      const inEditor = (text: string) => text.replace(/\r\n?/g, "\n");
      const shown = afterForeignEdit(hunks, file, inEditor(file));
      assertWellFormed(shown, inEditor(file));
      assert.equal(inEditor(originalText(inEditor(file), shown)), inEditor(before));
      assert.deepEqual(afterForeignEdit(shown, inEditor(file), file), hunks);
    }),
    { numRuns },
  );
});
