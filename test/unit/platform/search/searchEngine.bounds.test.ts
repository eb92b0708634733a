// Both searches end, whatever a pattern, a name or a file is, and run nothing but ripgrep.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { rgPath } from "@vscode/ripgrep";
import { createDiskSearch } from "../../../../src/platform/search/diskSearch.ts";
import { createRipgrep } from "../../../../src/platform/search/ripgrep/ripgrep.ts";
import { findRipgrep, ripgrepPlaces } from "../../../../src/platform/search/ripgrep/ripgrepPath.ts";
import { compileBraceGlob, compileGlob, expandBraces } from "../../../../src/platform/search/rules/glob.ts";
import { searchLimits } from "../../../../src/platform/search/searchEngine.ts";
import { createWalkSearch } from "../../../../src/platform/search/walkSearch.ts";
import { scopeOf, writeTree } from "./randomTrees.ts";

const ripgrep = createRipgrep(rgPath);
const walk = createWalkSearch({ files: 1_000, folders: 100 });
const engines = { ripgrep, walk };
const { signal } = new AbortController();
const pattern = (source: string) => ({ source, isCaseSensitive: true });

test("a pattern of files takes time in proportion to the pattern and the path", () => {
  const hostile = [
    `${"*a".repeat(60)}b`,
    `${"**/".repeat(60)}b`,
    `${"*?".repeat(60)}b`,
    `${"[a*]*".repeat(60)}b`,
  ];
  for (const glob of hostile)
    assert.equal(compileGlob(glob)?.(`${"a".repeat(2_000)}/${"a/".repeat(500)}c`), false);
  assert.equal(expandBraces("{a,b}".repeat(40)), undefined);
  assert.deepEqual([...(expandBraces("x{a,{b,c}d}") ?? [])].sort(), ["xa", "xbd", "xcd"]);
  assert.equal(compileBraceGlob("{a"), undefined);
});

for (const [name, engine] of Object.entries(engines)) {
  test(`${name}: a search that is stopped ends, also within a regular expression without an end`, async () => {
    const scope = await scopeOf(writeTree(new Map([["a.txt", `${"a".repeat(200)}!`]])));
    const stopped = new AbortController();
    // A look-behind takes ripgrep's other engine.
    const search = engine.search(scope, pattern("(?<=x)y|^(a+)+$|(?=b)c"), stopped.signal);
    setImmediate(() => stopped.abort());
    await assert.rejects(search, { name: "AbortError" });
    await assert.rejects(engine.search(scope, pattern("a"), AbortSignal.abort()), { name: "AbortError" });
    await assert.rejects(engine.list(scope, 10, AbortSignal.abort()), { name: "AbortError" });
  });

  test(`${name}: a list has files of any size`, async () => {
    const root = writeTree(new Map([["large.bin", ""]]));
    truncateSync(join(root, "large.bin"), searchLimits.fileBytes + 1);
    assert.deepEqual((await engine.list(await scopeOf(root), 10, signal)).paths, ["large.bin"]);
  });

  test(`${name}: patterns and names are no options and no commands`, async () => {
    const root = writeTree(
      new Map([
        ["--pre=touch x.txt", "--version"],
        ["$(touch y)/-e", "; touch z\n--version"],
      ]),
    );
    const scope = await scopeOf(root);
    const found = await engine.search(scope, pattern("--version"), signal);
    assert.deepEqual(found.files.map(({ path }) => path).sort(), ["$(touch y)/-e", "--pre=touch x.txt"]);
    const named = await scopeOf(root, { folder: "$(touch y)" });
    assert.equal((await engine.search(named, pattern("; touch z"), signal)).files.length, 1);
    assert.deepEqual(readdirSync(root).sort(), ["$(touch y)", "--pre=touch x.txt", "link.ts", "up"]);
    assert.equal(existsSync(join(root, "x.txt")), false);
  });

  test(`${name}: the number of kept lines has a limit, of a file and in all, and large files are left out`, async () => {
    const text = "x\n".repeat(2 * searchLimits.linesOfFile);
    const files = Array.from({ length: 150 }, (_, index) => [`${index}.txt`, text] as const);
    const scope = await scopeOf(
      writeTree(new Map<string, string>([...files, ["large.txt", `x${"y".repeat(searchLimits.fileBytes)}`]])),
    );
    const found = await engine.search(scope, pattern("x"), signal);
    const count = found.files.reduce((sum, { lines }) => sum + lines.length, 0);
    assert.equal(found.end, "lines");
    assert.ok(
      count >= searchLimits.lines && count <= searchLimits.lines + 16 * searchLimits.linesOfFile,
      `${count}`,
    );
    assert.ok(
      found.files.every(
        ({ lines, path }) => lines.length === searchLimits.linesOfFile && path !== "large.txt",
      ),
    );
    const listed = await engine.list(scope, 20, signal);
    assert.deepEqual([listed.paths.length, listed.isComplete], [20, false]);
  });
}

test("a walk ends at its number of files and folders, and says so", async () => {
  const tree = new Map(Array.from({ length: 8 }, (_, index) => [`${index}/a.txt`, "x"]));
  const scope = await scopeOf(writeTree(tree));
  const few = await createWalkSearch({ files: 3, folders: 100 }).search(scope, pattern("x"), signal);
  assert.deepEqual([few.files.length, few.end], [3, "files"]);
  const flat = await createWalkSearch({ files: 100, folders: 5 }).search(scope, pattern("x"), signal);
  assert.deepEqual([flat.files.length, flat.end], [4, "files"]);
});

test("without a ripgrep that runs, files are searched all the same", async () => {
  const root = writeTree(new Map([["a.txt", "x"]]));
  const broken = join(root, "..", "rg");
  writeFileSync(broken, "#!/bin/sh\nexit 2\n", { mode: 0o755 });
  const scope = await scopeOf(root);
  for (const program of [undefined, broken, join(root, "missing")]) {
    const engine = createDiskSearch(async () => program);
    assert.deepEqual(
      (await engine.search(scope, pattern("x"), signal)).files.map(({ path }) => path),
      ["a.txt"],
    );
    assert.deepEqual((await engine.list(scope, 10, signal)).paths, ["a.txt"]);
  }
});

test("the editor's ripgrep is found where VS Code has had it since 1.106", async () => {
  const places = ripgrepPlaces("/app", "win32", "arm64").map((path) => path.replaceAll("\\", "/"));
  for (const path of [
    "/app/node_modules/@vscode/ripgrep-universal/bin/win32-arm64/rg.exe",
    "/app/node_modules/@vscode/ripgrep/bin/rg.exe",
    "/app/node_modules.asar.unpacked/@vscode/ripgrep/bin/rg.exe",
  ])
    assert.ok(places.includes(path), path);
  const root = writeTree(new Map());
  assert.equal(await findRipgrep(root), undefined);
  const own = ripgrepPlaces(root)[0] ?? "";
  mkdirSync(join(own, ".."), { recursive: true });
  writeFileSync(own, "", { mode: 0o755 });
  assert.equal(await findRipgrep(root), own);
});
