// Reverts a model's changes of indentation: the document still parses and has the intended content.

import assert from "node:assert/strict";
import { stripTypeScriptTypes } from "node:module";
import { test } from "node:test";
import * as fc from "fast-check";
import { cleanAnswer } from "../../../../src/editor/edit/text/cleanAnswer.ts";
import { chooseTarget } from "../../../../src/editor/target/chooseTarget.ts";
import type { LineSpan } from "../../../../src/shared/lineSpan.ts";
import { randomCases } from "../../../runner/cases.ts";

type Statement =
  | { readonly kind: "simple"; readonly name: string }
  | { readonly kind: "call"; readonly name: string }
  | { readonly kind: "if"; readonly name: string; readonly body: readonly Statement[] }
  | { readonly kind: "function"; readonly name: string; readonly body: readonly Statement[] }
  | {
      readonly kind: "else";
      readonly name: string;
      readonly body: readonly Statement[];
      readonly other: readonly Statement[];
    };

const name = fc.constantFrom("a", "b", "c");
const { statements } = fc.letrec<{ statement: Statement; statements: Statement[] }>((tie) => ({
  statement: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ kind: fc.constantFrom("simple", "call"), name }) as fc.Arbitrary<Statement>,
    fc.record({
      kind: fc.constantFrom("if", "function"),
      name,
      body: tie("statements"),
    }) as fc.Arbitrary<Statement>,
    fc.record({
      kind: fc.constant("else"),
      name,
      body: tie("statements"),
      other: tie("statements"),
    }) as fc.Arbitrary<Statement>,
  ),
  statements: fc.array(tie("statement"), { minLength: 1, maxLength: 3 }),
}));

interface Language {
  readonly write: (statements: readonly Statement[], unit: string, depth?: number) => string[];
  /** Throws if the text has a syntax error. */
  readonly parse: (text: string) => void;
  readonly comment: string;
}

const python: Language = {
  comment: "# note",
  write: (all, unit, depth = 0) =>
    all.flatMap((one) => {
      const pad = unit.repeat(depth);
      const inside = (body: readonly Statement[]) => python.write(body, unit, depth + 1);
      if (one.kind === "simple") return [`${pad}${one.name} = 1`];
      if (one.kind === "call") return [`${pad}${one.name}(`, `${pad}${unit}1,`, `${pad})`];
      if (one.kind === "function") return [`${pad}def ${one.name}(x):`, ...inside(one.body)];
      const then = [`${pad}if ${one.name}:`, ...inside(one.body)];
      return one.kind === "if" ? then : [...then, `${pad}else:`, ...inside(one.other)];
    }),
  parse: parseIndentation,
};

const typescript: Language = {
  comment: "// note",
  write: (all, unit, depth = 0) =>
    all.flatMap((one) => {
      const pad = unit.repeat(depth);
      const inside = (body: readonly Statement[]) => typescript.write(body, unit, depth + 1);
      if (one.kind === "simple") return [`${pad}var ${one.name}: number = 1;`];
      if (one.kind === "call") return [`${pad}${one.name}(`, `${pad}${unit}1,`, `${pad});`];
      if (one.kind === "function")
        return [`${pad}function ${one.name}(x: string) {`, ...inside(one.body), `${pad}}`];
      const then = [`${pad}if (${one.name}) {`, ...inside(one.body)];
      return one.kind === "if"
        ? [...then, `${pad}}`]
        : [...then, `${pad}} else {`, ...inside(one.other), `${pad}}`];
    }),
  parse: (text) => void stripTypeScriptTypes(text),
};

/** Python's rules of indentation: deeper only after a colon, else as deep as a line above. */
function parseIndentation(text: string): void {
  const levels = [""];
  let opens = false;
  let brackets = 0;
  for (const line of text.split("\n")) {
    const bare = line.trim();
    if (bare === "" || bare.startsWith("#")) continue;
    const inBrackets = brackets > 0;
    brackets += bare.split("(").length - bare.split(")").length;
    if (inBrackets) continue;
    const indent = line.slice(0, line.length - line.trimStart().length);
    const top = levels.at(-1) ?? "";
    if (opens) {
      assert.ok(indent.length > top.length && indent.startsWith(top), `an indented block expected: ${line}`);
      levels.push(indent);
    } else {
      while (indent !== levels.at(-1)) assert.ok(levels.pop() !== undefined, `unexpected indent: ${line}`);
    }
    opens = bare.endsWith(":");
  }
  assert.equal(opens, false);
}

const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0] ?? "";
const filled = (text: string) => text.split("\n").filter((line) => line.trim() !== "");

/** Changes of indentation that models make. */
const habits: Readonly<Record<string, (text: string, unit: string) => string>> = {
  asItIs: (text) => text,
  fenced: (text) => `Here:\n\n\`\`\`\n${text}\n\`\`\`\n`,
  dedented(text) {
    const common = Math.min(...filled(text).map((line) => indentOf(line).length));
    return text.replace(new RegExp(`^[ \\t]{${common}}`, "gm"), "");
  },
  firstLineStripped: (text) => text.trimStart(),
  deeper: (text, unit) => text.replace(/^/gm, unit),
};

interface Asked {
  readonly text: string;
  readonly range: LineSpan;
  readonly original: string;
  readonly lead: string;
}

function ask(lines: readonly string[], selection: LineSpan): Asked {
  const line = (index: number) => lines[index] ?? "";
  const range = chooseTarget({ selections: [selection], symbols: [], line, lineCount: lines.length });
  const { startLine, startCharacter, endLine, endCharacter } = range;
  const rows = lines.slice(startLine, endLine + 1);
  const original = [...rows.slice(0, -1), (rows.at(-1) ?? "").slice(0, endCharacter)]
    .join("\n")
    .slice(startCharacter);
  return { text: lines.join("\n"), range, original, lead: line(startLine).slice(0, startCharacter) };
}

function apply({ text, range, original, lead }: Asked, answer: string): string {
  const start = text.split("\n").slice(0, range.startLine).join("\n").length + (range.startLine > 0 ? 1 : 0);
  const from = start + range.startCharacter;
  return text.slice(0, from) + cleanAnswer(answer, original, "\n", lead) + text.slice(from + original.length);
}

const place = fc.record({
  program: statements,
  unit: fc.constantFrom("  ", "    ", "\t"),
  at: fc.nat(),
  to: fc.nat({ max: 4 }),
  kind: fc.constantFrom("cursor", "line", "lines", "afterIndent"),
});

/** A selection of each kind: a cursor, one line with and without its indentation, several lines. */
function selectionIn(lines: readonly string[], kind: string, at: number, to: number): LineSpan {
  const startLine = at % lines.length;
  const text = lines[startLine] ?? "";
  const start = kind === "cursor" || kind === "afterIndent" ? indentOf(text).length : 0;
  if (kind === "cursor") return { startLine, startCharacter: start, endLine: startLine, endCharacter: start };
  const endLine = kind === "lines" ? Math.min(lines.length - 1, startLine + to) : startLine;
  return { startLine, startCharacter: start, endLine, endCharacter: (lines[endLine] ?? "").length };
}

for (const [language, { write, parse, comment }] of Object.entries({ python, typescript })) {
  test(`applies an edit of ${language} whatever its indentation`, () => {
    fc.assert(
      fc.property(
        place,
        fc.constantFrom(...Object.keys(habits)),
        ({ program, unit, at, to, kind }, habit) => {
          const lines = write(program, unit);
          const asked = ask(lines, selectionIn(lines, kind, at, to));
          parse(asked.text);
          assert.equal(apply(asked, habits[habit]?.(asked.original, unit) ?? ""), asked.text);
        },
      ),
      { numRuns: randomCases(1000) },
    );
  });

  test(`a comment added to ${language} is at the right place`, () => {
    fc.assert(
      fc.property(place, fc.constantFrom(...Object.keys(habits)), ({ program, unit, at }, habit) => {
        const lines = write(program, unit);
        const asked = ask(lines, selectionIn(lines, "cursor", at, 0));
        const indent = indentOf(asked.original);
        const answer = habits[habit]?.(`${indent}${comment}\n${asked.original}`, unit) ?? "";
        const applied = apply(asked, answer);
        parse(applied);
        assert.equal(applied.replace(`${indent}${comment}\n`, ""), asked.text);
      }),
      { numRuns: randomCases(1000) },
    );
  });
}

test("restores tabs and spaces", () => {
  fc.assert(
    fc.property(place, fc.constantFrom("    ", "\t"), ({ program, at }, unit) => {
      const lines = python.write(program, unit);
      const asked = ask(lines, selectionIn(lines, "cursor", at, 0));
      const answer =
        unit === "\t" ? asked.original.replaceAll("\t", "    ") : asked.original.replaceAll("    ", "\t");
      assert.equal(apply(asked, answer), asked.text);
    }),
  );
});

test("several lines that replace part of a line get its indentation", () => {
  const asked: Asked = {
    text: "if a:\n    x = old + 1\n",
    range: { startLine: 1, startCharacter: 8, endLine: 1, endCharacter: 11 },
    original: "old",
    lead: "    x = ",
  };
  const expected = "if a:\n    x = call(\n        1,\n    ) + 1\n";
  for (const answer of ["call(\n    1,\n)", "call(\n        1,\n    )", "    call(\n        1,\n    )"])
    assert.equal(apply(asked, answer), expected);
});
