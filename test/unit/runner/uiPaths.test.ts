import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { uiPaths } from "../../runner/uiPaths.ts";
import { root } from "../../tools/paths.ts";

for (const [file, titles] of Object.entries(uiPaths))
  test(`the path of ${file} is of tests that are there, each once`, () => {
    // A suite may be in a file of its own beside it.
    const sources = globSync(`${dirname(file)}/**/*.ts`, { cwd: root }).map((path) =>
      readFileSync(join(root, path), "utf8"),
    );
    const counts = titles.map((title) => sources.join("\n").split(`it("${title}"`).length - 1);
    assert.deepEqual(
      counts,
      titles.map(() => 1),
    );
  });

test("each domain with UI tests has a path", () => {
  const domains = (files: readonly string[]) => [...new Set(files.map((file) => dirname(file)))].sort();
  assert.deepEqual(domains(Object.keys(uiPaths)), domains(globSync("test/ui/**/*.test.ts", { cwd: root })));
});
