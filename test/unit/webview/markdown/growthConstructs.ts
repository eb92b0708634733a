/** Markdown of about `length` characters. */
export type Construct = (length: number) => string;

/** One piece repeated; `index` makes the pieces different. */
const repeated =
  (piece: string | ((index: number) => string), before = "", after = ""): Construct =>
  (length) => {
    const toPiece = typeof piece === "string" ? () => piece : piece;
    const pieces: string[] = [];
    for (let index = 0, left = length - before.length - after.length; left > 0; index++) {
      const next = toPiece(index);
      pieces.push(next);
      left -= next.length;
    }
    return before + pieces.join("") + after;
  };
/** Half of one piece, then half of another. */
const halves =
  (first: Construct, second: Construct, between = ""): Construct =>
  (length) =>
    first(length / 2) + between + second(length / 2);
/** A piece whose parts grow with the square root of the length, so that their product would be linear. */
const squared =
  (make: (side: number, length: number) => string): Construct =>
  (length) =>
    make(Math.ceil(Math.sqrt(length)), length);

const words = "Some words of an answer that goes on. ";
const cells = (count: number, cell: string) => `|${cell.repeat(count)}\n`;

const inline: Readonly<Record<string, Construct>> = {
  words: repeated(words),
  "one word": repeated("a"),
  "one word of surrogates": repeated("😀"),
  "short lines": repeated("a\n"),
  "lines with two spaces at the end": repeated("a  \n"),
  "lines with many spaces at the end": squared((side, length) =>
    `${"a".padEnd(side)}\n`.repeat(length / side),
  ),
  "backslashes at line ends": repeated("a\\\n"),
  emphasis: repeated("*a* "),
  "strong emphasis": repeated("**a** "),
  strikes: repeated("~~a~~ "),
  "unclosed emphasis": repeated("*a "),
  "unclosed strong": repeated(words, "**"),
  "unclosed strong of lines": repeated("a\n", "**"),
  "unopened emphasis": repeated("a* "),
  "emphasis of both kinds, crossed": repeated("*a _b* c_ "),
  "openers of all kinds": repeated("*a _a **a __a ~~a "),
  "closers of all kinds": repeated("a* a_ a** a__ a~~ "),
  "emphasis that could open and close": repeated("a*b_c"),
  "emphasis in emphasis": halves(repeated("*a "), repeated("a* ")),
  "strong in strong": halves(repeated("**a "), repeated("a** ")),
  "a run of stars around a word": halves(repeated("*"), repeated("*"), "a"),
  "runs of growing length": squared((side) =>
    Array.from({ length: side }, (_, i) => `${"*".repeat(i)}a`).join(" "),
  ),
  underscores: repeated("_"),
  "code spans": repeated("`a` "),
  "unclosed code": repeated(words, "`"),
  "lonely backticks": repeated((index) => `${"`".repeat((index % 900) + 1)} `),
  "backticks of growing length": squared((side) =>
    Array.from({ length: side }, (_, i) => "`".repeat(i + 1)).join(" "),
  ),
  links: repeated("[a](https://b.test/c) "),
  "links that are relative": repeated("[a](b) "),
  "links with titles": repeated('[a](https://b.test "c") '),
  "open brackets": repeated("["),
  "closed brackets": repeated("]"),
  "brackets in brackets": halves(repeated("["), repeated("]")),
  "images in images": halves(repeated("!["), repeated("](a)")),
  "links after open brackets": halves(repeated("["), repeated("[a](b) ")),
  "links after open images": halves(repeated("!["), repeated("[a](b) ")),
  "links without an end": repeated("[a]("),
  "links with half a destination": repeated("[a](<b "),
  "links with half a title": repeated('[a](b "c '),
  "links with open parentheses": repeated("[a](((((((((("),
  "references that lead nowhere": repeated((index) => `[a${index}] `),
  "references with half a label": repeated("[a][b "),
  "references of two parts": repeated((index) => `[a][b${index}] `),
  "emphasis across links": repeated("*[a*](b) "),
  autolinks: repeated("<https://a.test> "),
  "half autolinks": repeated("<a:"),
  "half mail addresses": repeated("<a@"),
  "angle brackets": repeated("<"),
  "line breaks": repeated("a<br>"),
  "bare addresses": repeated("https://a.test/b "),
  "addresses without a space": repeated("https://a.test/"),
  "addresses that end in parentheses": repeated(`https://a.test/${")".repeat(1000)} `),
  "mail addresses": repeated("a@b.test "),
  "at signs": repeated("a@"),
  "mail addresses without an end": repeated("a.b-c+d"),
  entities: repeated("&amp;"),
  ampersands: repeated("&"),
  "half entities": repeated("&am "),
  escapes: repeated("\\*"),
  "escaped letters": repeated("\\a"),
  "pictures that are elsewhere": repeated("![a](https://b.test/c.png) "),
  "pictures as data": repeated("![a](data:image/png;base64,iVBORw0KGgo=) "),
  "one long picture as data": repeated("iVBORw0KGgo", "![a](data:image/png;base64,", ")"),
  citations: repeated("[1] "),
  "raised citations": repeated("^1^ "),
  carets: repeated("^"),
  "tagged citations": repeated("[REF]1[/REF] "),
  "half tagged citations": repeated("[REF]1"),
  "notes that are nowhere": repeated("[^a] "),
  "notes of many names": repeated((index) => `[^${index}] `),
  "a note for many marks": repeated("[^a] ", "", "\n\n[^a]: b\n"),
  "elements that are links": repeated('<a href="https://a.test">b</a> '),
  "elements of links without an end": repeated('<a href="https://a.test">b '),
  "elements of links without quotes": repeated("<a href=b "),
  "half destinations with backslashes": repeated("[a](my \\file "),
  "destinations with spaces": repeated("[a](my file.md) "),
  "half destinations with spaces": repeated("[a](my file "),
  "half destinations with parentheses": repeated("[a](my (file "),
  "emphasis of Chinese": repeated("含**「重点」**内容"),
  "half emphasis of Chinese": repeated("含**「重点"),
  "addresses in Chinese": repeated("见https://a.test/b，"),
  "addresses in quotes": repeated('a="https://a.test/b"'),
  "notes for many marks": halves(
    repeated((index) => `[^${index}] `),
    repeated((index) => `[^${index}]: b\n\n`),
    "\n\n",
  ),
};

const formulas: Readonly<Record<string, Construct>> = {
  "formulas that are alike": repeated("$x$ "),
  "formulas that differ": repeated((index) => `$x_{${index}}$ `),
  dollars: repeated("$"),
  "half formulas": repeated("$a "),
  "double dollars": repeated("$$ a "),
  "double dollars without a space": repeated("$$a"),
  "prices without an end": repeated("$5 and "),
  "shell variables": repeated("$(a)/"),
  "brackets of formulas": repeated("\\["),
  "parentheses of formulas": repeated("\\("),
  "formulas in parentheses": repeated("\\(x\\) "),
  "formulas of their own lines": repeated((index) => `$$\nx^${index % 500}\n$$\n\n`),
  "a formula whose ends have words": repeated("x $$, a\n", "$$\n"),
  "a formula without an end": repeated("x + y\n", "$$\n"),
  "a formula that is long": repeated("x + ", "$$\n", "x\n$$\n"),
  "formulas that define macros": repeated(
    "$\\def\\a{xxxxxxxx}\\def\\b{\\a\\a\\a\\a\\a\\a}\\b\\b\\b\\b\\b\\b\\b$ ",
  ),
};

const blocks: Readonly<Record<string, Construct>> = {
  "a note of many blocks": repeated("    a\n\n", "[^a]: b\n\n"),
  "a note of many items": repeated("    - a\n", "[^a]: b\n"),
  "notes of several blocks": repeated((index) => `[^${index}]: a\n\n    b\n\n`),
  paragraphs: repeated("a\n\n"),
  "paragraphs of a sentence": repeated(`${words}\n\n`),
  "empty lines": repeated("\n"),
  "lines of spaces": repeated("    \n"),
  "one line of spaces": repeated(" "),
  tabs: repeated("\t"),
  "a line after many spaces": repeated(" ", "", "a"),
  headings: repeated("# a\n"),
  "a long heading": repeated(words, "# "),
  "a heading of signs": repeated("#", "# "),
  "a heading of signs apart": repeated("# "),
  "underlined headings": repeated("a\n===\n"),
  "a long underlined heading": repeated("a\n", "", "===\n"),
  rules: repeated("---\n"),
  "a long rule": repeated("-"),
  "a long rule with spaces": repeated("- "),
  "what is almost a rule": repeated("- ", "", "x"),
  "equal signs": repeated("="),
  quotes: repeated("> a\n"),
  "quotes apart": repeated("> a\n\n"),
  "quotes in quotes": repeated(">"),
  "quotes in quotes, line by line": repeated(`${">".repeat(60)} a\n`),
  "quotes that get deeper": squared((side) =>
    Array.from({ length: side }, (_, i) => `${">".repeat(i)}a\n`).join(""),
  ),
  "lazy lines of a quote": repeated("a\n", "> "),
  items: repeated("- a\n"),
  "items apart": repeated("- a\n\n"),
  "empty items": repeated("-\n"),
  "empty items apart": repeated("-\n\n"),
  "empty items of changing marks": repeated("-\n*\n+\n"),
  "items in items": repeated("- "),
  "items in items, line by line": repeated(`${"- ".repeat(60)}a\n`),
  "items that get deeper": squared((side) =>
    Array.from({ length: side }, (_, i) => `${"  ".repeat(i)}- a\n`).join(""),
  ),
  "numbered items": repeated((index) => `${index + 1}. a\n`),
  "empty numbered items": repeated("1.\n"),
  tasks: repeated("- [ ] a\n"),
  "a long item": repeated("  a\n", "- a\n"),
  "items and quotes by turns": repeated("- > "),
  "code by indentation": repeated("    a\n"),
  "code by indentation with gaps": repeated("    a\n\n"),
  "gaps in code by indentation": repeated("\n", "    a\n", "    b\n"),
  definitions: repeated((index) => `[a${index}]: https://b.test\n`),
  "definitions that are used before": halves(
    repeated((index) => `[a${index}] `),
    repeated((index) => `[a${index}]: b\n`),
    "\n\n",
  ),
  "definitions apart that are used before": halves(
    repeated((index) => `[a${index}] `),
    repeated((index) => `[a${index}]: b\n\n`),
    "\n\n",
  ),
  "one definition over and over": repeated("[a]: b\n"),
  "half a definition": repeated("a", "["),
  "half definitions": repeated("[a]:\n"),
  "a definition with half a title": repeated("a\n", '[a]: b "'),
  notes: repeated((index) => `[^${index}]: a\n`),
  HTML: repeated("<div>a</div>\n"),
  "half HTML": repeated("<!--"),
  "carriage returns": repeated("a\r\n"),
  "characters of no width": repeated("\u200b\u0301"),
  "right to left": repeated("مرحبا "),
  mixed: repeated(
    "## A heading\n\nProse with *marks*, `code` and [a link](https://a.test).\n\n- item **one**\n- item two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> A quote of words.\n\n```ts\nconst x = 1;\n```\n\n",
  ),
};

const code: Readonly<Record<string, Construct>> = {
  "a fence": repeated("some text of a file\n", "```\n", "```\n"),
  "a fence of short lines": repeated("a\n", "```\n", "```\n"),
  "a fence of empty lines": repeated("\n", "```\n", "```\n"),
  "a fence of one line": repeated("some text of a file ", "```\n", "\n```\n"),
  "a fence without an end": repeated("some text of a file\n", "```\n"),
  "a fence of TypeScript": repeated(
    (index) => `const value${index} = call("text", ${index}); // why\n`,
    "```ts\n",
    "```\n",
  ),
  "a fence of JSON": repeated((index) => `{"a": [1, 2, ${index}], "b": "c"},\n`, "```json\n", "```\n"),
  "a fence of brackets": repeated("{[(", "```js\n", "\n```\n"),
  "a fence of half strings": repeated('"\n', "```js\n", "```\n"),
  "a fence of markdown": repeated("*a* [b](c)\n", "```md\n", "```\n"),
  "a fence of markup": repeated("<a b=c>\n", "```html\n", "```\n"),
  fences: repeated("```\na\n```\n"),
  "fences of a language": repeated("```js\nlet a = 1;\n```\n"),
  "empty fences": repeated("```\n```\n"),
  "a fence of fences": repeated("```\n", "````\n", "````\n"),
  "half fences": repeated("~~~a\n"),
  "a fence with a long name": repeated("a", "```", "\nb\n```\n"),
  "a fence in quotes": repeated("> a\n", "> ```\n"),
  "a fence in an item": repeated("  a\n", "- ```\n"),
};

const tables: Readonly<Record<string, Construct>> = {
  "a table": repeated("| a | b |\n", "| a | b |\n|---|---|\n"),
  "a table with marks": repeated("| *a* | `b` |\n", "| a | b |\n|---|---|\n"),
  "a table of many columns": squared(
    (side) => cells(side / 3, "a|") + cells(side / 3, "-|") + cells(side / 3, "a|").repeat(side),
  ),
  "a table whose rows are short": squared(
    (side, length) => cells(side, "a|") + cells(side, "-|") + "|\n".repeat(length / 2),
  ),
  "tables whose rows are short": (length) =>
    `${cells(900, "a|") + cells(900, "-|") + "|\n".repeat(900)}\n`.repeat(Math.ceil(length / 5400)),
  "a table whose rows are long": squared(
    (side) => cells(1, "a|") + cells(1, "-|") + cells(side / 2, "a|").repeat(side),
  ),
  "a table of one long row": repeated("a|", "|a|b|\n|-|-|\n|"),
  "a table with a row of citations": repeated("[1]", "|a|b|\n|-|-|\n|"),
  "a table with a row of cells of citations": repeated("[1]|", "|a|b|\n|-|-|\n|"),
  "a table with a row of double dollars": repeated("$$a", "|a|b|\n|-|-|\n|"),
  "a table with a row of cells of double dollars": repeated("$$a|", "|a|b|\n|-|-|\n|"),
  "a table with a row of dollars": repeated("$a", "|a|b|\n|-|-|\n|"),
  "a table with a row of backticks": repeated("`a", "|a|b|\n|-|-|\n|"),
  "a table with a row of brackets": repeated("[a](", "|a|b|\n|-|-|\n|"),
  "a table with a row of formulas": repeated((index) => `$x_{${index}}$`, "|a|b|\n|-|-|\n|"),
  "a table with a long cell": repeated(words, "|a|b|\n|-|-|\n|"),
  "a head without a table": repeated("a|"),
  "a head of bars": repeated("|"),
  "a head of many columns": halves(repeated("a|"), repeated("-|"), "\n"),
  "lines of dashes and bars": repeated("-|-\n"),
  "lines that may be heads": repeated("| a\n"),
  "lines that may be a table's second": repeated("a|b\n-|\n"),
  tables: repeated("|a|\n|-|\n|b|\n\n"),
  "empty tables": repeated("|a|\n|-|\n\n"),
  "escaped bars": repeated("\\|", "|a|\n|-|\n|"),
};

/** All constructs of Markdown, each alone and as dense as possible, and texts that are made to be slow. */
export const constructs: Readonly<Record<string, Construct>> = {
  ...inline,
  ...formulas,
  ...blocks,
  ...code,
  ...tables,
};
