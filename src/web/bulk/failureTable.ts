import { type ApiError, isApiError } from "../../api/errors/errors.ts";
import { documentWords } from "../../platform/documentWords.ts";
import { oneLine } from "../../shared/text/lineFeeds.ts";
import { markdownText } from "../writing.ts";

export interface FailedRow {
  /** A URL or a file name. */
  readonly name: string;
  /** A sentence. */
  readonly reason: string;
}

/** A Markdown table of failures. */
export function failureTable(title: string, rows: readonly FailedRow[]): string {
  const lines = rows.map(({ name, reason }) => `| ${nameCell(name)} | ${cell(reason)} |`);
  const head = ["| Item | Reason |", "| --- | --- |"];
  return `# ${markdownText(title)}\n\n${[...head, ...lines].join("\n")}\n`;
}

/** An address as a link that nothing in it can break, other names as text. Never with a password. */
function nameCell(name: string): string {
  const address = withoutPassword(name);
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return cell(address);
  return `<${address.replace(/[<>\s|]/g, encodeURIComponent)}>`;
}

/** An address without what identifies a user. */
export function withoutPassword(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#\s]*@/i, "$1");
}

function cell(text: string): string {
  return markdownText(oneLine(text));
}

/** A sentence for a page or document that failed through no fault of the service; undefined for other errors. */
export function failureWords(name: string, error: unknown): string | undefined {
  if (!isApiError(error)) return undefined;
  if (error.details.endpoint?.startsWith("augment.parse"))
    return documentWords(name, error) ?? wordsOfReadingHere(name, error);
  return error.details.endpoint === "augment.scrape" ? pageWords(name, error) : undefined;
}

/** Nothing was sent, so no service did not accept it. */
function wordsOfReadingHere(name: string, { kind, message, details }: ApiError): string | undefined {
  if (kind !== "invalid-request" || details.mayHaveArrived !== false) return undefined;
  return `${name} can't be read on this machine. ${message.replace(/[^.!?]$/, "$&.")}`;
}

/** The service says in its own error what the page's server answered, or that it did not (wire.md section 7). */
function pageWords(address: string, { message }: ApiError): string | undefined {
  const url = withoutPassword(address);
  const [, host = "", status = ""] = /(\S+) answered (\d{3})\b/.exec(message) ?? [];
  if (status === "404" || status === "410") {
    return `There is no page at ${url}: ${host} answered ${status}. Check the address.`;
  }
  if (status === "401" || status === "403") {
    return `${url} is not public: ${host} answered ${status}. Pages that need a sign-in can't be read.`;
  }
  if (status !== "") return `${url} can't be read now: ${host} answered ${status}.`;
  return connectionWords(url, message) ?? contentWords(url, message);
}

/** The host could not be reached. The codes are those of Node.js. */
function connectionWords(url: string, message: string): string | undefined {
  const host = URL.canParse(url) ? new URL(url).host : url;
  const [, named = host, code = ""] =
    /(?:(\S+) could not be reached: )?\b(ENOTFOUND|EAI_\w+|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_\w+|no answer within|CERT_\w+|\w*_CERT\w*|ERR_TLS\w*|DEPTH_ZERO\w*)/.exec(
      message,
    ) ?? [];
  if (code === "ENOTFOUND") return `${named} has no address. Check its spelling.`;
  if (code.startsWith("EAI_")) return `The address of ${named} could not be looked up. Try again later.`;
  if (code === "ECONNREFUSED")
    return `${named} accepts no connections. Check the address, or try again later.`;
  if (/CERT|TLS|DEPTH/.test(code)) return `${named} has no valid certificate (${code}), so it was not read.`;
  if (code !== "") return `${named} did not answer. Try again later.`;
  if (/redirects more than|sends a browser on more than/.test(message))
    return `${host} sends each reader in a circle, so ${url} can't be read.`;
  return undefined;
}

function contentWords(url: string, message: string): string | undefined {
  if (/only with JavaScript/.test(message))
    return `${url} has its text only with JavaScript, which was not run. Open it in the browser. Nothing was charged.`;
  if (/This page has no text/.test(message)) return `${url} has no text. Nothing was charged.`;
  if (/has more than \d+ bytes/.test(message)) return `${url} is too large to be read.`;
  const type = /Must be a page of text, this is ([\w.+/-]+)/.exec(message)?.[1];
  if (type === undefined) return undefined;
  return documents.test(type)
    ? `${url} is a document (${type}). Save it, and read it with Parse Documents.`
    : `${url} is no page of text (${type}). Open it in the browser.`;
}

const documents = /^application\/(?:pdf|msword|vnd\.(?:openxmlformats|ms-))/;
