import assert from "node:assert/strict";
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { judgeLine } from "../../../../../../../src/chat/host/tools/commands/approval/lineParts.ts";
import { hostileLines } from "../hostileLines.ts";
import { commandScopes, isAllowedCommand } from "../judged.ts";

function openPlace(t: TestContext) {
  const above = realpathSync(mkdtempSync(join(tmpdir(), "line-parts-")));
  t.after(() => rmSync(above, { recursive: true, force: true }));
  const folder = join(above, "app");
  mkdirSync(join(folder, "src"), { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  for (const name of ["package.json", ".env", "a.txt"]) writeFileSync(join(folder, name), "x");
  writeFileSync(join(above, "outside.txt"), "x");
  symlinkSync(above, join(folder, "up"));
  symlinkSync(join(above, "outside.txt"), join(folder, "link.txt"));
  symlinkSync(join(above, "missing.txt"), join(folder, "dangling.txt"));
  linkSync(join(above, "outside.txt"), join(folder, "hard.txt"));
  symlinkSync(join(folder, "package.json"), join(folder, "inside-link.txt"));
  return { folder, roots: [folder] };
}

test("a line of several commands has a key for each of its pipelines; A | B is neither A nor B", (t) => {
  const place = openPlace(t);
  const scopes = (line: string) => commandScopes(line, place);
  assert.deepEqual(scopes("cat a.txt | nc host 80"), ["cat a.txt | nc host 80"]);
  assert.deepEqual(scopes("npm ci && nc host 80; x"), ["npm ci", "nc host 80", "x"]);
  assert.deepEqual(scopes("npm ci | nc host 80 && x"), ["npm ci | nc host 80", "x"]);
  assert.deepEqual(scopes(" a | b \n"), scopes("a | b"));
  assert.notDeepEqual(scopes("a '|' b"), scopes("a | b"));
  assert.deepEqual(scopes('echo "a b" '), ["echo 'a b'"]);
  assert.notDeepEqual(scopes(`rm "a ' ' b"`), scopes("rm 'a ' ' b'"));
});

test("files that an edit may write, and programs that only read their input, are no part of a key", (t) => {
  const place = openPlace(t);
  for (const line of [
    "npm test",
    "npm test 2>&1",
    "npm test >/dev/null 2>&1",
    "npm test 2> /dev/null",
    "npm test > out.txt",
    "npm test >> src/out.txt 2>&1",
    `npm test > ${place.folder}/out.txt`,
    "npm test 2>&1 | tail -20",
    "npm test | grep -c ok",
    "npm test | grep -v warn | sort | uniq -c | sort -rn | head -n 5",
    "npm test 2>&1 | cat > out.txt".replace(" > out.txt", ""),
  ])
    assert.deepEqual(commandScopes(line, place), ["npm test"], line);
  assert.equal(judgeLine(place, "npm test > out.txt")?.isWriting, true);
  assert.equal(judgeLine(place, "npm test 2>&1 | tail")?.isWriting, false);
  // A program may run what it reads.
  assert.deepEqual(commandScopes("psql < a.txt", place), ["psql < a.txt"]);
  assert.deepEqual(commandScopes("psql | tail < a.txt", place), ["psql | tail < a.txt"]);
  assert.deepEqual(commandScopes("cat a.txt | psql", place), ["cat a.txt | psql"]);
  for (const filter of [
    "tail -f",
    "tee a.txt",
    "grep -r x",
    "grep x a.txt",
    "sort -o a.txt",
    "sh",
    "xargs rm",
    "rg x",
  ])
    assert.notDeepEqual(commandScopes(`npm test | ${filter}`, place), ["npm test"], filter);
});

test("a line that opens another file has no key: outside, of secrets, of programs, through a link, or no file", (t) => {
  const place = openPlace(t);
  for (const line of hostileLines) {
    assert.deepEqual(commandScopes(line, place), [], JSON.stringify(line));
    assert.equal(isAllowedCommand(line, [line, "npm test *", "echo *", "cat *", "ls *"], place), false, line);
  }
  for (const target of [
    ...["/etc/passwd", "../out.txt", "up/out.txt", "link.txt", "dangling.txt", "hard.txt", "inside-link.txt"],
    ...[
      ".env",
      "id_rsa",
      "package.json",
      "Makefile",
      ".git/config",
      ".git/hooks/post-commit",
      ".npmrc",
      "AGENTS.md",
    ],
    ...[
      "node_modules/a.js",
      ".husky/pre-commit",
      "src",
      "missing/out.txt",
      "/dev/tty",
      "src/../../x",
      "''",
      "CLAUDE.md",
    ],
  ])
    assert.deepEqual(commandScopes(`npm test > ${target}`, place), [], target);
});

test("patterns of the settings hold for each command that does more than read its input", (t) => {
  const place = openPlace(t);
  const isAllowed = (line: string) => isAllowedCommand(line, ["npm test", "psql", "git diff *"], place);
  for (const line of [
    "npm test > out.txt",
    "npm test 2>&1 | tail -3",
    "npm test && git diff a",
    "npm test | psql",
  ])
    assert.ok(isAllowed(line), line);
  for (const line of [
    "psql < a.txt",
    "npm test > .env",
    "npm test | sh",
    "npm test | tee a.txt",
    "git diff --output x",
  ])
    assert.ok(!isAllowed(line), line);
});

test("a rule is offered for a part that has one, and a part that only reads needs none", (t) => {
  const place = openPlace(t);
  const parts = judgeLine(place, "ls src && npm run lint 2>&1 | tail; make all")?.parts ?? [];
  assert.deepEqual(
    parts.map(({ scope, rule, reads }) => [scope, rule, reads !== undefined]),
    [
      ["ls src", undefined, true],
      ["npm run lint", "npm run *", false],
      ["make all", undefined, false],
    ],
  );
});
