import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { simpleCommands } from "../../../../../../src/chat/host/tools/commands/commandLine.ts";
import { randomCases } from "../../../../../runner/cases.ts";
import { hostileLines } from "./hostileLines.ts";
import { commandScopes, isAllowedCommand } from "./judged.ts";

test("plain commands are split into words as a shell does", () => {
  assert.deepEqual(simpleCommands("npm test"), [["npm", "test"]]);
  assert.deepEqual(simpleCommands(`git commit -m 'a b' --author="C D"`), [
    ["git", "commit", "-m", "a b", "--author=C D"],
  ]);
  assert.deepEqual(simpleCommands("npm ci && npm test | tail -5; ls"), [
    ["npm", "ci"],
    ["npm", "test"],
    ["tail", "-5"],
    ["ls"],
  ]);
  assert.deepEqual(simpleCommands('grep "a\\|b\\.c\\"d\\$" x'), [["grep", 'a\\|b\\.c"d$', "x"]]);
  assert.deepEqual(simpleCommands("find . \\( -name a \\)"), [["find", ".", "(", "-name", "a", ")"]]);
  assert.deepEqual(commandScopes('echo "a b" '), ["echo 'a b'"]);
  assert.notDeepEqual(commandScopes(`rm "a ' ' b"`), commandScopes("rm 'a ' ' b'"));
});

test("a line that can't be judged with certainty has no scope, and no pattern allows it", () => {
  for (const line of hostileLines) {
    assert.equal(simpleCommands(line), undefined, JSON.stringify(line));
    assert.deepEqual(commandScopes(line), [], line);
    for (const pattern of [line, "npm test", "echo *", "ls *", "cat *", "*"])
      assert.equal(isAllowedCommand(line, [pattern]), false, JSON.stringify([line, pattern]));
  }
  assert.ok(hostileLines.length >= 60);
});

test("patterns are exact words; only ` *` at the end allows more; each command of a line needs one", () => {
  const patterns = ["npm test", "git diff *", "ls"];
  for (const line of ["npm test", "npm  test", "'npm' test", "git diff", "git diff a/b", "ls && npm test"])
    assert.ok(isAllowedCommand(line, patterns), line);
  for (const line of [
    "npm test x",
    "npm",
    "npm tes",
    "NPM test",
    "ls -l",
    "ls; rm x",
    "rm x && ls",
    "npm test | sh",
    "git push",
    "git diff --stat",
    "git diff -O",
    "git diff --outpu=x",
    "cd x && npm test",
    "git diff --output=x",
    "git diff --output x",
    "git 'diff --stat'",
  ])
    assert.ok(!isAllowedCommand(line, patterns), line);
  const open = ["make test *", "vim *", "tar xf *", "javac *"];
  for (const line of ["make test unit", "vim a.txt", "tar xf a.tar dir/b"])
    assert.ok(isAllowedCommand(line, open), line);
  for (const line of [
    "make test SHELL=./x",
    "make test 'SHELL=./x y'",
    "make test a:=b",
    "vim '+!id'",
    "vim +q a.txt",
    "tar xf a.tar --to-command=./x",
    "javac @options",
    "javac '@options'",
  ])
    assert.ok(!isAllowedCommand(line, open), line);
  assert.ok(isAllowedCommand("make SHELL=x", ["make SHELL=x"]));
  assert.ok(!isAllowedCommand("find . -exec rm x", ["find *"]));
  assert.ok(!isAllowedCommand("find . -delete", ["find *"]));
  assert.ok(!isAllowedCommand("rm x", ["*", "", "rm * x", "r*"]));
});

/** Pieces of random lines. Some characters look like blanks, and some have bytes with a meaning inside of a shell. */
const piece = fc.constantFrom(
  ..."a|b_c|d-e|'f g'|\"h i\"|'a'|\"b_c\"|''|&&|$x|`id`|'\u0101\u0188'".split("|"),
  "||",
  ..." \t\n;|'\"\\*?~#><&(){}[]=!%@^,é\r\v\f\u0085\u00a0\ufeff\u2003\u2028",
);

/** With characters that a backslash makes ordinary, or does not. */
const escaped = fc.constantFrom(
  ...['"a\\|b"', '"\\$x \\"y\\""', '"\\\\"', '"\\`id\\`"', '"\\n\\."', '"a\\', "\\( ", " \\)", "\\"],
);

const blank = fc.constantFrom("", "", "", " ", "\t", "\n", "\r", "\u00a0", "\ufeff", "\u2028");
/** Commands with a random piece here and there. */
const nearCommands = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom("a", "b_c", "a 'f g'", "b_c  d-e", '"a"\t""') },
    { weight: 6, arbitrary: fc.constantFrom(" && ", "||", "; ", "|", "\n", ";\n") },
    { weight: 1, arbitrary: fc.oneof(piece, escaped) },
  ),
  { maxLength: 7 },
);

const randomLines = randomCases(20_000);

/** The first judged lines of many random ones. */
function judgedLines(isTested: (commands: readonly (readonly string[])[]) => boolean): string[] {
  const lines = new Set<string>();
  const pieces = fc.oneof(fc.array(piece, { maxLength: 9 }), nearCommands);
  fc.assert(
    fc.property(blank, pieces, blank, (before, middle, after) => {
      const line = `${before}${middle.join("")}${after}`;
      const commands = simpleCommands(line);
      if (commands && isTested(commands)) lines.add(line);
    }),
    { numRuns: randomLines },
  );
  return [...lines].slice(0, 1000);
}

const inQuotes = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

test("what is judged runs exactly these words: compared with bash for random lines of one command", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "command-line-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const lines = judgedLines((commands) => commands.length === 1);
  assert.ok(lines.length > randomLines / 40, `${lines.length} lines are judged`);
  // One bash for all lines: each command prints its words.
  const script = `command_not_found_handle() { printf '%s\\0' "$@"; printf '\\1'; }\n${lines
    .map((line) => `eval ${inQuotes(line)}\n`)
    .join("")}`;
  const printed = execFileSync("/bin/bash", ["--norc", "-s"], {
    input: script,
    cwd: folder,
    env: { PATH: "/nowhere" },
  });
  const ran = printed
    .toString()
    .split("\u0001")
    .slice(0, -1)
    .map((one) => one.split("\0").slice(0, -1));
  for (const [index, line] of lines.entries())
    assert.deepEqual(ran[index], simpleCommands(line)?.[0], JSON.stringify(line));
  assert.equal(ran.length, lines.length);
});

test("what is judged runs exactly these commands: compared with /bin/sh for random lines", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "command-line-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  // The commands are functions, so their names must be those of functions.
  const lines = judgedLines((commands) => commands.every(([name = ""]) => /^[a-z_]+$/.test(name)));
  const judged = lines.map((line) => simpleCommands(line) ?? []);
  const compound = judged.filter(({ length }) => length > 1).length;
  assert.ok(
    compound > randomLines / 100,
    `${compound} of ${lines.length} judged lines have several commands`,
  );
  const names = new Set(judged.flatMap((commands) => commands.map(([name = ""]) => name)));
  // The words are written at once, with their number: the commands of a pipeline run together. Each line runs twice,
  // first all commands succeed and then all fail, so each command runs.
  const script = [
    `record() { printf '%s\\0' "$#" "$@" >&9; return "$code"; }`,
    ...[...names].map((name) => `${name}() { record ${name} "$@"; }`),
    ...lines.flatMap((line) => [
      "code=0",
      `eval ${inQuotes(line)}`,
      "code=1",
      `eval ${inQuotes(line)}`,
      "printf '%s\\0' end >&9",
    ]),
  ].join("\n");
  const printed = execFileSync("/bin/sh", ["-s"], {
    input: `exec 9>&1\n${script}\n`,
    cwd: folder,
    env: { PATH: "/nowhere" },
  });
  const rest = printed.toString().split("\0");
  const sorted = (commands: readonly (readonly string[])[]) =>
    [...new Set(commands.map((words) => JSON.stringify(words)))].sort();
  for (const [index, line] of lines.entries()) {
    const ran: string[][] = [];
    for (let count = rest.shift(); count !== undefined && count !== "end"; count = rest.shift())
      ran.push(rest.splice(0, Number(count)));
    assert.deepEqual(sorted(ran), sorted(judged[index] ?? []), JSON.stringify(line));
  }
  assert.deepEqual(rest, [""]);
});

test("the time grows with the length of a line", () => {
  assert.equal(simpleCommands("a ".repeat(200_000))?.[0]?.length, 200_000);
  assert.equal(simpleCommands(`${"a;".repeat(100_000)}$x`), undefined);
});
