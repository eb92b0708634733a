import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { chooseTarget } from "../../../../src/editor/target/chooseTarget.ts";
import {
  editRules,
  proseInstructions,
  proseRules,
  translationInto,
} from "../../../../src/editor/target/prompts.ts";
import { isProseLine, paragraphAround, proseLanguages } from "../../../../src/editor/target/prose.ts";

const linesOf = (text: string) => {
  const lines = text.split("\n");
  return { line: (index: number) => lines[index] ?? "", lineCount: lines.length };
};

const notes = [
  "# Notes",
  "First line",
  "of a paragraph.",
  "",
  "- one",
  "- two",
  "",
  "```js",
  "const a = 1;",
  "",
  "```",
  "After it.",
  "",
].join("\n");

test("the block of prose at the cursor is its paragraph, without the heading above it", () => {
  const lines = linesOf(notes);
  const at = (line: number) => paragraphAround(line, lines);
  assert.deepEqual(at(1), { startLine: 1, endLine: 2 });
  assert.deepEqual(at(2), { startLine: 1, endLine: 2 });
  assert.deepEqual(at(0), { startLine: 0, endLine: 0 });
  assert.deepEqual(at(3), { startLine: 4, endLine: 5 });
  assert.deepEqual(at(11), { startLine: 11, endLine: 11 });
  assert.equal(at(12), undefined);
  const tex = linesOf("\\section{One}\nText here.\nMore.\n\\begin{itemize}\n\\item a\n\\end{itemize}");
  assert.deepEqual(paragraphAround(2, tex), { startLine: 1, endLine: 2 });
});

test("front matter, preambles, formulas and tables of LaTeX are no prose", () => {
  const proseOf = (languageId: string, text: string) => {
    const lines = linesOf(text);
    return text.split("\n").filter((_, index) => isProseLine(languageId, index, lines));
  };
  assert.deepEqual(proseOf("markdown", "---\ntitle: A\ntags: [b]\n---\nText.\n$$\nx = 1\n$$\nMore."), [
    "Text.",
    "More.",
  ]);
  assert.deepEqual(proseOf("markdown", "+++\ntitle = 1\n+++\nText."), ["Text."]);
  assert.deepEqual(proseOf("markdown", "---\nA rule.\n---\nText."), ["---", "A rule.", "---", "Text."]);
  assert.deepEqual(
    proseOf(
      "latex",
      "\\documentclass{article}\n\\usepackage{a}\n\\begin{document}\nText.\n\\begin{gather*}\nx\n\\end{gather*}\nMore.\n\\begin{tabular}{l}\na & b\n\\end{tabular}\nEnd.",
    ),
    ["Text.", "More.", "End."],
  );
  assert.deepEqual(proseOf("latex", "A chapter without a preamble."), ["A chapter without a preamble."]);
});

test("an action without a selection takes whole paragraphs, one with a selection what is selected", () => {
  const lines = linesOf(notes);
  const target = (startLine: number, startCharacter: number, endLine: number, endCharacter: number) =>
    chooseTarget({
      ...lines,
      isProse: true,
      symbols: [],
      selections: [{ startLine, startCharacter, endLine, endCharacter }],
    });
  const paragraph = { startLine: 1, startCharacter: 0, endLine: 2, endCharacter: 15 };
  assert.deepEqual(target(2, 3, 2, 3), paragraph);
  const word = { startLine: 1, startCharacter: 0, endLine: 1, endCharacter: 5 };
  assert.deepEqual(target(1, 0, 1, 5), word);
});

test("prose is told from code: by the language, and within Markdown and LaTeX by the block", () => {
  const lines = linesOf(notes);
  assert.ok(isProseLine("markdown", 1, lines));
  assert.ok(!isProseLine("markdown", 7, lines));
  assert.ok(!isProseLine("markdown", 8, lines));
  assert.ok(!isProseLine("markdown", 10, lines));
  assert.ok(isProseLine("markdown", 11, lines));
  assert.ok(isProseLine("plaintext", 8, lines));
  assert.ok(!isProseLine("typescript", 1, lines));
  const tex = linesOf("Text.\n\\begin{lstlisting}\nint a;\n\\end{lstlisting}\nMore.");
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((at) => isProseLine("latex", at, tex)),
    [true, false, false, false, true],
  );
  const nested = linesOf("````md\n```js\na\n```\nb\n````\nc");
  assert.deepEqual(
    [2, 4, 6].map((at) => isProseLine("markdown", at, nested)),
    [false, false, true],
  );
});

test("the words of the actions are for prose, and keep markup and language", () => {
  for (const [action, instruction] of Object.entries(proseInstructions))
    assert.doesNotMatch(instruction, /code|function|test/i, action);
  assert.match(proseRules, /Keep the markup/);
  // A translation changes the language.
  assert.doesNotMatch(proseRules, /the language/);
  assert.match(editRules, /the language/);
  assert.match(translationInto("German"), /^Translate the selected text into German\./);
});

test("menus show the actions in the languages of prose, and one of our icons is a sparkle", () => {
  const { contributes } = JSON.parse(readFileSync("package.json", "utf8"));
  const menus: Readonly<Record<string, readonly { command?: string; when?: string }[]>> = contributes.menus;
  const names = proseLanguages.join("|");
  for (const menu of ["inference.editorMenu", "commandPalette"])
    for (const verb of ["proofread", "rewrite", "shorten", "summarize", "translate"]) {
      const when = menus[menu]?.find(({ command }) => command === `inference.editor.${verb}`)?.when;
      assert.ok(when?.includes(`editorLangId =~ /^(${names})$/`), `${menu}: ${verb}`);
    }
  for (const verb of ["writeTests", "document"]) {
    const item = menus["inference.editorMenu"]?.find(({ command }) => command === `inference.editor.${verb}`);
    assert.ok(item?.when?.includes("!(editorLangId =~"), verb);
  }
  assert.doesNotMatch(JSON.stringify(contributes), /\$\(sparkle\)/);
});
