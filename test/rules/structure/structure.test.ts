// Rules about cycles, names, function length and terms in the sources.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { test } from "node:test";
import { root } from "../../tools/paths.ts";
import { textOf, trackedFiles } from "../tracked.ts";
import { sourceFiles } from "./sources.ts";
import { importCycles, readStructure } from "./structure.ts";

const structure = readStructure();

test("no files form an import cycle, types included", () => {
  assert.deepEqual(structure.cycles, []);
});

test("finds a cycle of any length once", () => {
  const edge = (text: string) => {
    const [from = "", to = ""] = text.split(">");
    return { from, to };
  };
  assert.deepEqual(importCycles(["a", "b", "c", "d"], ["a>b", "b>c", "c>a", "c>d", "d>d"].map(edge)), [
    ["a", "b", "c"],
  ]);
});

test("no function has more than 80 lines", () => {
  assert.deepEqual(
    structure.long.map(({ file, name, lines }) => `${file}: ${name} has ${lines} lines`),
    [],
  );
});

/** Files of more than 500 lines, each with the reason why it is better whole. */
const longFiles: Readonly<Record<string, string>> = {};

test("a file of the sources or the tests that has more than 500 lines is listed with its reason", () => {
  const files = trackedFiles().filter((path) => /^(src|test)\/.*\.tsx?$/.test(path));
  assert.deepEqual(
    files.filter((path) => (textOf(path) ?? "").split("\n").length - 1 > 500),
    Object.keys(longFiles).sort(),
  );
});

/** Folders of more than 15 code files, with their number: the list only shrinks. */
const largeFolders: Readonly<Record<string, number>> = {};

test("a folder of the sources or the tests has at most 15 code files", () => {
  const counts = new Map<string, number>();
  for (const path of trackedFiles().filter((file) => /^(src|test)\/.*\.[cm]?[jt]sx?$/.test(file)))
    counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
  const large = [...counts].filter(([, count]) => count > 15);
  assert.deepEqual(Object.fromEntries(large), largeFolders);
});

/** Coinages of this project with the standard terms to use. */
const coinages: Readonly<Record<string, string>> = {
  desk: "controller",
  purse: "month ledger",
  workshop: "worker pool",
  forsaken: "orphaned",
  standin: "simulated",
  handiwork: "rule-based edits",
};

test("names and comments use standard terms", () => {
  const found = sourceFiles().flatMap((file) => {
    const words = readFileSync(join(root, file), "utf8")
      .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .match(/[a-z]+/g);
    return [...new Set(words)]
      .filter((word) => Object.hasOwn(coinages, word))
      .map((word) => `${file}: ${word}`);
  });
  assert.deepEqual(found, []);
});

test("no register file keeps a load of its own: Lazy tries one that failed again", () => {
  const registers = sourceFiles().filter((file) => file.endsWith("/register.ts"));
  assert.ok(registers.length >= 13);
  assert.deepEqual(
    registers.filter((file) => /\blet\b|\?\?=/.test(textOf(file) ?? "")),
    [],
  );
});
