import { inTime } from "../../../platform/inTime.ts";
import type { TextBlock } from "./block.ts";
import { toMarkdownBlocks } from "./markdownText.ts";
import { toHtmlBlocks } from "./markup/htmlText.ts";

const markdownLanguages = new Set(["markdown", "chatagent", "prompt", "mdx"]);
const htmlLanguages = new Set(["html", "xhtml"]);
/** Timeout in milliseconds for parsing markup; half a million characters of normal text take a second. */
const markupTimeoutMs = 5_000;

/** The paragraphs of a text. If markup takes too long or is nested too deep, it is read as plain text. */
export function blocksOf(
  text: string,
  languageId: string,
  timeoutMs = markupTimeoutMs,
): readonly TextBlock[] {
  if (htmlLanguages.has(languageId)) return toHtmlBlocks(text);
  if (!markdownLanguages.has(languageId)) return toPlainBlocks(text);
  try {
    return inTime(timeoutMs, () => toMarkdownBlocks(text));
  } catch {
    return toPlainBlocks(text);
  }
}

/** Lines shorter than this are not wrapped: what follows them is a new line on purpose. */
const leastWrapped = 40;

/**
 * The paragraphs of a text without markup, separated by empty lines. Items of lists, headings and lines that were ended
 * before they were full are paragraphs, too.
 */
export function toPlainBlocks(text: string): TextBlock[] {
  return paragraphsOf(text).flatMap(({ from, to }) => linesOf(text, from, to));
}

interface Part {
  readonly from: number;
  readonly to: number;
}

function paragraphsOf(text: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  const add = (to: number) => {
    if (to > from) parts.push({ from, to });
  };
  for (const gap of text.matchAll(/(?:\r\n|\r(?!\n)|\n)(?:[ \t]*(?:\r\n|\r(?!\n)|\n))+|\u2029/g)) {
    add(gap.index);
    from = gap.index + gap[0].length;
  }
  add(text.length);
  return parts;
}

/** The lines of a paragraph, joined where they were wrapped. */
function linesOf(text: string, from: number, to: number): TextBlock[] {
  const lines = [...text.slice(from, to).matchAll(/[^\r\n]+/g)].map(({ index, 0: line }) => ({
    from: from + index,
    to: from + index + line.length,
  }));
  const width = Math.max(...lines.map((line) => line.to - line.from));
  const groups: Part[][] = [];
  for (const line of lines) {
    const group = groups.at(-1);
    const previous = group?.at(-1);
    if (group && previous && isWrapped(text, previous, line, width)) group.push(line);
    else groups.push([line]);
  }
  return groups.map((group) => blockOf(text, group));
}

/** Bullets, numbers and letters of lists, and questions and answers of interviews. */
const listMark = /^\s*(?:[-*+•‣◦▪–—]\s|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,4})[.)]\s|\[\d{1,3}\]\s|#{1,6}\s)/;

function isWrapped(text: string, before: Part, line: Part, width: number): boolean {
  const [last, next] = [text.slice(before.from, before.to), text.slice(line.from, line.to)];
  if (listMark.test(next) || /^\s*#{1,6}\s/.test(last)) return false;
  if (!/^\s*["“„«'([]*[\p{Lu}\p{N}]/u.test(next)) return true;
  if (/[,;–—-]\s*$/.test(last)) return true;
  const [word = ""] = /^\s*\S+/.exec(next) ?? [];
  const wasFull = last.trimEnd().length + 1 + word.trim().length > width;
  return wasFull && width >= leastWrapped;
}

/** Chinese and Japanese words have no blank where a line ends. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}，。、；：！？」』]$/u;

function blockOf(text: string, group: readonly Part[]): TextBlock {
  return group.flatMap(({ from, to }, index) => {
    const run = { text: text.slice(from, to), from, to };
    const next = group[index + 1];
    if (
      !next ||
      (unspaced.test(run.text) &&
        /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}「『]/u.test(text.slice(next.from, next.to)))
    )
      return [run];
    return [run, { text: "\n", from: to, to: next.from }];
  });
}
