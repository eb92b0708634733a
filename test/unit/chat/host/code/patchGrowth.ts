// A thread that counts the steps of patches: beside other code its flags would change what is counted.
import { setFlagsFromString } from "node:v8";
import { parentPort } from "node:worker_threads";
import { parsePatch, patchedText } from "../../../../../src/chat/host/code/codexPatch.ts";
import { createStepCounter } from "../../../rpc/growth/steps.ts";

/** The steps of a kind of patch at each size. */
export interface PatchSteps {
  readonly kind: string;
  readonly steps: readonly number[];
}

const sizes = [200, 400, 800];
const linesPerHunk = 20;

type Written = Readonly<Record<"file" | "patch", readonly string[]>>;

const numbered = <Item>(count: number, line: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => line(index));
const inFile = (hunks: number, indent = "") =>
  numbered(hunks * linesPerHunk, (index) =>
    index % linesPerHunk === 0
      ? `function part${index / linesPerHunk}(a, b) {`
      : `${indent}line ${index % 7 === 0 ? "}" : index};`,
  );
const hunk = (index: number, at: string, indent = "") => {
  const row = index * linesPerHunk + 3;
  return [at, ` ${indent}line ${row % 7 === 0 ? "}" : row};`, `+${indent}new ${index}`];
};

const kinds: Readonly<Record<string, (hunks: number) => Written>> = {
  "each with its own lines": (hunks) => ({
    file: inFile(hunks),
    patch: numbered(hunks, (index) => index).flatMap((index) =>
      hunk(index, "@@").map((line) => (line.includes("}") ? ` line ${index * linesPerHunk + 4};` : line)),
    ),
  }),
  "after an anchor": (hunks) => ({
    file: inFile(hunks),
    patch: numbered(hunks, (index) => index).flatMap((index) =>
      hunk(index, `@@ function part${index}(a, b) {`),
    ),
  }),
  "after a part of an anchor": (hunks) => ({
    file: inFile(hunks),
    patch: numbered(hunks, (index) => index).flatMap((index) =>
      hunk(index, `@@ function part${index}(`).map((line) =>
        line.includes("}") ? ` line ${index * linesPerHunk + 4};` : line,
      ),
    ),
  }),
  "at the lines of a unified diff, all alike": (hunks) => ({
    file: numbered(hunks * linesPerHunk, () => "}"),
    patch: numbered(hunks, (index) => index).flatMap((index) => [
      `@@ -${index * linesPerHunk + 1} +${index * linesPerHunk + 1} @@`,
      " }",
      "+new",
    ]),
  }),
  "in another indentation, in the order of the file turned": (hunks) => ({
    file: inFile(hunks, "  "),
    patch: numbered(hunks, (index) => hunks - 1 - index).flatMap((index) =>
      hunk(index, `@@ function part${index}(a, b) {`, "\t"),
    ),
  }),
  "one hunk in another indentation": (hunks) => ({
    file: numbered(hunks * linesPerHunk, (index) => `  line ${index}`),
    patch: [
      "@@",
      ...numbered(hunks * linesPerHunk, (index) => index).flatMap((index) => [
        ` line ${index}`,
        `+new ${index}`,
      ]),
    ],
  }),
};

if (parentPort) {
  // Code that the optimizer inlines into its caller is not counted.
  setFlagsFromString("--no-opt");
  setFlagsFromString("--no-maglev");
  const count = createStepCounter();
  for (const [kind, write] of Object.entries(kinds)) {
    const steps = sizes.map((size) => {
      const { file, patch } = write(size);
      const [text, written] = [
        `${file.join("\n")}\n`,
        ["*** Begin Patch", "*** Update File: a", ...patch, "*** End Patch"].join("\n"),
      ];
      return count(() => {
        for (const one of parsePatch(written))
          if (one.kind !== "update" || patchedText("a", text, one.hunks) === text)
            throw new Error("it changes nothing");
      });
    });
    parentPort.postMessage({ kind, steps } satisfies PatchSteps);
  }
}
