import { oneLine } from "../../shared/text/lineFeeds.ts";
import { latexText, markdownText, markdownUrl, restructuredText, toLink } from "../writing.ts";
import { bibEntries } from "./bibtex.ts";
import { type Citable, citedUrl, dayOf, factsOf } from "./citable.ts";
import { comparedLabel, readMarkdownNotes } from "./markdownNotes.ts";

/** A way to cite: in the sentence, below the text, or in a bibliography. */
export const citeStyles = ["link", "citation", "footnote", "reference", "bibtex"] as const;
export type CiteStyle = (typeof citeStyles)[number];

/** Languages with the same syntax. */
export type CiteSyntax = "markdown" | "latex" | "bibtex" | "restructuredtext" | "asciidoc" | "html" | "text";

const syntaxes: Readonly<Record<string, CiteSyntax>> = {
  markdown: "markdown",
  mdx: "markdown",
  quarto: "markdown",
  rmd: "markdown",
  chatagent: "markdown",
  prompt: "markdown",
  latex: "latex",
  tex: "latex",
  bibtex: "bibtex",
  restructuredtext: "restructuredtext",
  asciidoc: "asciidoc",
  html: "html",
  vue: "html",
  svelte: "html",
  php: "html",
};

export function syntaxOf(languageId: string): CiteSyntax {
  return syntaxes[languageId] ?? "text";
}

/** The ways of a syntax, the usual one first. */
export const stylesOf: Readonly<Record<CiteSyntax, readonly CiteStyle[]>> = {
  markdown: ["footnote", "link", "reference", "citation", "bibtex"],
  latex: ["bibtex", "footnote", "link", "citation"],
  bibtex: ["bibtex"],
  restructuredtext: ["footnote", "link", "reference", "citation", "bibtex"],
  asciidoc: ["footnote", "link", "citation", "bibtex"],
  html: ["link", "citation", "bibtex"],
  text: ["citation", "footnote", "link", "bibtex"],
};

/** What citing changes. Line ends are `\n`. */
export interface Citing {
  /** At the cursor. Empty: nothing is inserted there. */
  readonly mark: string;
  /** True if the mark stands close behind a word. */
  readonly isClose: boolean;
  /** Below the text. */
  readonly notes?: { readonly at: number; readonly text: string };
  /** New entries for a bibliography. */
  readonly entries?: string;
  /** The keys of all sources in it. */
  readonly keys?: readonly string[];
}

/** The notes below a text into which the mark is inserted at these offsets: never in the line of a mark. */
export function notesBelow({ notes }: Citing, marksAt: readonly number[]): Citing["notes"] {
  if (!notes || !marksAt.some((at) => at >= notes.at)) return notes;
  return { at: notes.at, text: `\n\n${notes.text.trimStart()}` };
}

interface Cited {
  /** The document. */
  readonly text: string;
  readonly languageId: string;
  /** The bibliography that the document names; empty if it names none. */
  readonly bibliography?: string;
}

/** Cites sources in a document. A source that it cites already keeps its number, label or key. */
export function cite(all: readonly Citable[], style: CiteStyle, document: Cited): Citing {
  const sources = distinct(all);
  const syntax = syntaxOf(document.languageId);
  if (style === "bibtex") return citeKeys(sources, syntax, document);
  if (style === "footnote") return citeFootnotes(sources, syntax, document);
  if (style === "reference" && syntax === "markdown") return citeReferences(sources, document.text);
  if (style === "reference" && syntax === "restructuredtext") return citeTargets(sources, document.text);
  const words = sources.map((source) => {
    const link = toLink(source, document.languageId);
    return style === "link" ? link : `${link} (${escaped(factsOf(source), syntax)})`;
  });
  const mark = words.length > 1 && syntax === "markdown" ? "- " : "";
  return { mark: words.map((each) => mark + each).join("\n"), isClose: false };
}

/** Each source once, with all that is quoted of it. */
function distinct(sources: readonly Citable[]): readonly Citable[] {
  const byUrl = new Map<string, Citable>();
  for (const source of sources) {
    const key = source.url === "" ? `title ${source.title}` : citedUrl(source.url);
    const earlier = byUrl.get(key);
    const quotes = [...new Set([...(earlier?.quotes ?? []), ...(source.quotes ?? [])])];
    byUrl.set(key, { ...(earlier ?? source), quotes });
  }
  return [...byUrl.values()];
}

function citeKeys(
  sources: readonly Citable[],
  syntax: CiteSyntax,
  { text, bibliography = "" }: Cited,
): Citing {
  const { keys, added } = bibEntries(sources, syntax === "bibtex" ? text : bibliography);
  if (syntax === "bibtex") return { mark: added.join("\n"), isClose: false, keys };
  const marks: Partial<Record<CiteSyntax, string>> = {
    latex: `\\cite{${keys.join(",")}}`,
    markdown: /^bibliography:/m.test(text) ? `[${keys.map((key) => `@${key}`).join("; ")}]` : "",
    restructuredtext: "",
  };
  return { mark: marks[syntax] ?? "", isClose: false, keys, entries: added.join("\n") };
}

/** The words of a note: authors, title with its address, facts and what is cited. */
function noteOf(source: Citable, syntax: CiteSyntax, languageId: string): string {
  const { authors = [], quotes = [] } = source;
  const by = authors.length === 0 ? "" : `${escaped(authors.join(", "), syntax)}: `;
  const link = toLink(source, languageId);
  const said = quotes.map((quote) => ` “${escaped(oneLine(quote), syntax)}”`).join("");
  return `${by}${link} (${escaped(factsOf(source), syntax)}).${said}`;
}

function escaped(text: string, syntax: CiteSyntax): string {
  switch (syntax) {
    case "markdown":
      return markdownText(text);
    case "latex":
      return latexText(text);
    case "restructuredtext":
      return restructuredText(text);
    case "asciidoc":
      return text.replaceAll("]", "\\]");
    case "html":
      return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    default:
      return text;
  }
}

function citeFootnotes(sources: readonly Citable[], syntax: CiteSyntax, { text, languageId }: Cited): Citing {
  const noteIn = (source: Citable) => noteOf(source, syntax, languageId);
  switch (syntax) {
    case "latex":
      return { mark: sources.map((source) => `\\footnote{${noteIn(source)}}`).join(""), isClose: true };
    case "asciidoc":
      return { mark: sources.map((source) => `footnote:[${noteIn(source)}]`).join(""), isClose: true };
    case "restructuredtext":
      return restructuredFootnotes(sources, text, noteIn);
    case "markdown":
      return markdownFootnotes(sources, text, noteIn);
    default:
      return textFootnotes(sources, text, noteIn);
  }
}

function markdownFootnotes(
  sources: readonly Citable[],
  text: string,
  noteIn: (source: Citable) => string,
): Citing {
  const notes = readMarkdownNotes(text, "footnote");
  const next = numbersAfter(notes.labels);
  const added: string[] = [];
  const labels = sources.map((source) => {
    const earlier = source.url === "" ? undefined : notes.labelOf(source.url);
    if (earlier !== undefined) return earlier;
    const label = next();
    added.push(`[^${label}]: ${noteIn(source)}\n`);
    return label;
  });
  return {
    mark: labels.map((label) => `[^${label}]`).join(""),
    isClose: true,
    ...below(notes.end, notes.gap, added),
  };
}

/** Numbers that follow the greatest in use. */
function numbersAfter(labels: Iterable<string>): () => string {
  const used = [...labels].flatMap((label) => (/^\d{1,9}$/.test(label) ? [Number(label)] : []));
  let last = Math.max(0, ...used);
  return () => String(++last);
}

function below(at: number, gap: string, added: readonly string[]): Pick<Citing, "notes"> {
  return added.length === 0 ? {} : { notes: { at, text: gap + added.join("") } };
}

/** `[Title][label]`, with the address below the text. */
function citeReferences(sources: readonly Citable[], text: string): Citing {
  const notes = readMarkdownNotes(text, "reference");
  const taken = new Set(notes.labels);
  const added: string[] = [];
  const words = sources.map((source) => {
    if (source.url === "") return markdownText(source.title);
    const earlier = notes.labelOf(source.url);
    const label = earlier ?? freeLabel(source, taken);
    if (earlier === undefined) added.push(`[${label}]: <${markdownUrl(citedUrl(source.url))}>\n`);
    taken.add(comparedLabel(label));
    return `[${markdownText(oneLine(source.title))}][${label}]`;
  });
  return { mark: words.join(", "), isClose: false, ...below(notes.end, notes.gap, added) };
}

/** `example2026`, as the key of an entry would be. */
function freeLabel(source: Citable, taken: ReadonlySet<string>): string {
  const others = [...taken].map((label) => `@misc{${label.replace(/[^\w.:-]/g, "-")},`).join("\n");
  return bibEntries([source], others).keys[0] ?? dayOf(source);
}

/** `` `Title <label_>`_ ``, with the address below the text. */
function citeTargets(sources: readonly Citable[], text: string): Citing {
  const targets = [...text.matchAll(/^\.\. _`?([^:`\n]+)`?:[ \t]*(\S*)$/gm)];
  const taken = new Set(targets.map(([, label = ""]) => comparedLabel(label)));
  const added: string[] = [];
  const words = sources.map((source) => {
    const url = citedUrl(source.url);
    const earlier = targets.find(([, , target = ""]) => target !== "" && citedUrl(target) === url)?.[1];
    const label = earlier ?? freeLabel(source, taken);
    if (earlier === undefined) added.push(`.. _${label}: ${url}\n`);
    taken.add(comparedLabel(label));
    return `\`${restructuredText(oneLine(source.title))} <${label}_>\`_`;
  });
  return { mark: words.join(", "), isClose: false, ...below(text.length, blankLineAfter(text), added) };
}

function restructuredFootnotes(
  sources: readonly Citable[],
  text: string,
  noteIn: (source: Citable) => string,
): Citing {
  const found = [...text.matchAll(/^\.\. \[#?([\w.-]+)\][ \t]+(.*)$/gm)];
  const taken = new Set([...text.matchAll(/\[#([\w.-]+)\]/g)].map(([, label = ""]) => comparedLabel(label)));
  const added: string[] = [];
  const marks = sources.map((source) => {
    const url = `<${citedUrl(source.url)}>`;
    const earlier = source.url === "" ? undefined : found.find(([, , note = ""]) => note.includes(url))?.[1];
    const label = earlier ?? freeLabel(source, taken);
    if (earlier === undefined) added.push(`.. [#${label}] ${noteIn(source)}\n`);
    taken.add(comparedLabel(label));
    return `[#${label}]_`;
  });
  return { mark: marks.join(" "), isClose: false, ...below(text.length, blankLineAfter(text), added) };
}

/** `[1]`, with the note as a numbered line below the text. */
function textFootnotes(
  sources: readonly Citable[],
  text: string,
  noteIn: (source: Citable) => string,
): Citing {
  const found = [...text.matchAll(/^\[(\d{1,9})\][ \t]+(.*)$/gm)];
  const used = [...text.matchAll(/\[(\d{1,9})\]/g)].map(([, label = ""]) => label);
  const next = numbersAfter(used);
  const added: string[] = [];
  const labels = sources.map((source) => {
    const url = `<${citedUrl(source.url)}>`;
    const earlier = source.url === "" ? undefined : found.find(([, , note = ""]) => note.includes(url))?.[1];
    if (earlier !== undefined) return earlier;
    const label = next();
    added.push(`[${label}] ${noteIn(source)}\n`);
    return label;
  });
  const isAfterNote = found.length > 0 && /(?:^|\n)\[\d+\][ \t].*\n?$/.test(text);
  const gap = isAfterNote ? (text.endsWith("\n") ? "" : "\n") : blankLineAfter(text);
  return {
    mark: labels.map((label) => `[${label}]`).join(""),
    isClose: true,
    ...below(text.length, gap, added),
  };
}

function blankLineAfter(text: string): string {
  if (text.trim() === "" || /\n\r?\n$/.test(text)) return "";
  return text.endsWith("\n") ? "\n" : "\n\n";
}
