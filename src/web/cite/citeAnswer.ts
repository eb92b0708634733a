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
