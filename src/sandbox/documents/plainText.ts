import { viewOf } from "../../shared/bytes.ts";
import { hasOnlyTextBytes } from "../../shared/documents/otherDocument.ts";
import { decoded, detectedEncoding } from "../encoding/detectEncoding.ts";
import { badField } from "../refusal.ts";

/** Bytes that decide. What is later in a file can't change the encoding of its beginning. */
const headBytes = 65_536;

type Marked = "utf-8" | "utf-16le" | "utf-16be" | "utf-32le" | "utf-32be";

const marks: readonly (readonly [mark: string, encoding: Marked])[] = [
  ["fffe0000", "utf-32le"],
  ["0000feff", "utf-32be"],
  ["fffe", "utf-16le"],
  ["feff", "utf-16be"],
  ["efbbbf", "utf-8"],
];

/** True for text in any encoding, by its first bytes; the text itself can still be refused. */
export function looksLikeText(bytes: Uint8Array): boolean {
  return markedEncoding(bytes) !== undefined || wideEncoding(bytes) !== undefined || hasOnlyTextBytes(bytes);
}

/**
 * The text of a file: by its byte order mark, as UTF-16 by its zero bytes, as UTF-8, else in the encoding whose text
 * reads like a language. Throws a 400 if there is none.
 */
export async function readPlainText(bytes: Uint8Array): Promise<string> {
  const wide = markedEncoding(bytes) ?? wideEncoding(bytes);
  if (wide === "utf-32le" || wide === "utf-32be") return utf32Text(viewOf(bytes), wide === "utf-32le");
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes);
  const utf8 = decoded(bytes, "utf-8");
  if (utf8 !== undefined) return escapedText(bytes, utf8);
  const encoding = await detectedEncoding(bytes);
  if (encoding === undefined)
    throw badField(["file"], "The encoding of the text is not known: save it as UTF-8");
  return new TextDecoder(encoding).decode(bytes);
}

/** ISO-2022-JP is ASCII with escapes that change its meaning. */
function escapedText(bytes: Uint8Array, text: string): string {
  const head = text.slice(0, headBytes);
  if (!head.includes("\u001b$@") && !head.includes("\u001b$B")) return text;
  return decoded(bytes, "iso-2022-jp") ?? text;
}

function markedEncoding(bytes: Uint8Array): Marked | undefined {
  const start = Buffer.from(bytes.subarray(0, 4)).toString("hex");
  return marks.find(([mark]) => start.startsWith(mark))?.[1];
}

/** UTF-16 and UTF-32 without a mark: in most languages the upper bytes of many characters are zero. */
function wideEncoding(bytes: Uint8Array): Marked | undefined {
  const head = bytes.subarray(0, headBytes);
  if (head.length < 2 || head.length % 2 > 0 || !head.includes(0)) return undefined;
  if (head.length % 4 === 0) {
    const view = viewOf(head);
    if (isUtf32(view, true)) return "utf-32le";
    if (isUtf32(view, false)) return "utf-32be";
  }
  // A line end, a blank or a digit is in the text of each language.
  const [best] = (["utf-16le", "utf-16be"] as const)
    .map((encoding) => ({ encoding, text: decoded(head, encoding) ?? "" }))
    .filter(({ text }) => isReadable(text))
    .map(({ encoding, text }) => ({ encoding, ascii: text.match(/[\n\r\t -~]/g)?.length ?? 0 }))
    .toSorted((one, other) => other.ascii - one.ascii);
  return best && best.ascii > 0 ? best.encoding : undefined;
}

/** Each character has at least eleven zero bits, and the text reads like one: four other bytes can have them, too. */
function isUtf32(view: DataView, isLittle: boolean): boolean {
  for (let offset = 0; offset + 4 <= view.byteLength; offset += 4)
    if (view.getUint32(offset, isLittle) > 0x10ffff || view.getUint32(offset, isLittle) === 0) return false;
  const text = utf32Text(view, isLittle);
  return isReadable(text) && /[\n\r\t -~]/.test(text);
}

/** Text of bytes that were read in the wrong width has characters of many scripts, or none. */
function isReadable(text: string): boolean {
  const odd =
    text
      .replaceAll("\u001b", "")
      .replace(/\s/g, "")
      .match(/[\p{Cc}\p{Co}\p{Cn}\ufffd]/gu)?.length ?? 0;
  return odd <= text.length / 100 && /[\s\p{P}\p{L}\p{N}]/u.test(text);
}

function utf32Text(view: DataView, isLittle: boolean): string {
  const pieces: string[] = [];
  for (let offset = 0; offset + 4 <= view.byteLength; offset += 4) {
    const code = view.getUint32(offset, isLittle);
    pieces.push(code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code));
  }
  return pieces.join("").replace(/^\ufeff/, "");
}
