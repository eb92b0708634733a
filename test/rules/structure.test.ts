// Rules about cycles, names, function length and terms in the sources.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../vscode/paths.ts";
import { sourceFiles } from "./sources.ts";
import { importCycles, readStructure, writtenPaths } from "./structure.ts";
import { textOf, trackedFiles } from "./tracked.ts";

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

test("an exported name is declared in one file", () => {
  assert.deepEqual([...structure.doubled], []);
});

test("no function has more than 80 lines", () => {
  assert.deepEqual(
    structure.long.map(({ file, name, lines }) => `${file}: ${name} has ${lines} lines`),
    [],
  );
});

test("the two paths in CONTRIBUTING name existing files, each once", () => {
  const paths = [...writtenPaths().values()];
  assert.equal(paths.length, 2);
  for (const path of paths) {
    assert.ok(path.length > 10);
    assert.equal(new Set(path).size, path.length);
    assert.deepEqual(
      path.filter((file) => !structure.files.includes(file)),
      [],
    );
  }
});

/** Longer files, which wait to be split. */
const longFiles = [
  "src/shared/simpleCode/expression.ts",
  "src/shared/simpleCode/functions.ts",
  "src/webview/markdown/code.ts",
];

test("no file of the sources or the tests has more than 300 lines", () => {
  const files = trackedFiles().filter((path) => /^(src|test)\/.*\.tsx?$/.test(path));
  const long = files.filter((path) => (textOf(path) ?? "").split("\n").length - 1 > 300);
  assert.deepEqual(long, longFiles);
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
