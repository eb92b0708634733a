import { formatBytes } from "../../../shared/chatAttachments.ts";
import { fenced } from "../../../shared/fence.ts";

/** Limit of a text in bytes; a longer one is cut. */
export const maxTextBytes = 256 * 1024;

export interface Cut {
  readonly text: string;
  /** Describes the omitted part. */
  readonly detail?: string;
}

/** The beginning of a text up to the limit, ending with a whole line. */
export function cutText(text: string, maxBytes = maxTextBytes): Cut {
  const bytes = Buffer.from(text);
  if (bytes.byteLength <= maxBytes) return { text };
  // A character cut in two is decoded as U+FFFD, and dropped with its line.
  const whole = bytes.subarray(0, maxBytes).toString("utf8");
  const end = whole.lastIndexOf("\n");
  return {
    text: end > 0 ? whole.slice(0, end + 1) : whole.replace(/\ufffd$/, ""),
    detail: `the first ${formatBytes(maxBytes)} of ${formatBytes(bytes.byteLength)}`,
  };
}

export interface TextHeader {
  readonly name: string;
  readonly detail?: string | undefined;
  readonly languageId?: string | undefined;
}

/** A text with a header line that names its source. */
export function toPromptBlock({ name, detail, languageId }: TextHeader, text: string): string {
  const head = detail === undefined ? name : `${name} (${detail})`;
  return `${head}:\n${fenced(text.replaceAll("\r\n", "\n"), languageId === "plaintext" ? "" : languageId)}\n`;
}
