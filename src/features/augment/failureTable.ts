import { type ApiError, isApiError } from "../../api/errors.ts";
import { markdownText } from "./writing.ts";

export interface FailedRow {
  /** An address, or a file's name. */
  readonly name: string;
  /** A sentence. */
  readonly reason: string;
}

/** What failed of many, as a table in markdown. */
export function failureTable(title: string, rows: readonly FailedRow[]): string {
  const lines = rows.map(({ name, reason }) => `| ${cell(name)} | ${cell(reason)} |`);
  const head = ["| What | Why |", "| --- | --- |"];
  return `# ${markdownText(title)}\n\n${[...head, ...lines].join("\n")}\n`;
}

function cell(text: string): string {
  return markdownText(text.replace(/\s+/g, " ").trim());
}

/** A sentence for a page or document that failed through no fault of the service; undefined for other errors. */
export function failureWords(name: string, error: unknown): string | undefined {
  if (!isApiError(error)) return undefined;
  if (error.details.endpoint?.startsWith("augment.parse")) return documentWords(name, error);
  return error.details.endpoint === "augment.scrape" ? pageWords(name, error) : undefined;
}

function documentWords(name: string, { kind, message, details }: ApiError): string | undefined {
  if (kind !== "invalid-request") return undefined;
  const said = details.issues?.find(({ field }) => field === "file")?.message ?? message;
  if (/\b(locked|password|encrypted)\b/i.test(said)) {
    return `${name} is locked with a password. Save a copy of it without one, and read that.`;
  }
  if (/\bscanned\b|\bno text\b/i.test(said)) {
    return `There is no text in ${name}: scanned pages are pictures, and those are not read.`;
  }
  if (/\bdamaged\b|\bcorrupt/i.test(said)) return `${name} is damaged: no text can be read from it.`;
  return undefined;
}

/** The service says which answer the page's own server gave, as part of an error of its own (wire.md section 7). */
function pageWords(url: string, { message }: ApiError): string | undefined {
  const [, host = "", status = ""] = /(\S+) answered (\d{3})\b/.exec(message) ?? [];
  if (status === "404" || status === "410") {
    return `There is no page at ${url}: ${host} answered ${status}. Check the address.`;
  }
  if (status === "401" || status === "403") {
    return `${url} is not for everyone: ${host} answered ${status}. Pages behind a sign-in are not read.`;
  }
  return status === "" ? undefined : `${url} can't be read now: ${host} answered ${status}.`;
}
