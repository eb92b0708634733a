import { formatBytes } from "../../../shared/chatAttachments.ts";
import { fenced } from "../../../shared/fence.ts";

/** Bytes of a text that go along; of more, the beginning goes. */
export const maxTextBytes = 256 * 1024;

export interface Cut {
  readonly text: string;
  /** Says what was left out. */
  readonly detail?: string;
}

/** As much of a text as goes along, ending with a whole line. */
export function cutText(text: string, maxBytes = maxTextBytes): Cut {
  const bytes = Buffer.from(text);
  if (bytes.byteLength <= maxBytes) return { text };
  // A character that is cut in two is decoded to a sign of its own, which goes with its line.
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

/** A text under a line that says where it is from. */
export function toPromptBlock({ name, detail, languageId }: TextHeader, text: string): string {
  const head = detail === undefined ? name : `${name} (${detail})`;
  return `${head}:\n${fenced(text.replaceAll("\r\n", "\n"), languageId === "plaintext" ? "" : languageId)}\n`;
}
