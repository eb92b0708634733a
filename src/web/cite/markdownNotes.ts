import { findUrls } from "../scrape/findUrls.ts";
import { citedUrl } from "./citable.ts";

type Note = "footnote" | "reference";

/** What a Markdown document has of footnotes or of link definitions, and where more of them go. */
export interface MarkdownNotes {
  /** The labels in use, as they are compared. */
  readonly labels: ReadonlySet<string>;
  /** The label of the note about an address alone; undefined if there is none. */
  labelOf(url: string): string | undefined;
  /** The offset of new notes: the end of the text, or before code or a comment that is not closed. */
  readonly end: number;
  /** The line feeds that have to be before them. */
  readonly gap: string;
}

/** Labels are compared without their case. */
export function comparedLabel(label: string): string {
  return label.toLowerCase().replace(/\s+/g, " ").trim();
}

const footnote = /^ {0,3}\[\^([^\]\s[]{1,100})\]:/;
const linkDefinition = /^ {0,3}\[(?!\^)((?:[^\][\\]|\\.){1,200})\]:[ \t]*(?:<([^<>]*)>|(\S+))/;

export function readMarkdownNotes(text: string, kind: Note): MarkdownNotes {
  const { lines, end } = proseOf(text);
  const found = kind === "footnote" ? readFootnotes(lines) : readLinkDefinitions(lines);
  const labelByUrl = new Map<string, string>();
  for (const [label, urls] of found.notes) {
    const [url] = urls;
    if (url !== undefined && urls.size === 1 && !labelByUrl.has(url)) labelByUrl.set(url, label);
  }
  return {
    labels: found.labels,
    labelOf: (url) => labelByUrl.get(comparedUrl(url)),
    end,
    gap: gapAfter(text.slice(0, end), kind),
  };
}

interface Found {
  readonly labels: Set<string>;
  /** By label: the addresses of the note. The first note of a label counts. */
  readonly notes: Map<string, Set<string>>;
}

function readFootnotes(lines: readonly string[]): Found {
  const found: Found = { labels: new Set(), notes: new Map() };
  let open: Set<string> | undefined;
  let isAfterBlank = false;
  for (const line of lines) {
    for (const [, used = ""] of line.matchAll(/\[\^([^\]\s[]{1,100})\]/g))
      found.labels.add(comparedLabel(used));
    const label = footnote.exec(line)?.[1];
    const isOther = isAfterBlank && line.trim() !== "" && !/^(?: {4}|\t)/.test(line);
    if (label !== undefined) open = noteWith(found, label);
    else if (isOther) open = undefined;
    for (const { url } of open ? findUrls(line) : []) open?.add(comparedUrl(url));
    isAfterBlank = line.trim() === "";
  }
  return found;
}

/** The addresses of a note that begins. Another note of the same label is drawn nowhere. */
function noteWith({ notes }: Found, label: string): Set<string> {
  const urls = new Set<string>();
  if (!notes.has(label)) notes.set(label, urls);
  return urls;
}

function readLinkDefinitions(lines: readonly string[]): Found {
  const found: Found = { labels: new Set(), notes: new Map() };
  for (const line of lines) {
    const [, label, bracketed, bare] = linkDefinition.exec(line) ?? [];
    if (label === undefined) continue;
    if (!found.labels.has(comparedLabel(label)))
      found.notes.set(label, new Set([comparedUrl(bracketed ?? bare ?? "")]));
    found.labels.add(comparedLabel(label));
  }
  return found;
}

/** The address that `findUrls` would find, as it is cited. */
function comparedUrl(url: string): string {
  const cited = citedUrl(url);
  return findUrls(cited)[0]?.url ?? cited;
}

/** The lines that are neither code nor a comment, and the offset behind which nothing is left open. */
function proseOf(text: string): { readonly lines: readonly string[]; readonly end: number } {
  const lines: string[] = [];
  let offset = 0;
  let end: number | undefined;
  let closes: RegExp | undefined;
  for (const line of text.split("\n")) {
    const before = closes;
    const shown = line.replace(/\r$/, "");
    closes = before ? (before.test(shown) ? undefined : before) : openedBy(shown);
    if (before === undefined && closes) end = offset;
    else if (before === undefined) lines.push(shown);
    if (closes === undefined) end = undefined;
    offset += line.length + 1;
  }
  return { lines, end: end ?? text.length };
}

/** What closes the block of code or the comment that a line opens. */
function openedBy(line: string): RegExp | undefined {
  const [, marks = ""] = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? [];
  if (marks !== "") return new RegExp(`^ {0,3}${marks[0]}{${marks.length},}[ \\t]*$`);
  return /^ {0,3}<!--(?!.*-->)/.test(line) ? /-->/ : undefined;
}

/** Notes of one kind may follow each other; everything else needs a blank line between. */
function gapAfter(text: string, kind: Note): string {
  if (text.trim() === "") return "";
  const whole = text.endsWith("\n");
  const last =
    text
      .replace(/\r?\n$/, "")
      .split("\n")
      .at(-1)
      ?.replace(/\r$/, "") ?? "";
  if (last.trim() === "") return whole ? "" : "\n";
  const isNote = (kind === "footnote" ? footnote : linkDefinition).test(last);
  return (whole ? "" : "\n") + (isNote ? "" : "\n");
}
