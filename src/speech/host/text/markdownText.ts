import { fromMarkdown } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfm } from "micromark-extension-gfm";
import type { TextBlock, TextRun } from "./block.ts";
import { type FormulaLanguage, languageOf } from "./markup/formulaLanguages.ts";
import { formulaWords, type MaskedText, maskedFormula, maskFormulas } from "./markup/formulas.ts";
import { asHeading, characterOf, HtmlReader, toHtmlBlocks } from "./markup/htmlText.ts";

type Node = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>["children"][number] | Inline;
interface Inline {
  readonly type: string;
  readonly value?: string;
  readonly alt?: string | null;
  readonly url?: string;
  readonly children?: readonly Inline[];
  readonly position?: { readonly start: Point; readonly end: Point };
}
interface Point {
  readonly offset?: number | undefined;
}

const matter: ("yaml" | "toml")[] = ["yaml", "toml"];

interface Source extends MaskedText {
  readonly source: string;
  /** Of the words of formulas. */
  readonly language: FormulaLanguage;
}

/**
 * The spoken text of Markdown, without markup. Code blocks, tags of HTML, front matter and footnote marks are omitted.
 * An image is read as its description, a formula in words.
 */
export function toMarkdownBlocks(source: string): TextBlock[] {
  const hidden = maskFormulas(source);
  const text = {
    source,
    ...hidden,
    language: hidden.formulas.size > 0 ? languageOf(hidden.masked) : ("en" as const),
  };
  const tree = fromMarkdown(text.masked, {
    extensions: [gfm(), frontmatter(matter)],
    mdastExtensions: [gfmFromMarkdown(), frontmatterFromMarkdown(matter)],
  });
  const blocks: TextBlock[] = [];
  const walk = (node: Node) => {
    const inline = node as Inline;
    if (node.type === "heading") blocks.push(...paragraphOf(inline, text).map(asHeading));
    else if (node.type === "paragraph") blocks.push(...paragraphOf(inline, text));
    else if (node.type === "tableRow") blocks.push(rowOf(inline, text));
    else if (node.type === "html") blocks.push(...toHtmlBlocks(source, ...rangeOf(inline)));
    else for (const child of inline.children ?? []) walk(child);
  };
  walk(tree);
  return blocks.filter((block) => block.length > 0);
}

/** `[!NOTE]`, alone on the first line of a quote, is the title of the quote. */
const alert = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\r?\n|$)/i;

function paragraphOf(node: Inline, text: Source): TextBlock[] {
  const reader = new HtmlReader();
  addTo(reader, node, text);
  const blocks = reader.end();
  const [from] = rangeOf(node);
  const [marked = "", title] = alert.exec(text.source.slice(from, from + 40)) ?? [];
  if (title === undefined) return blocks;
  const runs = blocks[0]?.flatMap((run) => laterPart(run, from + marked.length)) ?? [];
  return [
    [{ text: `${title.charAt(0)}${title.slice(1).toLowerCase()}`, from, to: from + marked.trimEnd().length }],
    runs,
  ];
}

/** The part of a run behind a source offset. */
function laterPart(run: TextRun, from: number): TextRun[] {
  if (run.to <= from) return [];
  const index = run.offsets ? run.offsets.findIndex((offset) => offset >= from) : from - run.from;
  if (index <= 0) return [run];
  const { offsets, ends } = run;
  return [
    {
      ...run,
      text: run.text.slice(index),
      from: Math.max(from, run.from),
      ...(offsets ? { offsets: offsets.subarray(index) } : {}),
      ...(ends ? { ends: ends.subarray(index) } : {}),
    },
  ];
}

/** In a cell, a sign alone is an answer. */
const cellSigns: readonly (readonly [RegExp, string])[] = [
  [/^[✅✔☑]\ufe0f?$/u, "yes"],
  [/^[❌✖✗✘]\ufe0f?$/u, "no"],
];

/** The cells of a row, with a pause between them. */
function rowOf(row: Inline, text: Source): TextRun[] {
  return (row.children ?? []).flatMap((cell, index) => {
    const reader = new HtmlReader();
    addTo(reader, cell, text);
    const runs = signed(reader.end().flat());
    const before = runs[0]?.from ?? 0;
    return index === 0 || runs.length === 0 ? runs : [{ text: ", ", from: before, to: before }, ...runs];
  });
}

function signed(runs: readonly TextRun[]): readonly TextRun[] {
  const whole = runs
    .map(({ text }) => text)
    .join("")
    .trim();
  const [, word] = cellSigns.find(([sign]) => sign.test(whole)) ?? [];
  const [run] = runs;
  return word && run ? [{ text: word, from: run.from, to: run.to }] : runs;
}

function rangeOf({ position }: Inline): [number, number] {
  const from = position?.start.offset ?? 0;
  return [from, position?.end.offset ?? from];
}

function addTo(reader: HtmlReader, node: Inline, text: Source): void {
  const [from, to] = rangeOf(node);
  switch (node.type) {
    case "text":
      for (const run of formulaRuns(textRun(node.value ?? "", text.masked, from, to), text)) reader.text(run);
      break;
    case "inlineCode":
      reader.text(textRun(codeOf(node.value ?? "", from, text), text.source, from, to));
      break;
    case "break":
      reader.text({ text: " ", from, to });
      break;
    case "html":
      reader.read(text.source, from, to);
      break;
    case "image":
    case "imageReference":
      reader.text(textRun(node.alt ?? "", text.source, from, to));
      break;
    case "link":
    case "linkReference":
      addLink(reader, node, text);
      break;
    default:
      for (const child of node.children ?? []) addTo(reader, child, text);
  }
}

/** A link whose text is a number is a mark of a source, with or without brackets of its own. */
function addLink(reader: HtmlReader, node: Inline, text: Source): void {
  const [only, second] = node.children ?? [];
  if (!second && only?.type === "text" && /^\^?\d{1,3}$/.test(only.value ?? "")) {
    const [from, to] = rangeOf(node);
    reader.text({ text: `[${only.value}]`, from, to });
  } else for (const child of node.children ?? []) addTo(reader, child, text);
}

/** Code has no formulas: what was masked in it is written as it stands. */
function codeOf(value: string, from: number, { formulas, source }: Source): string {
  let after = from;
  return value.replace(maskedFormula, (masked) => {
    const formula = [...formulas.values()].find(({ start }) => start >= after);
    after = formula?.end ?? after;
    return formula ? source.slice(formula.start, formula.end) : masked;
  });
}

/** The run with its formulas in words. */
function formulaRuns(run: TextRun, { formulas, language }: Source): TextRun[] {
  const runs: TextRun[] = [];
  let index = 0;
  const sourceOffset = (unit: number) => run.offsets?.[unit] ?? run.from + unit;
  const plain = (end: number) => {
    if (end <= index) return;
    const { offsets, ends } = run;
    runs.push({
      text: run.text.slice(index, end),
      from: sourceOffset(index),
      to: end < run.text.length ? sourceOffset(end) : run.to,
      ...(offsets ? { offsets: offsets.subarray(index, end) } : {}),
      ...(ends ? { ends: ends.subarray(index, end) } : {}),
    });
  };
  for (const { index: start, 0: masked } of run.text.matchAll(maskedFormula)) {
    const formula = formulas.get(sourceOffset(start));
    if (!formula) continue;
    plain(start);
    runs.push({ text: formulaWords(formula.tex, language), from: formula.start, to: formula.end });
    index = start + masked.length;
  }
  plain(run.text.length);
  return runs;
}

/** Source characters to search for a text character behind the quote mark or the indentation of a line. */
const lookAhead = 40;
const entity = /&(?:#x[0-9a-f]{1,6}|#\d{1,7}|[a-z][a-z\d]{1,31});/iy;

/** Maps each character of a text to its source, skipping escapes, entities and quote marks of lines. */
function textRun(text: string, source: string, from: number, to: number): TextRun {
  if (source.slice(from, to) === text) return { text, from, to };
  const offsets = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let at = from;
  for (let index = 0; index < text.length; ) {
    const { skipped, length, units } = nextIn(source, at, to, text, index);
    const start = Math.min(at + skipped, Math.max(from, to - 1));
    const end = Math.min(to, start + length);
    for (let unit = 0; unit < units; unit++) {
      offsets[index + unit] = start;
      ends[index + unit] = end;
    }
    at = end;
    index += units;
  }
  return { text, from, to, offsets, ends };
}

/** How the next units of a text are written in the source from `at` on. */
function nextIn(source: string, at: number, to: number, text: string, index: number) {
  const character = text.charAt(index);
  if (source.charAt(at) === "&") {
    entity.lastIndex = at;
    const written = entity.exec(source)?.[0];
    const decoded = written && characterOf(written);
    if (written && decoded !== written && decoded && text.startsWith(decoded, index))
      return { skipped: 0, length: written.length, units: decoded.length };
  }
  if (source.charAt(at) === "\\" && source.charAt(at + 1) === character)
    return { skipped: 0, length: 2, units: 1 };
  const found = source.indexOf(character, at);
  const skipped = found >= 0 && found < Math.min(to, at + lookAhead) ? found - at : 0;
  return { skipped, length: 1, units: 1 };
}
