import { badField, Refusal } from "../refusal.ts";
import type { WorkerPool } from "../work/workerPool.ts";
import { type Download, DownloadError, type DownloadFault, download } from "./download.ts";
import { refreshAddress } from "./refresh.ts";

/** spec E4: the format is markdown. */
export interface ScrapedPage {
  readonly url: string;
  readonly content: string;
  readonly format: "markdown";
}

const bounds = { maxBytes: 5 * 1024 * 1024, timeoutMs: 20_000 } as const;
/** Pages that send a browser on. */
const maxRefreshes = 5;
/** Sites that offer markdown are asked for it first (spec E4). */
const accept = "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.1";
/** spec, Errors: a blocked target is a 400. wire.md section 7: so is a private host; an unreachable one is a 500. */
const statuses: Readonly<Record<DownloadFault, 400 | 500>> = {
  blocked: 400,
  private: 400,
  unreachable: 500,
  "too-large": 500,
};

/** A page as markdown. Throws a Refusal if it is blocked or can't be read. */
export async function scrape(url: string, workerPool: WorkerPool, signal: AbortSignal): Promise<ScrapedPage> {
  return { url, content: await new Reading(url, workerPool, signal).content(), format: "markdown" };
}

/** What a page has for a reader, or where it sends a browser. */
interface Found {
  readonly content: string;
  readonly next: string | undefined;
  readonly needsScripts: boolean;
}

/** The pages of one call: a page can send a browser to another, by `meta` or by a header. */
class Reading {
  readonly #start: string;
  readonly #workerPool: WorkerPool;
  readonly #signal: AbortSignal;

  constructor(start: string, workerPool: WorkerPool, signal: AbortSignal) {
    this.#start = start;
    this.#workerPool = workerPool;
    this.#signal = signal;
  }

  async content(): Promise<string> {
    const seen = new Set<string>();
    let address = this.#start;
    for (let refreshes = 0; ; refreshes++) {
      const page = await this.#download(address);
      const { content, next, needsScripts } = await this.#read(page);
      seen.add(address).add(page.url);
      // A page that loads itself again is read as it is.
      if (next === undefined || seen.has(next)) {
        if (content.trim() === "" || needsScripts) throw withoutText(needsScripts);
        return content;
      }
      if (refreshes === maxRefreshes)
        throw new Refusal(
          500,
          `The page can't be read: ${this.#start} sends a browser on more than ${maxRefreshes} times`,
        );
      address = next;
    }
  }

  /** Each page is checked like the first: the address of the next is what a page says. */
  #download(address: string): Promise<Download> {
    return download(address, { accept, signal: this.#signal, ...bounds }).catch((error: unknown) => {
      throw error instanceof DownloadError ? refusalOf(error) : error;
    });
  }

  async #read(page: Download): Promise<Found> {
    const type = page.contentType.split(";")[0]?.trim() ?? "";
    const { bytes, contentType } = page;
    const text = await this.#workerPool.run("decodePage", { bytes, contentType }, this.#signal);
    if (
      type === "text/html" ||
      type === "application/xhtml+xml" ||
      (type === "" && /<html[\s>]/i.test(text))
    ) {
      const html = { html: type === "application/xhtml+xml" ? withEndTags(text) : text, url: page.url };
      const { markdown, refresh, needsScripts } = await this.#workerPool.run("readPage", html, this.#signal);
      return { content: markdown, next: headerTarget(page) ?? refresh, needsScripts };
    }
    const found = { next: headerTarget(page), needsScripts: false };
    if (type.startsWith("text/") || type === "") return { ...found, content: text };
    if (/\b(json|xml)$/.test(type)) return { ...found, content: `\`\`\`\n${text}\n\`\`\`` };
    throw badField(["url"], typeProblem(type));
  }
}

const withoutEnd = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/;

/** XHTML as HTML: in XML each element can be empty, in HTML an empty `script` would take the rest of the page. */
function withEndTags(xhtml: string): string {
  const plain = xhtml.replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, text: string) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
  );
  return plain.replace(
    /<([a-zA-Z][\w:-]*)((?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/>/g,
    (tag, name: string, attributes: string) =>
      withoutEnd.test(name) ? tag : `<${name}${attributes}></${name}>`,
  );
}

function headerTarget({ refresh, url }: Download): string | undefined {
  const address = refreshAddress(refresh);
  return address !== undefined && URL.canParse(address, url) ? new URL(address, url).href : undefined;
}

function typeProblem(type: string): string {
  return `Must be a page of text, this is ${type}`;
}

/** Not charged, like each call that fails. */
function withoutText(needsScripts: boolean): Refusal {
  return badField(
    ["url"],
    needsScripts ? "This page has its text only with JavaScript" : "This page has no text",
  );
}

function refusalOf({ fault, message }: DownloadError): Refusal {
  return statuses[fault] === 400
    ? badField(["url"], message)
    : new Refusal(500, `The page can't be read: ${message}`);
}
