import { formatBytes } from "../../../../shared/chat/chatAttachments.ts";
import { fenced } from "../../../../shared/text/fence.ts";

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

/**
 * The text of a file in UTF-8, of which these bytes may be the beginning. Undefined if they are no UTF-8: the characters
 * that stand for the rest would be taken for its text.
 */
export function utf8Text(bytes: Uint8Array, size = bytes.byteLength): string | undefined {
  try {
    // A character that is cut is waited for, and left out.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, {
      stream: size > bytes.byteLength,
    });
  } catch {
    return undefined;
  }
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

interface FileProblems {
  readonly path: string;
  readonly problems: readonly {
    /** Counted from 1. */
    readonly line: number;
    readonly column: number;
    readonly severity: "error" | "warning" | "info" | "hint";
    readonly message: string;
    /** The tool that reported it, and its code. */
    readonly source: string;
  }[];
}

const maxProblems = 200;
const maxMessage = 1000;
const order = ["error", "warning", "info", "hint"];

/** Problems as lines, errors first. Undefined without problems. */
export function problemsText(
  files: readonly FileProblems[],
): { readonly text: string; readonly detail: string } | undefined {
  const all = files.flatMap(({ path, problems }) => problems.map((problem) => ({ path, ...problem })));
  if (all.length === 0) return undefined;
  const sorted = all.toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
  const lines = sorted.slice(0, maxProblems).map(({ path, line, column, severity, message, source }) => {
    const words = message.replace(/\s*\n\s*/g, " ").slice(0, maxMessage);
    return `${path}:${line}:${column} ${severity}: ${words}${source === "" ? "" : ` [${source}]`}`;
  });
  const words = all.length === 1 ? "1 problem" : `${all.length} problems`;
  return {
    text: lines.join("\n"),
    detail: all.length > maxProblems ? `the first ${maxProblems} of ${words}` : words,
  };
}
