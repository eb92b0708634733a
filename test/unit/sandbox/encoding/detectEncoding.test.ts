// Pages and text files that name no encoding are read alike: in the one whose text reads like a language.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readPlainText } from "../../../../src/sandbox/documents/plainText.ts";
import { decodePage } from "../../../../src/sandbox/scrape/encoding/decodePage.ts";

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** The bytes of each character that has one or two of them. */
function tableOf(encoding: string): ReadonlyMap<string, readonly number[]> {
  const known = tables.get(encoding);
  if (known) return known;
  const decoder = new TextDecoder(encoding);
  const table = new Map<string, readonly number[]>();
  const add = (bytes: readonly number[]) => {
    const text = decoder.decode(Uint8Array.from(bytes));
    if ([...text].length === 1 && text !== "\ufffd" && !table.has(text)) table.set(text, bytes);
  };
  for (let byte = 0; byte < 256; byte++) add([byte]);
  for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) add([lead, trail]);
  tables.set(encoding, table);
  return table;
}

function encode(text: string, encoding: string): Buffer {
  const table = tableOf(encoding);
  return Buffer.from(
    [...text].flatMap((character) => {
      const bytes = table.get(character);
      assert.ok(bytes, `${encoding} has no ${character}`);
      return bytes;
    }),
  );
}

const texts: Readonly<Record<string, readonly string[]>> = {
  shift_jis: ["日本語のテキストです。", "東京都", "お知らせ", "会社概要", "価格：千円"],
  "euc-jp": ["日本語のテキストです。", "お知らせ", "本日は晴天なり。明日は雨が降るでしょう。"],
  gb18030: ["这是一个中文的网页", "北京大学", "公司简介 联系我们", "人民日报社论：关于改革开放的若干问题"],
  big5: ["這是一個中文的網頁", "新聞中心", "公司簡介 聯絡我們", "關於我們的服務與產品，請參閱說明。"],
  "euc-kr": ["한국어 문서", "안녕하세요", "서울특별시는 오늘 새로운 정책을 발표했다."],
  "windows-1251": ["это русский текст", "Москва", "Це український текст із літерами їєґ."],
  "koi8-r": ["это русский текст", "Новости и события"],
  "koi8-u": ["Це український текст із літерами їєґ."],
  "iso-8859-5": ["О компании", "В начале было слово, и слово было у Бога."],
  ibm866: ["Новости и события"],
  "windows-1253": ["Ελληνικά κείμενα είναι εδώ.", "Αθήνα"],
  "windows-1255": ["שלום עולם, זה טקסט בעברית."],
  "windows-1256": ["مرحبا بالعالم هذا نص عربي طويل قليلا."],
  "windows-874": ["สวัสดีชาวโลก นี่คือข้อความภาษาไทย", "หน้าแรก"],
  "windows-1254": ["Türkçe metin şöyle: ığüşöç İstanbul", "Hakkımızda"],
  "windows-1250": ["Zażółć gęślą jaźń, proszę państwa.", "Příliš žluťoučký kůň úpěl ďábelské ódy."],
  "iso-8859-2": ["Więcej informacji o firmie znajdą państwo poniżej."],
  "windows-1252": [
    "déjà vu",
    "L’été à la plage – c’est là où il fait chaud",
    "Noël",
    "Grüße aus Köln",
    "¿Qué tal?",
  ],
};

for (const [encoding, all] of Object.entries(texts)) {
  test(`text in ${encoding} is read in a page and in a file`, async () => {
    for (const text of all) {
      const bytes = encode(text, encoding);
      assert.equal(await readPlainText(bytes), text);
      const page = Buffer.concat([
        Buffer.from("<html><title>"),
        bytes,
        Buffer.from("</title><body><p>"),
        bytes,
      ]);
      assert.equal(await decodePage(page, "text/html"), `<html><title>${text}</title><body><p>${text}`);
    }
  });
}
