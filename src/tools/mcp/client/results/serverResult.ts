import { formatBytes } from "../../../../shared/chat/chatAttachments.ts";
import { type Members, membersOf } from "../../../../shared/members.ts";
import { visibleLine } from "../../../../shared/text/html/visibleText.ts";
import { shortened } from "../../../../shared/text/shortened.ts";
import type { ServerResult } from "../connection/serverConnection.ts";

/** A result as text, and its pictures. The text says where a picture was. */
export interface ReadResult {
  readonly text: string;
  readonly pictures: readonly Uint8Array[];
}

const maxParts = 1_000;
/** Characters of all parts: what is kept of a result is less. */
const maxLength = 16_000_000;
const maxPictures = 8;
const maxPictureBytes = 5 * 1024 * 1024;

/** Reads a result part by part. One that can't be read is named. */
export function readResult({ content, structuredContent }: Omit<ServerResult, "isError">): ReadResult {
  const texts: string[] = [];
  const pictures: Uint8Array[] = [];
  let length = 0;
  for (const part of content.slice(0, maxParts)) {
    const read = readPart(membersOf(part), pictures.length < maxPictures);
    const text = typeof read === "string" ? read : `[Picture ${pictures.length + 1}]`;
    if (typeof read !== "string") pictures.push(read);
    if (length + text.length > maxLength) {
      texts.push("[The rest is too long and was left out.]");
      break;
    }
    length += text.length;
    texts.push(text);
  }
  if (content.length > maxParts) texts.push(`[${content.length - maxParts} more parts were left out.]`);
  return { text: withStructure(texts, structuredContent), pictures };
}

/** A server should send its structured result as text, too; then it is not repeated. */
function withStructure(texts: readonly string[], structured: Members | undefined): string {
  const plain = texts.join("\n");
  if (structured === undefined) return plain === "" ? "(The result is empty.)" : plain;
  const json = JSON.stringify(structured);
  const isThere = texts.some((text) => text.length < 2 * json.length + 1_000 && isJsonOf(text, json));
  return isThere || json.length > maxLength ? plain : [...texts, json].join("\n");
}

function isJsonOf(text: string, json: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === json;
  } catch {
    return false;
  }
}

/** The text of a part, or the bytes of a picture. */
function readPart(part: Members, takesPictures: boolean): string | Uint8Array {
  const { type, text, data, mimeType, resource, uri, name } = part;
  if (type === "text" && typeof text === "string") return text;
  if (type === "image" && typeof data === "string") return readPicture(data, takesPictures);
  if (type === "audio" && typeof data === "string")
    return `[Audio (${short(mimeType)}, ${sizeOf(data)}): a model of this chat can't hear it, so it was left out.]`;
  if (type === "resource") return resourceText(membersOf(resource), takesPictures);
  if (type === "resource_link") return `[Link to a resource: ${short(name)} ${short(uri)}]`;
  return `[A part of the type ${short(type)} can't be read.]`;
}

function resourceText({ uri, text, blob, mimeType }: Members, takesPictures: boolean): string | Uint8Array {
  if (typeof text === "string") return `[Resource ${short(uri)}]\n${text}`;
  if (typeof blob !== "string") return `[The resource ${short(uri)} can't be read.]`;
  if (typeof mimeType === "string" && /^image\/(png|jpeg|gif|webp)$/.test(mimeType))
    return readPicture(blob, takesPictures);
  return `[Resource ${short(uri)} (${short(mimeType)}, ${sizeOf(blob)}): it is no text, so it was left out.]`;
}

function readPicture(base64: string, takesPictures: boolean): string | Uint8Array {
  if (!takesPictures) return `[A picture: only the first ${maxPictures} are shown.]`;
  if (base64.length > (maxPictureBytes * 4) / 3 + 4)
    return `[A picture of ${sizeOf(base64)} was left out: at most ${formatBytes(maxPictureBytes)} are shown.]`;
  return Buffer.from(base64, "base64");
}

function sizeOf(base64: string): string {
  return formatBytes(Buffer.byteLength(base64, "base64"));
}

function short(value: unknown): string {
  return typeof value === "string" ? shortened(visibleLine(value), 300) : "unknown";
}
