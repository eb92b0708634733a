import { type ApiError, isApiError } from "../../api/errors/errors.ts";
import { documentWords } from "../../platform/documentWords.ts";
import { markdownText } from "../writing.ts";

export interface FailedRow {
  /** A URL or a file name. */
  readonly name: string;
  /** A sentence. */
  readonly reason: string;
}

/** A Markdown table of failures. */
export function failureTable(title: string, rows: readonly FailedRow[]): string {
  const lines = rows.map(({ name, reason }) => `| ${cell(name)} | ${cell(reason)} |`);
  const head = ["| Item | Reason |", "| --- | --- |"];
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

/** The service quotes the HTTP status of the page's server in its own error (wire.md section 7). */
function pageWords(url: string, { message }: ApiError): string | undefined {
  const [, host = "", status = ""] = /(\S+) answered (\d{3})\b/.exec(message) ?? [];
  if (status === "404" || status === "410") {
    return `There is no page at ${url}: ${host} answered ${status}. Check the address.`;
  }
  if (status === "401" || status === "403") {
    return `${url} is not public: ${host} answered ${status}. Pages that need a sign-in can't be read.`;
  }
  return status === "" ? undefined : `${url} can't be read now: ${host} answered ${status}.`;
}
