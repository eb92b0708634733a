import { charsetIn, declaredEncoding, encodingNamed } from "./prescan.ts";

/** Bytes that decide about an encoding that nobody names. */
const headBytes = 65_536;

/**
 * Decodes a page as browsers do: by its byte order mark, by the charset of the header, by what its first kilobyte
 * declares, and without any of them by its bytes: as UTF-8 if they are, in an encoding of East Asia or a Cyrillic one if
 * they are text in it, else as windows-1252.
 */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const encoding =
    markedEncoding(bytes) ??
    encodingNamed(charsetIn(contentType) ?? "") ??
    wideEncoding(bytes) ??
    declaredEncoding(bytes) ??
    guessedEncoding(bytes.subarray(0, headBytes));
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

/** The encoding of a beginning that names none. */
function guessedEncoding(head: Uint8Array): string {
  if (isPossible(head, "utf-8")) return hasEscapes(head) ? "iso-2022-jp" : "utf-8";
  const html = Buffer.from(head).toString("latin1");
  const language = /<html[^>]*\blang\s*=\s*["']?([a-z]{2,3})/i.exec(html)?.[1]?.toLowerCase() ?? "";
  const named = byLanguage[language];
  if (named && isPossible(head, named)) return named;
  return eastAsian(head) ?? cyrillic(head) ?? "windows-1252";
}

/** The encodings that browsers fall back to, by the language of the page (WHATWG, "encoding sniffing algorithm"). */
const byLanguage: Readonly<Record<string, string>> = {
  ja: "shift_jis",
  ko: "euc-kr",
  zh: "gb18030",
  ru: "windows-1251",
  uk: "windows-1251",
  be: "windows-1251",
  bg: "windows-1251",
  mk: "windows-1251",
  sr: "windows-1251",
  el: "windows-1253",
  he: "windows-1255",
  ar: "windows-1256",
  fa: "windows-1256",
  tr: "windows-1254",
  th: "windows-874",
  vi: "windows-1258",
  pl: "iso-8859-2",
  cs: "windows-1250",
  sk: "windows-1250",
  hu: "iso-8859-2",
  sl: "iso-8859-2",
  hr: "windows-1250",
  lt: "windows-1257",
  lv: "windows-1257",
  et: "windows-1257",
};

/** The share of characters that are common in text of the language, among those that are not ASCII. */
const common: readonly (readonly [encoding: string, characters: RegExp])[] = [
  ["euc-jp", /[\p{sc=Hira}\p{sc=Kana}ー、。]/gu],
  ["shift_jis", /[\p{sc=Hira}ァ-ヶー、。]/gu],
  ["euc-kr", /[\p{sc=Hangul}]/gu],
  [
    "gb18030",
    /[的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长，。、]/gu,
  ],
  [
    "big5",
    /[的一是不了人我在有他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可她裡後小麼心多天而能好都然沒日於起還發成事只作當想看文無開手十用主行方又如前所本見經頭面公同三已老從動兩長，。、]/gu,
  ],
];

function eastAsian(head: Uint8Array): string | undefined {
  const scores = common.map(([encoding, characters]) => {
    const text = possibleText(head, encoding)?.replace(/\p{ASCII}/gu, "") ?? "";
    const odd = text.match(/[\p{Co}\p{Cn}\p{Cc}\uff61-\uff9f]/gu)?.length ?? 0;
    return {
      encoding,
      share: text === "" ? 0 : ((text.match(characters)?.length ?? 0) - 5 * odd) / text.length,
    };
  });
  const best = scores.toSorted((left, right) => right.share - left.share)[0];
  return best && best.share >= 0.15 ? best.encoding : undefined;
}

/** Cyrillic text is words of small letters, with a capital at most at their start. */
function cyrillic(head: Uint8Array): string | undefined {
  const scores = ["windows-1251", "koi8-r", "iso-8859-5", "ibm866"].map((encoding) => {
    const text = possibleText(head, encoding)?.replace(/\p{ASCII}/gu, " ") ?? "";
    const words = text.match(/[\p{L}\p{S}\p{P}\p{N}\x80-\x9f]+/gu) ?? [];
    const good = words.filter((word) => /^["«„(]?[А-ЯЁІЇЄҐ]?[а-яёіїєґ]+[.,;:!?)»“"]*$/.test(word));
    const length = (all: readonly string[]) => all.reduce((sum, { length: each }) => sum + each, 0);
    return { encoding, share: length(good) / Math.max(1, length(words)), letters: length(good) };
  });
  const best = scores.toSorted((left, right) => right.share - left.share)[0];
  return best && best.share > 0.7 && best.letters > 8 ? best.encoding : undefined;
}

function hasEscapes(head: Uint8Array): boolean {
  const text = Buffer.from(head).toString("latin1");
  return text.includes("\u001b$B") || text.includes("\u001b$@");
}

function isPossible(head: Uint8Array, encoding: string): boolean {
  return possibleText(head, encoding) !== undefined;
}

/** The text of a beginning, whose last character can be cut. Undefined if the bytes are not of this encoding. */
function possibleText(head: Uint8Array, encoding: string): string | undefined {
  for (let cut = 0; cut < 4; cut++) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(head.subarray(0, head.length - cut));
    } catch {
      // It is not of this encoding, or its last character is cut.
    }
  }
  return undefined;
}
