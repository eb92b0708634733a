import { detectedEncoding, headText } from "../../encoding/detectEncoding.ts";
import { charsetIn, declaredEncoding, encodingNamed } from "./prescan.ts";

/** Bytes that decide about an encoding that nobody names. */
const headBytes = 65_536;

/**
 * Decodes a page as browsers do: by its byte order mark, by the charset of the header, by what its first kilobyte
 * declares, and without any of them by its bytes: as UTF-8 if they are, in the encoding whose text reads like a language,
 * else as windows-1252.
 */
export async function decodePage(bytes: Uint8Array, contentType: string): Promise<string> {
  const encoding =
    markedEncoding(bytes) ??
    encodingNamed(charsetIn(contentType) ?? "") ??
    wideEncoding(bytes) ??
    declaredEncoding(bytes) ??
    (await guessedEncoding(bytes.subarray(0, headBytes)));
  return new TextDecoder(encoding === "x-user-defined" ? "windows-1252" : encoding).decode(bytes);
}

function markedEncoding(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xff && second === 0xfe ? "utf-16le" : undefined;
}

/** UTF-16 without a mark, of a page that begins with a tag. */
function wideEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 4)).toString("hex");
  if (/^3c00[^0].00|^3c00[2-7].00/.test(start)) return "utf-16le";
  return /^003c00/.test(start) ? "utf-16be" : undefined;
}

/**
 * The encoding of a beginning that names none: as its bytes read, among those of the page's language if it names one. The
 * detector has few bytes of a short page.
 */
async function guessedEncoding(head: Uint8Array): Promise<string> {
  if (headText(head, "utf-8") !== undefined) return hasEscapes(head) ? "iso-2022-jp" : "utf-8";
  const html = Buffer.from(head).toString("latin1");
  const language = /<html[^>]*\blang\s*=\s*["']?([a-z]{2,3})/i.exec(html)?.[1]?.toLowerCase() ?? "";
  const usual = (byLanguage[language] ?? []).filter((encoding) => headText(head, encoding) !== undefined);
  const detected = await detectedEncoding(head);
  const [first] = usual;
  if (first !== undefined && (detected === undefined || !usual.includes(detected))) return first;
  return detected ?? "windows-1252";
}

const cyrillic = ["windows-1251", "koi8-r", "koi8-u", "iso-8859-5", "ibm866"];
const easternEuropean = ["windows-1250", "iso-8859-2"];
const baltic = ["windows-1257"];

/** The encodings of a language. The first is the one that browsers fall back to, but for Japanese: what is EUC-JP is seldom Shift_JIS. */
const byLanguage: Readonly<Record<string, readonly string[]>> = {
  ja: ["euc-jp", "shift_jis"],
  ko: ["euc-kr"],
  zh: ["gb18030", "big5"],
  ru: cyrillic,
  uk: cyrillic,
  be: cyrillic,
  bg: cyrillic,
  mk: cyrillic,
  sr: cyrillic,
  el: ["windows-1253"],
  he: ["windows-1255"],
  ar: ["windows-1256"],
  fa: ["windows-1256"],
  tr: ["windows-1254"],
  th: ["windows-874"],
  vi: ["windows-1258"],
  pl: easternEuropean,
  cs: easternEuropean,
  sk: easternEuropean,
  hu: easternEuropean,
  sl: easternEuropean,
  hr: easternEuropean,
  lt: baltic,
  lv: baltic,
  et: baltic,
};

function hasEscapes(head: Uint8Array): boolean {
  const text = Buffer.from(head).toString("latin1");
  return text.includes("\u001b$B") || text.includes("\u001b$@");
}
