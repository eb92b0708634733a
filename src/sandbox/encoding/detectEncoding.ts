/** The detector takes a tenth of a second for these. */
const detectedBytes = 16_384;

/** The encodings that are looked for, by the detector's names, which no decoder knows for some. */
const encodings: Readonly<Record<string, string>> = {
  cp932: "shift_jis",
  shift_jis: "shift_jis",
  "euc-jp": "euc-jp",
  gb18030: "gb18030",
  big5: "big5",
  cp949: "euc-kr",
  "euc-kr": "euc-kr",
  "windows-1252": "windows-1252",
  "windows-1250": "windows-1250",
  "windows-1251": "windows-1251",
  "windows-1253": "windows-1253",
  "windows-1254": "windows-1254",
  "windows-1255": "windows-1255",
  "windows-1256": "windows-1256",
  "windows-1257": "windows-1257",
  "koi8-r": "koi8-r",
  "koi8-u": "koi8-u",
  "iso-8859-2": "iso-8859-2",
  "iso-8859-5": "iso-8859-5",
  ibm866: "ibm866",
  cp874: "windows-874",
  "tis-620": "windows-874",
};

/**
 * The encoding of bytes that are not UTF-8 and name no encoding: the one whose text reads like a language. Undefined if
 * there is none.
 */
export async function detectedEncoding(bytes: Uint8Array): Promise<string | undefined> {
  // Digits and blanks say nothing about the encoding: what is looked at begins with the first other byte.
  const first = bytes.findIndex((byte) => byte > 127);
  const head = bytes.subarray(Math.max(0, first - 256), first + detectedBytes);
  const japanese = japaneseEncoding(head);
  if (japanese !== undefined) return japanese;
  const { detectAll } = await import("jschardet");
  const guesses = detectAll(head, { detectEncodings: Object.keys(encodings), minimumThreshold: 0 });
  const possible = guesses
    .map(({ encoding }) => encodings[encoding?.toLowerCase() ?? ""])
    .filter((encoding) => encoding !== undefined)
    .filter((encoding, index, all) => all.indexOf(encoding) === index)
    .map((encoding) => ({ encoding, text: headText(head, encoding) }));
  const found = possible.find(({ text }) => text !== undefined && isLanguage(text))?.encoding;
  return found === undefined ? undefined : latinEncoding(head, found);
}

/**
 * The detector counts letters, of which a short text has too few: text of Western Europe alone is no text of its East, and
 * the letters of Icelandic without its accents are those of Turkish.
 */
function latinEncoding(head: Uint8Array, found: string): string {
  const western = decoded(head, "windows-1252") ?? "";
  const foreign = western.match(/[^\0-\x7f]/gu) ?? [];
  if (/^(?:windows-125[0147]|iso-8859-2)$/.test(found) && foreign.every((each) => westernLetters.has(each)))
    return "windows-1252";
  const isTurkish = found === "windows-1252" && /[ýþðÝÞ]/.test(western) && !/[áéíóúæ]/i.test(western);
  return isTurkish ? "windows-1254" : found;
}

const westernLetters = new Set("ÀÂÄÆÇÈÉÊËÎÏÔÖÙÛÜŒÑÁÍÓÚÃÕÅØàâäæçèéêëîïôöùûüœñáíóúãõåøß¿¡«»“”‘’„–—…€°\u00a0");

/** Kana are in few bytes of the encodings of Japanese, so short texts are known without statistics. */
function japaneseEncoding(head: Uint8Array): string | undefined {
  return ["euc-jp", "shift_jis"].find((encoding) => {
    const foreign = headText(head, encoding)?.match(/[^\0-\x7f]/gu) ?? [];
    const kana = foreign.filter((character) => character >= "ぁ" && character <= "ヿ").length;
    return (
      kana > foreign.length / 3 &&
      foreign.every((each) => /[\p{sc=Han}\p{P}\p{S}\p{N}\p{L}\u3000]/u.test(each))
    );
  });
}

/** The text of a beginning, whose last character can be cut. Undefined if the bytes are not of this encoding. */
export function headText(head: Uint8Array, encoding: string): string | undefined {
  for (const cut of [0, 1, 2, 3]) {
    const text = decoded(head.subarray(0, head.length - cut), encoding);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Words of one script without signs between their letters, and no control characters. */
function isLanguage(text: string): boolean {
  if (/[\u{80}-\u{9f}]/u.test(text)) return false;
  const mixed = text.match(
    /\p{sc=Latin}(?=[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Hebr}\p{sc=Arab}])|[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Hebr}\p{sc=Arab}](?=\p{sc=Latin})/gu,
  );
  if ((mixed?.length ?? 0) > text.length / 500) return false;
  const signs = /\p{L}(?:[¡-§¨-ª¬®-¶¸-º¼-¿×÷]\p{L}|[\u2500-\u259f])|[\u2500-\u259f]\p{L}/u.test(text);
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return letters > 0 && !signs;
}

/** The text of bytes in an encoding. Undefined if they are not of it. */
export function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
