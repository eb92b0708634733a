// The steps of agent and user in the random cases.
import fc from "fast-check";
import type { Moment } from "./editorDocument.ts";
import { programActs } from "./programLines.ts";

/** A notebook in a form that programs write, with spaces before each level. */
function notebook(space: number, hasIds: boolean): string {
  const cell = (source: readonly string[], id: string) => ({
    cell_type: "code",
    execution_count: null,
    ...(hasIds ? { id } : {}),
    metadata: {},
    outputs: [],
    source,
  });
  const cells = [cell(["x = 1\n", "y = 2"], "a"), cell(["z = 3"], "b")];
  const content = { cells, metadata: {}, nbformat: 4, nbformat_minor: hasIds ? 5 : 4 };
  return JSON.stringify(content, undefined, space);
}

/** Other names of files, which are hard links. */
export const originalTwins: Readonly<Record<string, string>> = {
  "d/twin.txt": "crlf.txt",
  "d/twin.ipynb": "own.ipynb",
};
/** Files of each kind that a rewind must restore. */
const ownOriginals: Readonly<Record<string, string | Uint8Array | undefined>> = {
  "lf.txt": "one\ntwo\nthree\nfour\nfive\n",
  "crlf.txt": "\ufeffone\r\ntwo\r\nthree\r\nfour",
  "both.txt": "one\r\ntwo\nthree\nfour\r\nfive\n",
  "empty.txt": "",
  "latin.txt": Buffer.from([0x6f, 0x6e, 0x65, 0x0a, 0xe9, 0x0a]),
  "picture.bin": new Uint8Array([0, 255, 13, 10, 0xef, 0xbb, 0xbf]),
  // In the form that the editor writes, and in another one, which its save changes.
  "own.ipynb": `${notebook(1, true)}\n`,
  "other.ipynb": notebook(4, false).replaceAll("\n", "\r\n"),
  // Line ends that only some editors and languages know.
  "returns.txt": "one\rtwo\r\nthree\u2028four\u2029five\fsix\u0085seven\veight\n",
  "locked.txt": "one\nlocked\n",
  // The accent is a character of its own.
  '-n\u0065\u0301w "$q".txt': "one\ndash\n",
  "LF.TXT": undefined,
  "d/in.txt": "in\n",
  "d/e/it's deep.txt": "deep\n\tone\n",
  "a/new.txt": undefined,
  "d/copy/it's deep.txt": undefined,
  "m/in.txt": undefined,
  "m/e/it's deep.txt": undefined,
  "m/copy/it's deep.txt": undefined,
};
/** Modes differ, so that one that gets lost is noticed. */
const ownModes: Readonly<Record<string, number>> = {
  "lf.txt": 0o755,
  "crlf.txt": 0o640,
  "both.txt": 0o600,
  "empty.txt": 0o664,
  "latin.txt": 0o700,
  "picture.bin": 0o604,
  "own.ipynb": 0o640,
  "other.ipynb": 0o600,
  "returns.txt": 0o660,
  "locked.txt": 0o444,
  '-n\u0065\u0301w "$q".txt': 0o666,
  "d/in.txt": 0o640,
  "d/e/it's deep.txt": 0o755,
};
const withTwins = <Value>(own: Readonly<Record<string, Value>>) => ({
  ...own,
  ...Object.fromEntries(Object.entries(originalTwins).map(([name, of]) => [name, own[of] as Value])),
});
export const originals = withTwins(ownOriginals);
export const originalModes = withTwins(ownModes);
/** Symbolic links, by their targets. Steps in the editor don't name them. */
export const originalLinks: Readonly<Record<string, string | undefined>> = {
  up: "d/e",
  away: "../../outside",
  dead: "no\xfftext",
  "d/up": "../both.txt",
  "link.txt": undefined,
  "m/up": undefined,
  m: undefined,
  d: undefined,
  "up/in.txt": undefined,
  "lf.txt/in.txt": undefined,
};
const files = Object.keys(originals);
export const names = [...files, ...Object.keys(originalLinks)];
const file = fc.constantFrom(...files);
/** Half of the notebooks' steps would miss them otherwise. */
const cells = fc.constantFrom("own.ipynb", "other.ipynb");
const source = fc.constantFrom("", "one\n", "x = 1\ny = 2", "a\nb\nc\n", "z = «agent»");
const text = fc.constantFrom(
  "",
  "one\n",
  "ONE\ntwo\n",
  "x\r\ny\r\n",
  "\ufeffmarked\n",
  "one\nTWO\nthree\nfour\nFIVE\nsix",
);
const moments: readonly Moment[] = ["before the change", "after the change", "in the save"];

type ProgramEnd = "ends" | "goes on" | "window is killed";

const agentSteps = {
  edit: fc.record({ do: fc.constant("edit"), file, pick: fc.nat(9), text }),
  write: fc.record({ do: fc.constant("write"), file, text }),
  /** Changes of different files at the same time. */
  together: fc.record({
    do: fc.constant("together"),
    changes: fc.uniqueArray(
      fc.record({ do: fc.constantFrom("edit", "write"), file, pick: fc.nat(9), text }),
      {
        selector: (one) => one.file,
        minLength: 2,
        maxLength: 5,
      },
    ),
  }),
  cells: fc.record({
    do: fc.constant("cells"),
    file: cells,
    edits: fc.array(
      fc.record({
        action: fc.constantFrom("replace", "replace", "insert_before", "insert_after", "delete"),
        pick: fc.nat(3),
        text: source,
        kind: fc.constantFrom(undefined, undefined, "code", "markdown", "raw"),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  move: fc.record({ do: fc.constant("move"), file, to: file }),
  /** Moves files in a circle, the first one over a free place. */
  swap: fc.record({
    do: fc.constant("swap"),
    files: fc.uniqueArray(file, { minLength: 2, maxLength: 3 }),
    over: fc.oneof({ arbitrary: fc.constant("a/new.txt"), weight: 3 }, { arbitrary: file, weight: 1 }),
  }),
  remove: fc.record({ do: fc.constant("remove"), file }),
  rewind: fc.record({
    do: fc.constant("rewind"),
    from: fc.nat(9),
    answer: fc.constantFrom("overwrite", "keep", "cancel"),
  }),
  undo: fc.record({ do: fc.constant("undo") }),
  /** Neither of these changes a text. */
  open: fc.record({ do: fc.constant("open"), file }),
  close: fc.record({ do: fc.constant("close"), file }),
  settle: fc.record({ do: fc.constant("settle") }),
  reload: fc.record({ do: fc.constant("reload") }),
  /** The process ends in the middle of nothing: nothing is written any more, and the editor restores what was not saved. */
  kill: fc.record({ do: fc.constant("kill") }),
  /** The same while the agent changes files, before one of its accesses to the disk. */
  killedCalls: fc.record({
    do: fc.constant("killedCalls"),
    changes: fc.array(
      fc.record({
        do: fc.constantFrom("edit", "write", "move", "remove"),
        file,
        to: file,
        pick: fc.nat(9),
        text,
      }),
      { minLength: 1, maxLength: 4 },
    ),
    at: fc.nat(150),
  }),
  /** A program that ends, or goes on in the background. */
  program: fc.record({
    do: fc.constant("program"),
    acts: fc.array(
      fc.record({
        act: fc.constantFrom(...programActs),
        file,
        to: file,
        text,
        pick: fc.nat(7),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    /** The files were looked at before, and are watched. */
    isWarm: fc.boolean(),
    /** The files were made, and changed, some time ago. */
    isLater: fc.boolean(),
    /** What is not saved is saved before. */
    savesFirst: fc.boolean(),
    ends: fc.constantFrom<ProgramEnd>("ends", "ends", "goes on", "window is killed"),
    /** The accesses to the disk before the kill, of the window that records the changes, and of the next one. */
    kills: fc.array(fc.nat(120), { maxLength: 2 }),
  }),
  /** A subagent begins with the files as they are. */
  delegate: fc.record({ do: fc.constant("delegate") }),
  /** What it has changed since is brought back; without one that has begun, it begins now. */
  merge: fc.record({
    do: fc.constant("merge"),
    tree: fc.uniqueArray(
      fc.record({
        kind: fc.constantFrom("edit", "edit", "create", "delete", "move", "move and edit"),
        file,
        to: file,
        text,
      }),
      { selector: (one) => one.file, minLength: 1, maxLength: 4 },
    ),
  }),
  openCells: fc.record({ do: fc.constant("openCells"), file: cells }),
  closeCells: fc.record({ do: fc.constant("closeCells"), file: cells }),
} as const;
const userSteps = {
  type: fc.record({ do: fc.constant("type"), file, pick: fc.nat(9), isLine: fc.boolean() }),
  typeCell: fc.record({ do: fc.constant("typeCell"), file: cells, pick: fc.nat(9) }),
  typeWhile: fc.record({
    do: fc.constant("typeWhile"),
    moment: fc.constantFrom(...moments),
    file,
    pick: fc.nat(9),
    text,
  }),
  save: fc.record({ do: fc.constant("save"), file }),
  revert: fc.record({ do: fc.constant("revert"), file }),
  replace: fc.record({ do: fc.constant("replace"), file, text }),
  rename: fc.record({ do: fc.constant("rename"), file, to: file }),
  delete: fc.record({ do: fc.constant("delete"), file }),
  accept: fc.record({ do: fc.constant("accept"), pick: fc.nat(9), isHunk: fc.boolean() }),
  reject: fc.record({ do: fc.constant("reject"), pick: fc.nat(9), isHunk: fc.boolean() }),
} as const;

type StepOf<Steps extends Readonly<Record<string, fc.Arbitrary<unknown>>>> = {
  [Name in keyof Steps]: Steps[Name] extends fc.Arbitrary<infer Value>
    ? Omit<Value, "do"> & { readonly do: Name }
    : never;
}[keyof Steps];
export type Step = StepOf<typeof agentSteps> | StepOf<typeof userSteps>;

export function anySteps(by: "agent" | "both"): fc.Arbitrary<readonly Step[]> {
  const own = Object.values(agentSteps);
  const all = by === "agent" ? own : [...own, ...Object.values(userSteps)];
  return fc.array(fc.oneof(...(all as fc.Arbitrary<Step>[])), {
    minLength: 1,
    maxLength: by === "agent" ? 8 : 12,
  });
}
