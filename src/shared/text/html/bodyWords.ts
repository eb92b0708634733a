import { shortened } from "../shortened.ts";

/** Characters of a body that are quoted. */
const quotedLength = 300;

/** The first words of a text on one line, without terminal colours and control characters. */
export function firstWords(text: string): string {
  const start = text.slice(0, 4 * quotedLength);
  const bare = start.replace(/\p{Cc}\[[\d;]{0,20}[A-Za-z]|\p{Cc}/gu, " ");
  const line = bare.replace(/\s+/g, " ").trim();
  return shortened(line, quotedLength);
}

/** The title of an HTML page on one line. */
export function pageTitle(html: string): string | undefined {
  const title = /<title[^<>]{0,200}>([^<]{1,200})<\/title>/i.exec(html)?.[1]?.trim();
  return title ? firstWords(title) : undefined;
}

/** Lines of an event stream that carry no event: comments, fields, and the data of an event that was cut off. */
const streamLine = /^(:|(event|data|id|retry)(:|$))/;

/** True for a line that may stand in an event stream. */
export function isStreamLine(line: string): boolean {
  return line.trim() === "" || streamLine.test(line);
}
