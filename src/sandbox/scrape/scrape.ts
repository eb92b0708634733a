import { badField, Refusal } from "../refusal.ts";
import type { WorkerPool } from "../work/workerPool.ts";
import { type Download, DownloadError, type DownloadFault, download } from "./download.ts";

/** spec E4: the format is markdown. */
export interface ScrapedPage {
  readonly url: string;
  readonly content: string;
  readonly format: "markdown";
}

const bounds = { maxBytes: 5 * 1024 * 1024, timeoutMs: 20_000 } as const;
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
  const page = await download(url, { accept, signal, ...bounds }).catch((error: unknown) => {
    throw error instanceof DownloadError ? refusalOf(error) : error;
  });
  return { url, content: await contentOf(page, workerPool, signal), format: "markdown" };
}

function refusalOf({ fault, message }: DownloadError): Refusal {
  return statuses[fault] === 400
    ? badField(["url"], message)
    : new Refusal(500, `The page can't be read: ${message}`);
}

async function contentOf(page: Download, workerPool: WorkerPool, signal: AbortSignal): Promise<string> {
  const type = page.contentType.split(";")[0]?.trim() ?? "";
  const text = decodePage(page.bytes, page.contentType);
  if (type === "text/html" || type === "application/xhtml+xml" || (type === "" && /<html[\s>]/i.test(text))) {
    return workerPool.run("pagesToMarkdown", [{ html: text, url: page.url }], signal);
  }
  if (type.startsWith("text/") || type === "") return text;
  if (/\b(json|xml)$/.test(type)) return `\`\`\`\n${text}\n\`\`\``;
  throw badField(["url"], `Must be a page of text, this is ${type}`);
}

/** Decodes a page by the charset in its header or its first kilobyte, else as UTF-8. */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  const named = charsetIn(contentType) ?? charsetIn(head) ?? "utf-8";
  try {
    return new TextDecoder(named).decode(bytes);
  } catch {
    // The charset is unknown. UTF-8 keeps at least the ASCII text.
    return new TextDecoder().decode(bytes);
  }
}

function charsetIn(text: string): string | undefined {
  return /charset\s*=\s*["']?\s*([\w-]+)/i.exec(text)?.[1];
}
