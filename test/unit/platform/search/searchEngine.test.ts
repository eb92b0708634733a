// ripgrep, git and the search without ripgrep find the same in random trees.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { rgPath } from "@vscode/ripgrep";
import fc from "fast-check";
import { createRipgrep } from "../../../../src/platform/search/ripgrep/ripgrep.ts";
import {
  type Found,
  type LinePattern,
  patternOfText,
  type SearchScope,
} from "../../../../src/platform/search/searchEngine.ts";
import { createWalkSearch } from "../../../../src/platform/search/walkSearch.ts";
import "../../../runner/seed.ts";
import { randomCases } from "../../../runner/cases.ts";
import { gitEnvironment, pattern, scopeOf, treeOf, writeTree } from "./randomTrees.ts";

const ripgrep = createRipgrep(rgPath);
const walk = createWalkSearch({ files: 10_000, folders: 10_000 });
const { signal } = new AbortController();

async function listed(engine: typeof walk, scope: SearchScope): Promise<string[]> {
  const { paths, isComplete } = await engine.list(scope, 10_000, signal);
  assert.ok(isComplete);
  return [...paths].sort();
}

function sorted({ files, ...rest }: Found) {
  return { ...rest, files: [...files].sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

test("git ignores the same files in random trees", async () => {
  await fc.assert(
    fc.asyncProperty(treeOf(".gitignore"), async (tree) => {
      const root = writeTree(tree, { isRepository: true });
      const ofGit = execFileSync("git", ["ls-files", "-z", "--others", "--exclude-standard"], {
        cwd: root,
        env: gitEnvironment,
        encoding: "utf8",
      });
      const expected = ofGit.split("\0").filter((path) => path !== "" && path !== "up" && path !== "link.ts");
      assert.deepEqual(await listed(walk, await scopeOf(root)), expected.sort());
    }),
    { numRuns: randomCases(60) },
  );
});

test("ripgrep and the walk list the same files, whatever is excluded, included, and a repository", async () => {
  const excludes = fc.dictionary(
    fc.oneof(
      pattern.map((text) => text.replace(/^!|\s+$/g, "")),
      fc.constantFrom("**/*.{js,ts}", "**/dist", "{a,b}/*.ts", "**/[", "a/{"),
      fc.constantFrom(
        "**/b.{ts,}",
        "dist{,x}",
        "a/{**,c}",
        "**/{*.js,c*}",
        "dist ",
        "**a/*",
        "b/***",
        "**/.H",
      ),
    ),
    fc.constantFrom(true, true, false, { when: "$(basename).ts" }),
    { maxKeys: 2 },
  );
  const include = fc.oneof(
    fc.constant(""),
    fc.constantFrom(
      "*.ts",
      "**/*.{ts,js}",
      "a/**/*.ts",
      "dist",
      "a/b",
      "./a/*.ts",
      "**/b.*",
      "{a,b}/*.ts",
      "*.{ts,}",
      "b*/",
    ),
  );
  const repository = fc.constantFrom("none", "root", "above", "inside");
  await fc.assert(
    fc.asyncProperty(
      treeOf(".gitignore", ".ignore", ".rgignore"),
      excludes,
      include,
      repository,
      fc.boolean(),
      async (tree, exclude, include, repository, isFolder) => {
        const root = writeTree(tree, { isRepository: repository === "root" });
        if (repository === "root") writeFileSync(join(root, ".git", "info", "exclude"), "b.*\n!dist");
        if (repository === "above") {
          mkdirSync(join(root, "../../.git"));
          writeFileSync(join(root, "../../.gitignore"), "/work/space/a\nc.txt\nwork/");
          writeFileSync(join(root, "../.gitignore"), "!c.txt\nspace/b/*.ts");
        }
        if (repository === "inside" && existsSync(join(root, "a")) && statSync(join(root, "a")).isDirectory())
          mkdirSync(join(root, "a", ".git"));
        const folder = isFolder ? dirname([...tree.keys()][0] ?? "").replace(/^\.$/, "") : "";
        const scope = await scopeOf(root, { exclude, include, folder });
        assert.deepEqual(await listed(ripgrep, scope), await listed(walk, scope));
      },
    ),
    { numRuns: randomCases(100) },
  );
});

const sources = fc.constantFrom(
  ...[
    "foo",
    "FOO",
    "\\bfoo\\b",
    "fo+ bar",
    "^foo$",
    "^\\s+foo",
    "(?i)straSSE",
    "\\w+_\\d",
    "foo\\.bar\\(\\)",
    "[[:alpha:]]+ =",
    "",
    "x*",
    ".",
  ],
  ...[
    "ét[eé]",
    "foo(?= bar)",
    "(?P<name>foo).*bar",
    "bar foo\\n",
    "foo\nbar",
    "foo$\\n^\\s",
    "=\\W",
    "[^\\W\\d]oo",
    "\\Bo",
    "[-\\w]+;",
  ],
  patternOfText("if (foo.bar()) {"),
  patternOfText("foo\nbar foo"),
);

test("ripgrep and the walk find the same lines in the files and in a text", async () => {
  const patterns: fc.Arbitrary<LinePattern> = fc.record({ source: sources, isCaseSensitive: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(treeOf(".gitignore"), patterns, async (tree, pattern) => {
      const scope = await scopeOf(writeTree(tree));
      const [one, other] = await Promise.all(
        [ripgrep, walk].map((engine) => engine.search(scope, pattern, signal)),
      );
      assert.deepEqual(one && sorted(one), other && sorted(other));
      const text = [...tree.values()].find((value) => typeof value === "string" && !value.includes("\0"));
      if (typeof text !== "string" || text.startsWith("\uFEFF")) return;
      assert.deepEqual(
        await ripgrep.searchText(text, pattern, signal),
        await walk.searchText(text, pattern, signal),
      );
    }),
    { numRuns: randomCases(40) },
  );
});
