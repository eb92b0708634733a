// The README of a domain names files that exist, and each of its invariants a test that exists.
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { root } from "../tools/paths.ts";

const pages = globSync("src/*/README.md", { cwd: root });
/** Rooms of a domain that are large enough for one of their own. */
const rooms = ["src/chat/host/tools/README.md", "src/tools/mcp/README.md"];
const read = (path: string) => readFileSync(join(root, path), "utf8");

test("the large domains have one", () => {
  const domains = pages.map((page) => dirname(page).slice("src/".length));
  assert.deepEqual(domains.sort(), [
    "account",
    "agents",
    "api",
    "changes",
    "chat",
    "gateway",
    "images",
    "requests",
    "rpc",
    "sandbox",
    "session",
    "speech",
    "web",
  ]);
});

for (const page of [...pages, ...rooms]) {
  describe(page, () => {
    const text = read(page);
    const bases = ["", "src", dirname(page), "test"];

    test("has at most 80 lines of 110 characters", () => {
      const lines = text.split("\n");
      assert.ok(lines.length <= 81, `${lines.length} lines`);
      assert.deepEqual(
        lines.filter((line) => line.length > 110),
        [],
      );
    });

    test("names existing files", () => {
      const paths = [...text.matchAll(/`([\w./-]+\/[\w.-]+\.tsx?)`/g)].map(([, path = ""]) => path);
      assert.ok(paths.length > 10);
      assert.deepEqual(
        paths.filter((path) => !bases.some((base) => existsSync(join(root, base, path)))),
        [],
      );
    });

    test("each invariant names a test by its file and name", () => {
      const section = /## Invariants\n([\s\S]*?)\n## /.exec(text)?.[1] ?? "";
      const invariants = section.split(/^\d+\. /m).slice(1);
      assert.ok(invariants.length >= 6);
      for (const invariant of invariants) {
        const tests = invariant.split(/`(?=(?:unit|contract|host|ui|rules)\/)/).slice(1);
        assert.ok(
          tests.some((named) => named.includes('"')),
          `no name of a test: ${invariant}`,
        );
        for (const named of tests) {
          const path = named.slice(0, named.indexOf("`"));
          const names = [...named.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name.replace(/\s+/g, " "));
          const source = read(join("test", path));
          // `…` stands for a part that the test makes.
          for (const part of names.flatMap((name) => name.split("…")))
            assert.ok(source.includes(part.trim()), `${path} has no test "${part}"`);
        }
      }
    });
  });
}
