import { upperTokens } from "../../../../shared/chat/tokenEstimate.ts";

/** Limit of a result as it is sent, in tokens; less for a model with a small context. */
export const maxSentTokens = 8_000;
/** The same in characters. The beginning and the end of a stored result are longer, so that both are whole. */
const maxSentLength = 30_000;
/** A longer line counts as several, so that each part of any text can be read. */
export const maxRowLength = 2_000;

/** Which parts of a long result are sent: the end of a command's output tells how it went. */
export type SentParts = "beginning" | "both ends";

/** What is known of a stored result. */
export interface StoredResult {
  /** Names it to `read_result`. */
  readonly handle: string;
  /** The number of its rows, if the text is not all of it. */
  readonly rows?: number | undefined;
}

/** The lines of a text with their line breaks, long ones in several parts. All of them together are the text. */
export function* rowsOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const lineBreak = text.indexOf("\n", start);
    const lineEnd = lineBreak < 0 ? text.length : lineBreak + 1;
    // The line break of a line of just this length belongs to it.
    const isLong = lineEnd - start > maxRowLength + 1;
    const end = isLong ? wholeCharacters(text, start + maxRowLength) : lineEnd;
    yield text.slice(start, end);
    start = end;
  }
}

/** Moves an end that would split a character. */
function wholeCharacters(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code < 0xdc00 ? end - 1 : end;
}

export function countRows(text: string): number {
  let count = 0;
  for (const _ of rowsOf(text)) count += 1;
  return count;
}

/** The first rows that fit both limits, at least one. */
export function fittingRows(rows: Iterable<string>, maxTokens: number, maxLength = maxSentLength): string[] {
  const fitting: string[] = [];
  let [tokens, length] = [0, 0];
  for (const row of rows) {
    tokens += upperTokens(row);
    length += row.length;
    if (fitting.length > 0 && (tokens > maxTokens || length > maxLength)) break;
    fitting.push(row);
  }
  return fitting;
}

/** A result as the model gets it: whole, or cut at line ends with a note how to read the rest. */
export function sentResult(
  text: string,
  stored: StoredResult,
  parts: SentParts,
  maxTokens = maxSentTokens,
): string {
  const first = fittingRows(rowsOf(text), maxTokens);
  const isWhole = first.reduce((sum, { length }) => sum + length, 0) === text.length;
  if (isWhole && stored.rows === undefined) return text;
  const total = stored.rows ?? countRows(text);
  const isBoth = parts === "both ends";
  const head = isBoth ? fittingRows(rowsOf(text), maxTokens / 3, maxSentLength / 3) : first;
  const last = isBoth ? [...rowsOf(text)].reverse() : [];
  const tail = fittingRows(last, (maxTokens * 2) / 3, (maxSentLength * 2) / 3).reverse();
  const [from, to] = [head.length + 1, total - tail.length];
  if (to < from) return text;
  const call = `{"handle": "${stored.handle}", "offset": ${from}}`;
  const left = from === to ? `Line ${from} of ${total} is` : `The lines ${from} to ${to} of ${total} are`;
  const note = `[${left} left out here. read_result ${call} reads on; with "query" it finds lines in all of the result.]`;
  return [withBreak(head.join("")), note, ...(isBoth ? [`\n${tail.join("")}`] : [])].join("");
}

function withBreak(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** Limit of a result that is stored with its call, in characters. */
export const maxResultLength = 64_000;

/** Cuts a long text in the middle, at line ends: beginning and end are most informative. */
export function boundedToolText(text: string, maxLength = maxResultLength): string {
  if (text.length <= maxLength) return text;
  const half = maxLength / 2;
  const head = fittingRows(
    rowsOf(text.slice(0, half + 2 * maxRowLength)),
    Number.POSITIVE_INFINITY,
    half,
  ).join("");
  const tail = lastRows(text, half);
  const cut = (text.length - head.length - tail.length).toLocaleString("en");
  return `${withBreak(head)}… ${cut} characters were left out …\n${tail}`;
}

/** The last rows of a text that have this length together. */
function lastRows(text: string, maxLength: number): string {
  let start = 0;
  for (const { length } of rowsOf(text)) {
    if (text.length - start <= maxLength) break;
    start += length;
  }
  return text.slice(start);
}

/** What stands for an older result while the context is nearly full. */
export function shrunkResult(handle: string): string {
  return `[This older result is left out to save context. read_result {"handle": "${handle}"} gives it again, as it was.]`;
}
