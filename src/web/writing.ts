import { oneLine } from "../shared/text/lineFeeds.ts";
import { bibEntries } from "./cite/bibtex.ts";
import { citedUrl, factsOf } from "./cite/citable.ts";
import type { SearchHit, StoredResult, StoredSearch } from "./results/storedResult.ts";
import { hitSite } from "./search/toHits.ts";

/** A web page to link to or cite. */
export interface Source {
  readonly title: string;
  readonly url: string;
  readonly date?: string;
}

/** Escapes Markdown. */
export function markdownText(text: string): string {
  return text
    .replace(/[\\`*_[\]<>#|~]|&(?=#?\w+;)/g, "\\$&")
    .replace(/^(\s*)([-+=])/, "$1\\$2")
    .replace(/^(\s*\d+)([.)])(?=\s|$)/, "$1\\$2");
}

/** A link in the syntax of a language, never with a password; the title alone without an address. */
export function toLink(source: Source, languageId: string): string {
  const title = oneLine(source.title);
  const url = citedUrl(source.url);
  if (url === "") return languageId === "markdown" ? markdownText(title) : title;
  switch (languageId) {
    case "markdown":
    case "mdx":
    case "quarto":
    case "rmd":
    case "chatagent":
    case "prompt":
      return `[${markdownText(title)}](<${markdownUrl(url)}>)`;
    case "html":
    case "vue":
    case "svelte":
    case "php":
      return `<a href="${htmlText(url)}">${htmlText(title)}</a>`;
    case "restructuredtext":
      return `\`${restructuredText(title)} <${url}>\`__`;
    case "asciidoc":
      return `link:${url}[${title.replaceAll("]", "\\]")}]`;
    case "latex":
    case "tex":
      return `\\href{${url.replace(/[%#]/g, "\\$&")}}{${latexText(title)}}`;
    default:
      return `${title} <${url}>`;
  }
}

/** A link with site, date and day of retrieval. An entry in BibTeX. */
export function sourceCitation(source: Source, languageId: string, atMs: number): string {
  const cited = { ...source, atMs };
  if (languageId === "bibtex") return bibEntries([cited], "").added.join("");
  return `${toLink(source, languageId)} (${factsOf(cited)})`;
}

/** A hit as Markdown: title, URL, facts and snippet. */
function hitToMarkdown(hit: SearchHit): string {
  const facts = [hitSite(hit.url), hit.date].filter(Boolean).map(markdownText).join(" · ");
  return `# ${markdownText(hit.title)}\n\n${hit.url === "" ? "" : `<${markdownUrl(hit.url)}>\n\n`}${facts}\n\n${markdownText(hit.snippet)}\n`;
}

/** A search with all hits, as Markdown. */
export function searchToMarkdown({ query, hits, atMs }: StoredSearch): string {
  const day = new Date(atMs).toISOString().slice(0, 16).replace("T", " ");
  const found = hits.length === 1 ? "1 result" : `${hits.length} results`;
  const items = hits.map((hit, index) => {
    const facts = [hitSite(hit.url), hit.date].filter(Boolean).map(markdownText).join(", ");
    const about = facts === "" ? "" : ` (${facts})`;
    const text = hit.snippet === "" ? "" : `\n\n   ${markdownText(hit.snippet)}`;
    return `${index + 1}. ${toLink(hit, "markdown")}${about}${text}`;
  });
  return `${[`# ${markdownText(query)}`, `Web search of ${day} UTC, ${found}.`, ...items].join("\n\n")}\n`;
}

type FrontMatter = Readonly<Record<string, string | number | undefined>>;

export function withFrontMatter(members: FrontMatter, text: string): string {
  return `${frontMatter(members)}${text.replaceAll("\r\n", "\n").trim()}\n`;
}

/** YAML front matter. A JSON string is valid YAML, too. */
export function frontMatter(members: FrontMatter): string {
  const lines = Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}: ${typeof value === "string" ? JSON.stringify(value) : value}`,
  );
  return `---\n${lines.join("\n")}\n---\n\n`;
}

/** A file name of letters, digits and hyphens. */
export function fileNameOfTitle(title: string, extension: string): string {
  const words = title
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, 60)
    .replace(/^-+|-+$/g, "");
  return `${words || "untitled"}.${extension}`;
}

/** Escapes a URL for use between angle brackets. */
export function markdownUrl(url: string): string {
  return url.replace(/[<>\\\s]/g, (character) => encodeURIComponent(character));
}

function htmlText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

const latexWords: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
};

/** Escapes LaTeX. */
export function latexText(text: string): string {
  return text.replace(/[\\{}%#&$_~^]/g, (character) => latexWords[character] ?? `\\${character}`);
}

/** Escapes the text of a link in reStructuredText. */
export function restructuredText(text: string): string {
  return text.replace(/[`<>\\*|]|_(?![\p{L}\p{N}])/gu, "\\$&");
}

export interface ResultText {
  /** A file name. */
  readonly name: string;
  readonly text: string;
  readonly languageId: "markdown" | "plaintext";
  /** The page or file that it is from. */
  readonly uri: string;
}

/** The document of a result, or of one of its hits. Undefined if its text was deleted. */
export function asText(stored: StoredResult, hit?: SearchHit, text?: string): ResultText | undefined {
  const languageId = "markdown";
  const searchUri = stored.kind === "search" ? `search:${encodeURIComponent(stored.query)}` : "";
  if (hit) {
    const uri = hit.url || searchUri;
    return { name: fileNameOfTitle(hit.title, "md"), text: hitToMarkdown(hit), languageId, uri };
  }
  if (stored.kind === "search") {
    const uri = searchUri;
    return { name: fileNameOfTitle(stored.query, "md"), text: searchToMarkdown(stored), languageId, uri };
  }
  if (text === undefined) return undefined;
  const date = new Date(stored.atMs).toISOString();
  if (stored.kind === "page") {
    const { title, url } = stored;
    const whole = withFrontMatter({ title, source: url, date }, text);
    return { name: fileNameOfTitle(title, "md"), text: whole, languageId, uri: url };
  }
  const { name, uri, tokens } = stored;
  // Raw text was requested, so no front matter is added.
  if (tokens === undefined) return { name: `${name}.txt`, text, languageId: "plaintext", uri };
  return { name: `${name}.md`, text: withFrontMatter({ source: name, date, tokens }, text), languageId, uri };
}

const mostCharacters = 120;

/** The title of a page: its first heading, else its URL. */
export function pageTitle(markdown: string, url: string): string {
  const heading = /^#{1,3}[ \t]+(.+)$/m.exec(markdown.slice(0, 20_000))?.[1] ?? "";
  const words = oneLine(plainText(heading)).slice(0, mostCharacters);
  return words || `${hitSite(url)}${new URL(url).pathname.replace(/\/$/, "")}`;
}

/** A line of Markdown as it reads: without links, tags and marks of emphasis, and what was escaped as itself. */
export function plainText(markdown: string): string {
  const escaped: string[] = [];
  // A private character stands for each escaped one meanwhile.
  const hidden = markdown.replace(/\\([!-/:-@[-`{-~])/g, (_, sign: string) => {
    escaped.push(sign);
    return "\ue000";
  });
  const plain = hidden
    .replace(/!?\[([^\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, "$1")
    .replace(/<\/?(?:sup|sub|br)\s*\/?>/gi, "")
    .replace(/(\*{1,3}|~~|`+)(?=\S)(.+?)(?<=\S)\1/g, "$2")
    .replace(/(?<![\p{L}\p{N}_])(_{1,3})(?=\S)([^_]+?)(?<=\S)\1(?![\p{L}\p{N}_])/gu, "$2")
    .replace(/[ \t]+#+[ \t]*$/, "")
    .replace(/&(amp|lt|gt|quot|#x20);/g, (_, name: string) => entities[name] ?? "");
  return plain.replaceAll("\ue000", () => escaped.shift() ?? "");
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x20": " " };
