// The encoding of a text file is found, or the file is refused; what is read is never other text without a word.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import iconv from "iconv-lite";
import { parseDocument } from "../../../../src/sandbox/documents/parseDocument.ts";
import { randomCases } from "../../../runner/cases.ts";

const texts: Readonly<Record<string, readonly string[]>> = {
  shift_jis: ["日本語の文章", "これはテストです。", "カタカナとひらがな、漢字", "東京都の天気は晴れです"],
  "euc-jp": ["日本語の文章", "これはテストです。", "東京都の天気は晴れです"],
  gb18030: ["这是一个中文文本", "你好，世界", "合同编号：2024年第五号，甲方与乙方"],
  big5: ["這是一個中文文本", "你好，世界", "繁體中文測試文件，請確認內容"],
  "euc-kr": ["안녕하세요 세계", "이것은 한국어 문장입니다.", "서울특별시 강남구"],
  "windows-1251": ["Привет, мир!", "Это русский текст.", "Отчёт за 2024 год: прибыль выросла"],
  "koi8-r": ["Привет, мир!", "Это русский текст."],
  "iso-8859-5": ["Это русский текст."],
  cp866: ["Привет, мир!", "Отчёт за 2024 год"],
  "koi8-u": ["Привіт, світе! Їжак"],
  "windows-1252": [
    "déjà vu",
    "Grüße",
    "Où est l'été ?",
    "garçon, cœur, €5 – “très bien”",
    "Straße in München",
  ],
  "windows-1250": ["Zażółć gęślą jaźń", "Łódź jest piękna", "Příliš žluťoučký kůň"],
  "iso-8859-2": ["Zażółć gęślą jaźń"],
  "windows-1253": ["Καλημέρα κόσμε"],
  "windows-1255": ["שלום עולם"],
  "windows-1256": ["مرحبا بالعالم"],
  "iso-2022-jp": ["日本語の文章"],
};

describe("encodings", () => {
  for (const [encoding, all] of Object.entries(texts))
    for (const text of all.filter(() => encoding !== "iso-2022-jp"))
      test(`${encoding}: ${text}`, async () => {
        assert.equal(await parseDocument(iconv.encode(text, encoding)), text);
        const note = `Note 12, see below.\r\n\r\n${text}\r\n`;
        assert.equal(await parseDocument(iconv.encode(note, encoding)), note.trim());
      });

  test("ISO-2022-JP, whose bytes are ASCII", async () => {
    const bytes = Buffer.from("\u001b$BF|K\\8l\u001b(B text", "latin1");
    assert.equal(await parseDocument(bytes), "日本語 text");
  });

  test("UTF-8, UTF-16 and UTF-32 with a mark, and the wide ones without", async () => {
    const character = fc.constantFrom(..."aZ9 .,\n-éßпд東日本の語😀한");
    const words = fc.string({ unit: character, minLength: 4, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(words, async (word) => {
        const text = `Title\n${word}\nend`;
        for (const encoding of ["utf-16le", "utf-16be", "utf-32le", "utf-32be", "utf8"])
          for (const addBOM of [true, false])
            assert.equal(await parseDocument(iconv.encode(text, encoding, { addBOM })), text, encoding);
      }),
      { numRuns: randomCases(100) },
    );
  });

  test("random Japanese, Chinese, Korean and Cyrillic sentences", async () => {
    const kinds = ["shift_jis", "euc-jp", "gb18030", "big5", "euc-kr", "windows-1251", "koi8-r"] as const;
    const plan = fc.constantFrom(...kinds).chain((encoding) => {
      const some = fc.array(fc.constantFrom(...(texts[encoding] ?? [])), { minLength: 2, maxLength: 8 });
      return some.map((sentences) => ({ encoding, text: sentences.join("\n") }));
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ encoding, text }) => {
        assert.equal(await parseDocument(iconv.encode(text, encoding)), text);
      }),
      { numRuns: randomCases(100) },
    );
  });

  test("bytes that are no text in any encoding are refused with what to do", async () => {
    let state = 1;
    const noise = Uint8Array.from({ length: 600 }, () => {
      state = (state * 1103515245 + 12345) & 0x7fffffff;
      return 0x80 + ((state >> 16) % 128);
    });
    await assert.rejects(parseDocument(noise), {
      message: /encoding of the text is not known: save it as UTF-8/,
    });
  });
});

describe("text about other formats", () => {
  test("a note that mentions %PDF- is text, a file with other bytes before the header is a PDF", async () => {
    for (const note of [
      "The file starts with %PDF-1.7 in its first line.",
      "%PDF-1.4 is a header.",
      "# %PDF-2.0\n1 0 R",
    ])
      assert.equal(await parseDocument(Buffer.from(note)), note);
    const cut = Buffer.from("junk\n%PDF-1.4\n1 0 obj\n<<>>\nendobj\n");
    await assert.rejects(parseDocument(cut), { message: "The PDF file is damaged" });
  });
});
