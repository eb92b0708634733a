// Agent and user change the same files in random order: rewinding and rejecting restore the bytes that only the agent
// changed, and what the user did is kept, or asked about.
import { test } from "node:test";
import fc from "fast-check";
import { randomCases } from "../../../runner/cases.ts";
import { runCase } from "../changesCase.ts";
import { anySteps, type Step } from "../changesSteps.ts";

/** `npm run changes` runs more. */
const numRuns = randomCases(200);

test("agent alone: rewinding everything restores every byte without a question, and so does rejecting everything", () =>
  fc.assert(
    fc.asyncProperty(anySteps("agent"), (steps) => runCase(steps)),
    { numRuns: numRuns / 2 },
  ));

test("agent and user: no change of the user is lost, and a rewind restores what the user left alone", () =>
  fc.assert(
    fc.asyncProperty(anySteps("both"), (steps) => runCase(steps)),
    { numRuns: numRuns / 2 },
  ));

test("a text that an undo puts around an empty last line keeps the order of its lines", () =>
  runCase([
    { do: "swap", files: ["empty.txt", "latin.txt"], over: "a/new.txt" },
    { do: "type", file: "empty.txt", pick: 2, isLine: false },
    { do: "edit", file: "empty.txt", pick: 0, text: "ONE\ntwo\n" },
  ]));

test("an undo makes text unsaved again that the editor of a deleted file still shows", () =>
  runCase([
    { do: "write", file: "a/new.txt", text: "" },
    { do: "edit", file: "lf.txt", pick: 0, text: "" },
    { do: "open", file: "a/new.txt" },
    { do: "reject", pick: 0, isHunk: false },
    { do: "type", file: "a/new.txt", pick: 0, isLine: false },
  ]));

test("a file that is moved to the place of a deleted one with the same content gets its mode", () =>
  runCase([
    { do: "remove", file: "empty.txt" },
    { do: "write", file: "a/new.txt", text: "" },
    { do: "move", file: "a/new.txt", to: "empty.txt" },
  ]));

test("a file that is written at the place of a moved one has its mode, and replaces it if that one is removed", () =>
  runCase([
    { do: "move", file: "empty.txt", to: "a/new.txt" },
    { do: "write", file: "empty.txt", text: "" },
    { do: "remove", file: "a/new.txt" },
  ]));

test("killed after a file has come to the place from which another one was moved, the next window has both moves", () =>
  runCase([{ do: "swap", files: ["lf.txt", "own.ipynb"], over: "a/new.txt" }, { do: "kill" }]));

test("killed after a file has left the place of a deleted one, the next window can restore the deleted one", () =>
  runCase([
    { do: "remove", file: "latin.txt" },
    { do: "swap", files: ["lf.txt", "other.ipynb"], over: "latin.txt" },
    { do: "kill" },
  ]));

test("killed after moved files have come back to their places, the next window has nothing pending", () => {
  const swap: Step = { do: "swap", files: ["other.ipynb", "empty.txt"], over: "a/new.txt" };
  return runCase([swap, swap, { do: "kill" }]);
});

test("killed with unsaved cells and a change by the agent, the next window keeps the cells and takes the change back", () =>
  runCase([
    { do: "openCells", file: "own.ipynb" },
    { do: "typeCell", file: "own.ipynb", pick: 0 },
    {
      do: "cells",
      file: "own.ipynb",
      edits: [{ action: "replace", pick: 1, text: "a\nb\nc\n", kind: undefined }],
    },
    { do: "typeCell", file: "own.ipynb", pick: 0 },
    { do: "kill" },
    { do: "save", file: "own.ipynb" },
    { do: "reject", pick: 0, isHunk: false },
  ]));

test("files whose places the agent has swapped are both restored after one command has deleted them", () => {
  const remove = { act: "remove", text: "", pick: 0 } as const;
  const acts = ["lf.txt", "latin.txt"].map((file) => ({ ...remove, file, to: file }));
  return runCase([
    { do: "swap", files: ["lf.txt", "latin.txt"], over: "a/new.txt" },
    { do: "program", acts, isWarm: true, isLater: false, savesFirst: true, ends: "ends", kills: [] },
  ]);
});

test("files that the agent has moved around are all restored after one command has deleted them", () => {
  const remove = { act: "remove", text: "", pick: 0 } as const;
  const files = ["lf.txt", "latin.txt", "empty.txt"];
  const acts = [...files, "a/new.txt"].map((file) => ({ ...remove, file, to: file }));
  return runCase([
    { do: "swap", files: ["lf.txt", "latin.txt"], over: "a/new.txt" },
    { do: "swap", files: ["latin.txt", "empty.txt"], over: "a/new.txt" },
    { do: "program", acts, isWarm: true, isLater: false, savesFirst: true, ends: "ends", kills: [] },
  ]);
});

test("a file is restored at its place although a command has deleted the one that had come there", () => {
  const remove = { act: "remove", text: "", pick: 0 } as const;
  const acts = ["a/new.txt", "lf.txt"].map((file) => ({ ...remove, file, to: file }));
  return runCase([
    { do: "move", file: "lf.txt", to: "a/new.txt" },
    { do: "move", file: "latin.txt", to: "lf.txt" },
    { do: "program", acts, isWarm: true, isLater: false, savesFirst: true, ends: "ends", kills: [] },
  ]);
});

test("a file that the user moves while a program runs is not one that the program has made", () => {
  const one = { act: "sed", file: "lf.txt", to: "lf.txt", text: "", pick: 0 } as const;
  return runCase([
    {
      do: "program",
      acts: [one],
      isWarm: false,
      isLater: false,
      savesFirst: false,
      ends: "goes on",
      kills: [],
    },
    { do: "rename", file: "lf.txt", to: "m/in.txt" },
    { do: "close", file: "lf.txt" },
  ]);
});

test("unsaved text of a file behind a link does not stop a rewind of the others", () => {
  const one = { act: "linkForFolder", file: "lf.txt", to: "lf.txt", text: "", pick: 0 } as const;
  return runCase([
    { do: "program", acts: [one], isWarm: false, isLater: false, savesFirst: false, ends: "ends", kills: [] },
    { do: "type", file: "d/e/it's deep.txt", pick: 0, isLine: false },
  ]);
});

test("what a subagent brings back is rewound with what a program has done to the same files, also after a kill", () => {
  const acts = [{ act: "append" as const, file: "lf.txt", to: "lf.txt", text: "" as const, pick: 0 }];
  return runCase([
    { do: "delegate" },
    { do: "program", acts, isWarm: true, isLater: false, savesFirst: true, ends: "ends", kills: [] },
    {
      do: "merge",
      tree: [
        { kind: "edit", file: "lf.txt", to: "lf.txt", text: "ONE\ntwo\n" },
        { kind: "move and edit", file: "crlf.txt", to: "a/new.txt", text: "one\n" },
        { kind: "delete", file: "d/in.txt", to: "d/in.txt", text: "" },
        { kind: "create", file: "m/in.txt", to: "m/in.txt", text: "one\n" },
      ],
    },
    { do: "kill" },
  ]);
});

test("a file to whose place its twin was moved is not moved any more after a rewind, and is again after its undo", () => {
  const steps: Parameters<typeof runCase>[0] = [
    { do: "swap", files: ["own.ipynb", "m/copy/it's deep.txt", "lf.txt"], over: "a/new.txt" },
    { do: "move", file: "d/twin.ipynb", to: "own.ipynb" },
    { do: "rewind", from: 0, answer: "overwrite" },
  ];
  return runCase(steps)
    .then(() => runCase([...steps, { do: "undo" }]))
    .then(() => runCase([...steps, { do: "undo" }, { do: "undo" }]));
});

test("a file whose lines end with two returns is restored after an editor has opened it", () =>
  runCase([
    {
      do: "program",
      acts: [{ act: "returns", file: "crlf.txt", to: "lf.txt", text: "", pick: 0 }],
      isWarm: false,
      isLater: false,
      savesFirst: false,
      ends: "ends",
      kills: [],
    },
    { do: "open", file: "crlf.txt" },
  ]));

test("an edit of an open, read-only file leaves no unsaved text, which would stop a rewind", () =>
  runCase([
    { do: "move", file: "lf.txt", to: "m/e/it's deep.txt" },
    { do: "move", file: "locked.txt", to: "a/new.txt" },
    { do: "open", file: "a/new.txt" },
    { do: "edit", file: "m/e/it's deep.txt", pick: 0, text: "" },
    { do: "edit", file: "a/new.txt", pick: 0, text: "" },
  ]));

test("unsaved text of a file whose place a folder has does not stop a rewind of the others", () => {
  const one = { act: "folderForFile", file: "lf.txt", to: "lf.txt", text: "", pick: 0 } as const;
  return runCase([
    { do: "type", file: "lf.txt", pick: 0, isLine: false },
    { do: "program", acts: [one], isWarm: false, isLater: false, savesFirst: false, ends: "ends", kills: [] },
    { do: "edit", file: "crlf.txt", pick: 0, text: "" },
  ]);
});
