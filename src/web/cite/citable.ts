import { oneLine } from "../../shared/text/lineFeeds.ts";
import { sentUrl } from "../../shared/web/sentUrl.ts";
import { hitSite } from "../search/toHits.ts";

/** A web page to cite. */
export interface Citable {
  readonly title: string;
  readonly url: string;
  /** When it was published, as the service or the page wrote it. May be empty. */
  readonly date?: string;
  /** Names in the order of the page. */
  readonly authors?: readonly string[];
  /** When it was read. Unix milliseconds. */
  readonly atMs: number;
  /** What of the page is cited. */
  readonly quotes?: readonly string[];
}

/** The day on which it was read: `2026-11-27`. */
export function dayOf({ atMs }: Pick<Citable, "atMs">): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** Site, date and day of retrieval: `example.org, 2026-01-02, retrieved 2026-11-27`. */
export function factsOf({ url, date = "", ...source }: Citable): string {
  return [hitSite(url), oneLine(date), `retrieved ${dayOf(source)}`].filter(Boolean).join(", ");
}

/** An address as it is cited: a URI without the name and password of a user, which are for the reader alone. */
export function citedUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  parsed.username = "";
  parsed.password = "";
  return sentUrl(parsed.href) ?? parsed.href;
}

/** The year of a date in any form; undefined without one. */
export function yearOf({ date = "" }: Pick<Citable, "date">): string | undefined {
  return /(?<!\d)(?:1[89]|20)\d{2}(?!\d)/.exec(date)?.[0];
}

/** How much of a page may say who wrote it and when. */
const mostLines = 30;
const mostAuthors = 8;
const longestName = 60;

/** The authors and the date that a page states: in its front matter, else in a line `By …` at its start. */
export function statedFacts(markdown: string): Pick<Citable, "authors" | "date"> {
  const lines = markdown.replaceAll("\r\n", "\n").split("\n", mostLines);
  const members = frontMatterOf(lines);
  const byline =
    lines.find((line) => /^[*_\s]*[Bb][Yy]\s+\[?\p{Lu}/u.test(line))?.replace(/^[*_\s]*by\s+/i, "") ?? "";
  const authors = namesIn(members.get("author") ?? members.get("authors") ?? byline);
  const stated = members.get("date") ?? members.get("published") ?? members.get("last_updated") ?? "";
  const date = isDate(stated) ? stated : (lines.map(publishedIn).find(Boolean) ?? "");
  return { ...(authors.length > 0 ? { authors } : {}), ...(date === "" ? {} : { date }) };
}

function frontMatterOf(lines: readonly string[]): ReadonlyMap<string, string> {
  const end = lines[0] === "---" ? lines.indexOf("---", 1) : -1;
  const members = lines.slice(1, Math.max(1, end)).flatMap((line): [string, string][] => {
    const [, name, value] = /^([a-z_]+):\s*(.+)$/i.exec(line) ?? [];
    return name === undefined || value === undefined
      ? []
      : [[name.toLowerCase(), value.replace(/^(["'])(.*)\1$/, "$2")]];
  });
  return new Map(members);
}

/** `Published: 2 May 2024`, `Updated on 2024-05-02`. */
function publishedIn(line: string): string {
  const [, date = ""] =
    /^[*_\s]*(?:published|posted|date)(?:\s+on)?\s*:?\s+([^|·•*_]{4,40})/i.exec(line) ?? [];
  return isDate(date.trim()) ? date.trim() : "";
}

function isDate(text: string): boolean {
  return yearOf({ date: text }) !== undefined && text.length <= 40;
}

/** The names of a byline: `Ada Lovelace, Alan Turing and Grace Hopper`. A line that is no list of names gives none. */
function namesIn(line: string): readonly string[] {
  const plain = line
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`[\]"]/g, "")
    .split(/\s[|·•–—-]\s|\bon\b|\bpublished\b|\bupdated\b/i)[0];
  const names = (plain ?? "").split(/\s*(?:,|;|&|\band\b)\s*/i).filter((name) => name.trim() !== "");
  const isName = (name: string) =>
    name.length <= longestName &&
    /^\p{Lu}[\p{L}\p{M}.'’-]*(?:\s+(?:\p{Lu}[\p{L}\p{M}.'’-]*|[\p{Ll}]{1,3})){0,4}$/u.test(name.trim());
  return names.length <= mostAuthors && names.every(isName) ? names.map((name) => name.trim()) : [];
}
