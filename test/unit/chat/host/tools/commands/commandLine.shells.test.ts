// What is judged is what the shells of this machine do: dash, bash and zsh, as /bin/sh.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import {
  pipelinesOf,
  type SimpleCommand,
} from "../../../../../../src/chat/host/tools/commands/commandLine.ts";
import { randomCases } from "../../../../../runner/cases.ts";

const randomLines = randomCases(20_000);

/** Mostly commands with redirections, here and there a piece that means something else. */
const pieces = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom("a", "b_c", "d 'f g'", 'e  "h"', "git HEAD~1", "a x~2..y") },
    {
      weight: 8,
      arbitrary: fc.constantFrom(
        " > o1",
        ">o2",
        " >> o3",
        " 2>o4",
        " 2>> 'o 5'",
        "1>o6 ",
        "< in1",
        " <'in 2'",
      ),
    },
    { weight: 4, arbitrary: fc.constantFrom(" 2>&1", " >&2", " 1>&2 ", "2>/dev/null", " >/dev/null 2>&1") },
    { weight: 6, arbitrary: fc.constantFrom(" && ", "||", "; ", "|", " | ", "\n", ";\n") },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...[
          "2",
          " 2",
          "12>o7",
          "'2'>o8",
          "3>o9",
          "&>o10",
          ">|o11",
          ">&o12",
          "<<x",
          "<>o13",
          "<1-5>",
          " -",
          "~",
          "~1",
          "=",
          ">",
        ],
        ...[
          "&",
          " #",
          "$x",
          "*",
          "!",
          "{",
          "(",
          "\\",
          "\u00a0",
          "\r",
          "'",
          '"',
          "`",
          ">(",
          "<(",
          "-2>o14",
          "a2>o15",
          "=a",
        ],
      ),
    },
  ),
  { minLength: 1, maxLength: 8 },
);

type Judged = readonly (readonly SimpleCommand[])[];

function judgedLines(): ReadonlyMap<string, Judged> {
  const lines = new Map<string, Judged>();
  fc.assert(
    fc.property(pieces, (some) => {
      const line = some.join("");
      const judged = pipelinesOf(line);
      const isTried = judged?.flat().every(({ words: [name = ""], files }) => {
        // The commands are functions, and the files are in a folder of the line.
        return (
          /^[a-z_]+$/.test(name) && files.every(({ path }) => path === "/dev/null" || /^[\w ~-]+$/.test(path))
        );
      });
      if (judged && isTried) lines.set(line, judged);
    }),
    { numRuns: randomLines },
  );
  return new Map([...lines].slice(0, Math.max(200, randomLines / 20)));
}

const shells = [
  ["/bin/dash"],
  ["/bin/bash", "--norc", "--posix"],
  ["/bin/zsh", "--emulate", "sh"],
  ["/bin/sh"],
].filter(([path = ""]) => existsSync(path));

const inQuotes = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

test("what is judged runs these commands and opens these files, in each shell of this machine", (t) => {
  const lines = judgedLines();
  const opening = [...lines.values()].filter((judged) => judged.flat().some(({ files }) => files.length > 0));
  assert.ok(opening.length > lines.size / 4, `${opening.length} of ${lines.size} lines open files`);
  for (const shell of shells) {
    const folder = mkdtempSync(join(tmpdir(), "command-line-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const ran = runIn(shell, folder, lines);
    for (const [index, [line, judged]] of [...lines].entries())
      assert.deepEqual(ran[index], expectedOf(judged), `${shell[0]}: ${JSON.stringify(line)}`);
  }
  assert.ok(shells.length > 0);
});

interface Effects {
  readonly commands: readonly string[];
  readonly files: readonly string[];
}

const sorted = (texts: readonly string[]) => [...new Set(texts)].sort();

function expectedOf(judged: Judged): Effects {
  const commands = judged.flat();
  const files = commands.flatMap((command) => command.files.map(({ path }) => path));
  return {
    commands: sorted(commands.map(({ words }) => JSON.stringify(words))),
    files: sorted(files.filter((path) => path !== "/dev/null")),
  };
}

/**
 * Runs each line twice in a folder of its own: first all commands succeed, then all fail, so that each of them runs. The words
 * and the names of the files come through a stream that no line can redirect.
 */
function runIn(
  [path = "", ...options]: readonly string[],
  folder: string,
  lines: ReadonlyMap<string, Judged>,
): Effects[] {
  const names = new Set(
    [...lines.values()].flatMap((judged) => judged.flat().map(({ words: [name = ""] }) => name)),
  );
  const script = [
    `record() { printf '%s\\0' "$#" "$@" >&9; return "$code"; }`,
    ...[...names].map((name) => `${name}() { record ${name} "$@"; }`),
    ...[...lines].flatMap(([line, judged], index) => {
      mkdirSync(join(folder, String(index)));
      const inputs = judged.flat().flatMap(({ files }) => files.filter(({ operator }) => operator === "<"));
      return [
        `cd ${inQuotes(join(folder, String(index)))}`,
        ...inputs.map((input) => `: >> ${inQuotes(input.path)}`),
        ...["code=0", `eval ${inQuotes(line)}`, "code=1", `eval ${inQuotes(line)}`],
        `printf '%s\\0' files >&9`,
        `for file in *; do printf '%s\\0' "$file" >&9; done`,
        `printf '%s\\0' end >&9`,
      ];
    }),
  ].join("\n");
  const printed = execFileSync(path, [...options, "-s"], {
    input: `exec 9>&1 >/dev/null 2>&1\n${script}\n`,
    cwd: folder,
    env: { PATH: "/nowhere" },
    maxBuffer: 100_000_000,
  });
  const rest = printed.toString().split("\0");
  let at = 0;
  return [...lines].map(() => {
    const commands: string[] = [];
    for (let count = rest[at++]; count !== undefined && count !== "files"; count = rest[at++]) {
      commands.push(JSON.stringify(rest.slice(at, at + Number(count))));
      at += Number(count);
    }
    const files: string[] = [];
    for (let file = rest[at++]; file !== undefined && file !== "end"; file = rest[at++]) files.push(file);
    return { commands: sorted(commands), files: sorted(files.filter((file) => file !== "*")) };
  });
}
