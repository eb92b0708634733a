/** What can go along with a question. */
export type AttachmentKind =
  | "file"
  | "selection"
  | "editor"
  | "problems"
  | "terminal"
  | "folder"
  | "image"
  | "document";

/** A document goes as it is and the service reads it, or as the text that its parser made of it before. */
export type DocumentWay = "file" | "text";

/** What is known of an attachment wherever it is shown and kept. Its content lies in a blob of the host. */
export interface Attachment {
  readonly id: string;
  readonly kind: AttachmentKind;
  /** Path in the workspace, or the file's name. */
  readonly name: string;
  /** What part of it, or what was done to it: `lines 2 to 4`, `the first 256 KB of 3.1 MB`. */
  readonly detail?: string;
  readonly mediaType: string;
  readonly bytes: number;
  /** An estimate; null where nobody knows before the service has read it. */
  readonly tokens: number | null;
  /** Name of the blob with its content; empty while it is read. */
  readonly blob: string;
  /** Where it was taken from. */
  readonly uri?: string;
  /** Its first line there, counted from 1. */
  readonly line?: number;
  readonly languageId?: string;
  /** Pixels, of an image. */
  readonly width?: number;
  readonly height?: number;
  /** Of a document. */
  readonly way?: DocumentWay;
  /** The blob with the text that the parser made of a document. */
  readonly textBlob?: string;
  /** What is still under way: it can't be sent. */
  readonly pending?: "reading" | "parsing" | "scaling";
}

/** What an @-mention, a button or a drop asks for. */
export type AttachRequest =
  | { readonly kind: "uri"; readonly uri: string }
  /** `code` is the selection, or the whole editor where nothing is selected. */
  | { readonly kind: "selection" | "editor" | "code" | "problems" | "terminal" };

/** One row of the completion after `@`. */
export interface Mention {
  readonly request: AttachRequest;
  readonly icon: AttachmentKind;
  readonly name: string;
  readonly detail?: string;
}

/** What the completion offers for what was typed after `@`. */
export interface Mentions {
  readonly query: string;
  readonly items: readonly Mention[];
}

/** Pixels of the largest image that the service takes (spec E5, E13; it names none for chats). */
export const maxImagePixels = 33_177_600;
/** Bytes of the largest image: with base64 and the rest of a question it fits the 35 MB of a request (wire.md section 3). */
export const maxImageBytes = 15 * 1024 * 1024;
/** Bytes of the largest document (spec E9). */
export const maxDocumentBytes = 25 * 1024 * 1024;
/** Bytes that a view may hand over at once: images may be larger than what is sent, they are scaled down. */
export const maxHandedBytes = 64 * 1024 * 1024;

/** Width and height within the bounds, of the same shape; as they are where they fit. */
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
