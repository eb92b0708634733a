import type { AnswerSource } from "./answerSource.ts";

/** Kinds of attachment of a question. */
export type AttachmentKind =
  | "file"
  | "selection"
  | "editor"
  | "problems"
  | "terminal"
  | "folder"
  | "image"
  | "document";

/**
 * `file`: the service reads the document itself. `text`: the client sends the text that the parser extracted before.
 */
export type DocumentMode = "file" | "text";

/** An attachment, as views show it and the conversation stores it. The host stores its content in a blob. */
export interface Attachment {
  readonly id: string;
  readonly kind: AttachmentKind;
  /** Path in the workspace, or the file's name. */
  readonly name: string;
  /** The part that is attached, or a change made to it: `lines 2 to 4`, `the first 256 KB of 3.1 MB`. */
  readonly detail?: string;
  readonly mediaType: string;
  readonly bytes: number;
  /** An estimate; null if only the service can read the content. */
  readonly tokens: number | null;
  /** Name of the blob with its content; empty while it is being read. */
  readonly blob: string;
  /** The source. */
  readonly uri?: string;
  /** Its first line in the source, counted from 1. */
  readonly line?: number;
  readonly languageId?: string;
  /** Pixels, for an image. */
  readonly width?: number;
  readonly height?: number;
  /** For a document. */
  readonly way?: DocumentMode;
  /** The blob with the text that the parser extracted from a document. */
  readonly textBlob?: string;
  /** For a page that the question brings as a numbered source. */
  readonly source?: AnswerSource;
  /** A step in progress; the attachment can't be sent until it ends. */
  readonly pending?: "reading" | "parsing" | "scaling";
}

/** A request of an @-mention, a button or a drop. */
export type AttachRequest =
  | { readonly kind: "uri"; readonly uri: string }
  /** `code` is the selection, or the whole editor if nothing is selected. */
  | { readonly kind: "selection" | "editor" | "code" | "problems" | "terminal" };

/** One row of the completion after `@`. */
export interface Mention {
  readonly request: AttachRequest;
  readonly icon: AttachmentKind;
  readonly name: string;
  readonly detail?: string;
}

/** Completions for the text after `@`. */
export interface Mentions {
  readonly query: string;
  readonly items: readonly Mention[];
}

/** Pixels of the largest image that the service takes (spec E5, E13; the spec sets no limit for chats). */
export const maxImagePixels = 33_177_600;
/**
 * Bytes of the largest image. As base64, with the rest of the question, it fits into the 35 MB of a request (wire.md
 * section 3).
 */
export const maxImageBytes = 15 * 1024 * 1024;
/** Bytes of the largest document (spec E9). */
export const maxDocumentBytes = 25 * 1024 * 1024;
/**
 * Bytes of a file that a view may pass to the host. Images may exceed the limit for sending because they are scaled
 * down.
 */
export const maxHandedBytes = 64 * 1024 * 1024;

/** Scales width and height down to the bounds and keeps the aspect ratio. */
export function fitPixels(width: number, height: number, maxPixels = maxImagePixels): [number, number] {
  if (width * height <= maxPixels) return [width, height];
  const scale = Math.sqrt(maxPixels / (width * height));
  return [Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale))];
}

const units = ["bytes", "KB", "MB", "GB"] as const;

/** 3250585 → "3.1 MB". */
export function formatBytes(bytes: number): string {
  let [size, unit] = [bytes, 0];
  for (; size >= 1000 && unit < units.length - 1; unit++) size /= 1024;
  return `${size < 10 && unit > 0 ? size.toFixed(1).replace(/\.0$/, "") : Math.round(size)} ${units[unit]}`;
}
