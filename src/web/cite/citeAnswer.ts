import { citationMarks } from "../../shared/chat/sources/citationMarks.ts";
import { type Citable, citedUrl } from "./citable.ts";
import { type Citing, cite } from "./cite.ts";

/**
 * An answer whose marks `[1]` are footnotes of the document that it is inserted into. A number that names no source is left
 * out, because there it would be another one's.
 */
export function withFootnotes(answer: string, sources: readonly Citable[], document: string): Citing {
  const marks = citationMarks(answer);
  const numbers = new Set(marks.flatMap(({ numbers: some }) => some));
  const used = [...numbers].flatMap((number) => sources[number - 1] ?? []);
  const { mark, notes } = cite(used, "footnote", { text: document, languageId: "markdown" });
  const labels = [...mark.matchAll(/\[\^([^\]]+)\]/g)].map(([, label = ""]) => label);
  const urls = [...new Set(used.map(({ url }) => citedUrl(url)))];
  const labelOf = (number: number) => {
    const source = sources[number - 1];
    return source && labels[urls.indexOf(citedUrl(source.url))];
  };
  const parts: string[] = [];
  let end = 0;
  for (const { start, end: markEnd, numbers: some } of marks) {
    const cited = new Set(some.map(labelOf).filter((label) => label !== undefined));
    parts.push(answer.slice(end, start).trimEnd(), ...[...cited].map((label) => `[^${label}]`));
    end = markEnd;
  }
  parts.push(answer.slice(end));
  return { mark: parts.join("").trim(), isClose: false, ...(notes ? { notes } : {}) };
}

/**
 * Where an answer of several blocks goes: behind the paragraph at the offset, or into its empty line, with blank lines
 * around it. Undefined for an answer of one paragraph, which goes behind the word.
 */
export function besideParagraph(
  answer: string,
  text: string,
  offset: number,
): { readonly at: number; readonly text: string } | undefined {
  if (!/\n[^\S\n]*\n/.test(answer)) return undefined;
  const at = paragraphEnd(text, offset);
  const above = text.slice(Math.max(0, at - mostSpace), at);
  const below = text.slice(at, at + mostSpace);
  const before = above.trim() === "" ? "" : missing(/\s*$/.exec(above));
  const behind = below.trim() === "" ? "" : missing(/^\s*/.exec(below));
  return { at, text: `${before}${answer}${behind}` };
}

/** Characters of white space around a paragraph that are looked at. */
const mostSpace = 400;

function paragraphEnd(text: string, offset: number): number {
  const rest = text.slice(offset);
  const isEmptyLine =
    /(?:^|\n)$/.test(text.slice(Math.max(0, offset - 1), offset)) && /^\r?(?:\n|$)/.test(rest);
  const end = isEmptyLine ? 0 : rest.search(/\r?\n[^\S\n]*(?:\n|$)/);
  return end < 0 ? text.length : offset + end;
}

/** The line breaks that lack for an empty line. */
function missing(space: RegExpExecArray | null): string {
  const breaks = (space?.[0] ?? "").split("\n").length - 1;
  return "\n".repeat(Math.max(0, 2 - breaks));
}
