import { oneLine } from "../../shared/text/lineFeeds.ts";
import { hitSite } from "../search/toHits.ts";
import { type Citable, citedUrl, dayOf, yearOf } from "./citable.ts";

export interface BibEntries {
  /** The keys of the sources, in their order. */
  readonly keys: readonly string[];
  /** The entries that the bibliography has not yet, each with a line feed behind it. */
  readonly added: readonly string[];
}

/** Entries for sources. A source that a bibliography has, by its address, keeps its key; new keys are its own. */
export function bibEntries(sources: readonly Citable[], bibliography: string): BibEntries {
  const known = knownEntries(bibliography);
  const taken = new Set(known.map(({ key }) => key.toLowerCase()));
  const keyByUrl = new Map(known.flatMap(({ key, url }) => (url === "" ? [] : [[url, key] as const])));
  const added: string[] = [];
  const keys = sources.map((source) => {
    const url = citedUrl(source.url);
    const earlier = url === "" ? undefined : keyByUrl.get(url);
    if (earlier !== undefined) return earlier;
    const key = freeKey(keyOf(source), taken);
    taken.add(key.toLowerCase());
    keyByUrl.set(url, key);
    added.push(entryOf(source, key));
    return key;
  });
  return { keys, added };
}

/** The keys and addresses of a bibliography, as far as it can be read. */
function knownEntries(bibliography: string): readonly { readonly key: string; readonly url: string }[] {
  const starts = [...bibliography.matchAll(/^[ \t]*@\s*([a-z]+)\s*[{(]\s*([^\s,{}()"=%#~\\]+)\s*,/gim)];
  return starts.map((match, index) => {
    const [, , key = ""] = match;
    const text = bibliography.slice(match.index, starts[index + 1]?.index ?? bibliography.length);
    const [, braced, quoted] = /\burl\s*=\s*(?:\{([^{}]*)\}|"([^"]*)")/i.exec(text) ?? [];
    const url = (braced ?? quoted ?? "").replace(/\\([%#&_~])/g, "$1").trim();
    return { key, url: url === "" ? "" : citedUrl(url) };
  });
}

/** An entry as biblatex and BibTeX read it. */
function entryOf(source: Citable, key: string): string {
  const { title, authors = [], date = "" } = source;
  const site = hitSite(source.url);
  const day = /^\d{4}-\d{2}-\d{2}/.exec(date.trim())?.[0];
  const year = yearOf(source);
  const rows: (readonly [string, string])[] = [
    ...(authors.length > 0
      ? [["author", authors.map((name) => `{${bibText(name)}}`).join(" and ")] as const]
      : []),
    ["title", `{${bibText(title)}}`],
    ...(site === "" ? [] : [["organization", bibText(site)] as const]),
    ...(day === undefined ? [] : [["date", day] as const]),
    ...(year === undefined || day !== undefined ? [] : [["year", year] as const]),
    ...(source.url === "" ? [] : [["url", bibUrl(source.url)] as const]),
    ["urldate", dayOf(source)],
  ];
  return `@online{${key},\n${rows.map(([name, value]) => `  ${name} = {${value}}`).join(",\n")}\n}\n`;
}

/** `example2026`: of the first author or the site, and the year. ASCII, as all programs take it. */
function keyOf(source: Citable): string {
  const { authors = [], title } = source;
  const family = authors[0]?.trim().split(/\s+/).at(-1) ?? "";
  const site = hitSite(source.url).split(".")[0] ?? "";
  const name = [family, site, title].map(ascii).find((text) => text !== "") ?? "web";
  return `${name.slice(0, 24)}${yearOf(source) ?? dayOf(source).slice(0, 4)}`;
}

function ascii(text: string): string {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").replaceAll("ß", "ss").toLowerCase();
  const words = plain.match(/[a-z][a-z0-9]*/g) ?? [];
  return words.find((word) => !articles.has(word)) ?? words[0] ?? "";
}

/** They say nothing of a title that begins with them. */
const articles = new Set(
  "the a an der die das ein eine le la les un une el los las una il lo gli i o os as de het een l d".split(
    " ",
  ),
);

/** `key`, else `keya`, `keyb` … `keyz`, `keyaa` … */
function freeKey(key: string, taken: ReadonlySet<string>): string {
  for (let count = 0; ; count++) {
    const free = key + suffixOf(count);
    if (!taken.has(free.toLowerCase())) return free;
  }
}

function suffixOf(count: number): string {
  if (count === 0) return "";
  const [rest, letter] = [Math.floor((count - 1) / 26), (count - 1) % 26];
  return suffixOf(rest) + String.fromCharCode(97 + letter);
}

const commands: Readonly<Record<string, string>> = {
  "\\": "{\\textbackslash}",
  "{": "{\\textbraceleft}",
  "}": "{\\textbraceright}",
  "~": "{\\textasciitilde}",
  "^": "{\\textasciicircum}",
  "<": "{\\textless}",
  ">": "{\\textgreater}",
  "|": "{\\textbar}",
};

/** Text as TeX shows it. An escaped brace would still count as one in BibTeX, so braces have names. */
function bibText(text: string): string {
  return oneLine(text).replace(/[\\{}~^<>|]|[%#&$_]/g, (sign) => commands[sign] ?? `\\${sign}`);
}

/** An address is read as it is, so nothing in it may be a brace or a backslash. */
function bibUrl(url: string): string {
  return citedUrl(url).replace(/[{}\\\s]/g, (sign) => encodeURIComponent(sign));
}
