import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Uri } from "vscode";
import type { ChangedFile } from "../../../../src/changes/engine/changedFile.ts";
import type { PendingHunk } from "../../../../src/changes/engine/hunkList.ts";
import {
  describeAll,
  describeConnected,
  hunkAtLine,
  lineCounts,
  placeBeside,
  reviewPlaces,
} from "../../../../src/changes/review/places.ts";

const uri = (path: string) => ({ path, toString: () => `file:///${path}` }) as Uri;

function hunk(
  id: string,
  startLine: number,
  lineCount = 1,
  before: readonly string[] = ["old\n"],
): PendingHunk {
  return { id, startLine, lineCount, before };
}

function file(path: string, kind: ChangedFile["kind"], hunks: readonly PendingHunk[]): ChangedFile {
  return { uri: uri(path), path, kind, hunks, added: 0, removed: 0 };
}

const files = [
  file("a.ts", "changed", [hunk("late", 20, 3), hunk("early", 4)]),
  file("b.ts", "deleted", []),
  file("c.ts", "changed", [hunk("only", 7)]),
];
const places = reviewPlaces(files);
const nameOf = (place: ReturnType<typeof placeBeside>) => place?.hunk?.id ?? place?.file.path;

describe("places of the review", () => {
  it("are the hunks by line, and files that are decided as a whole", () => {
    assert.deepEqual(places.map(nameOf), ["early", "late", "b.ts", "only"]);
    assert.equal(describeAll(files), "3 files, 4 hunks");
    assert.equal(describeAll(files.slice(1, 2)), "1 file, 1 hunk");
  });

  it("follow each other across files, in a ring", () => {
    const beside = (direction: "next" | "previous", path: string, line: number) =>
      nameOf(placeBeside(places, { uri: uri(path), line }, direction));
    assert.equal(beside("next", "a.ts", 0), "early");
    assert.equal(beside("next", "a.ts", 4), "late");
    assert.equal(beside("next", "a.ts", 20), "b.ts");
    assert.equal(beside("next", "b.ts", 0), "only");
    assert.equal(beside("next", "c.ts", 7), "early");
    assert.equal(beside("previous", "c.ts", 7), "b.ts");
    assert.equal(beside("previous", "b.ts", 0), "late");
    // Inside of a hunk of several lines, the one before it is the previous one.
    assert.equal(beside("previous", "a.ts", 22), "early");
    assert.equal(beside("previous", "a.ts", 23), "late");
    assert.equal(beside("previous", "a.ts", 4), "only");
  });

  it("begin at either end from another file or none", () => {
    assert.equal(nameOf(placeBeside(places, { uri: uri("z.ts"), line: 9 }, "next")), "early");
    assert.equal(nameOf(placeBeside(places, undefined, "previous")), "only");
    assert.equal(placeBeside([], undefined, "next"), undefined);
  });

  it("visits every place once before the first comes again", () => {
    for (const direction of ["next", "previous"] as const) {
      let at: Parameters<typeof placeBeside>[1];
      const seen = places.map(() => {
        const place = placeBeside(places, at, direction);
        at = place && { uri: place.file.uri, line: place.hunk?.startLine ?? 0 };
        return nameOf(place);
      });
      assert.equal(new Set(seen).size, places.length, direction);
    }
  });
});

describe("the hunk of a line", () => {
  const removal = hunk("removal", 5, 0);
  it("is the one with the line; removed lines have the two lines around them", () => {
    const hunks = [hunk("first", 2, 2), removal];
    const ids = [1, 2, 3, 4, 5, 6].map((line) => hunkAtLine(hunks, line)?.id);
    assert.deepEqual(ids, [undefined, "first", "first", "removal", "removal", undefined]);
  });

  it("is the one with the line, if removed lines are next to it", () => {
    assert.equal(hunkAtLine([removal, hunk("other", 4)], 4)?.id, "other");
  });

  it("has counts of lines", () => {
    assert.equal(lineCounts(hunk("a", 0, 3, ["x", "y"])), "+3 −2");
    assert.equal(lineCounts(hunk("a", 0, 0, ["x"])), "−1");
    assert.equal(lineCounts(hunk("a", 0, 1, [])), "+1");
  });
});

it("names connected files, hidden characters shown, and how many more there are", () => {
  const moved = [
    { path: "a\u202e.ts", kind: "moved", movedFrom: "b.ts" },
    { path: "b.ts", kind: "created" },
  ] as const;
  assert.equal(describeConnected(moved), "a⟨U+202E⟩.ts (moved from b.ts), b.ts (created)");
  const many = Array.from({ length: 12 }, (_, at) => ({ path: `${at}`, kind: "created" as const }));
  assert.match(describeConnected(many), /^0 \(created\), .*9 \(created\) and 2 more$/);
});
