// The encoding of a page, as browsers decide it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodePage } from "../../../../../src/sandbox/scrape/encoding/decodePage.ts";

const latin = (text: string) => Buffer.from(text, "latin1");
const asHtml = (bytes: Uint8Array, contentType = "text/html") => decodePage(bytes, contentType);

test("a byte order mark wins over the header, and the header over the page", async () => {
  assert.equal(await asHtml(Buffer.from("\ufeffé"), "text/html; charset=iso-8859-1"), "é");
  assert.equal(await asHtml(Buffer.from("é"), 'text/html; charset="utf-8"'), "é");
  assert.equal(
    await asHtml(Buffer.from("é<meta charset=latin1>"), "text/html;charset=UTF-8"),
    "é<meta charset=latin1>",
  );
  assert.equal(await asHtml(Buffer.from("feff00e9", "hex"), "text/html; charset=utf-8"), "é");
});

test("a declaration is found where browsers look for it, and nowhere else", async () => {
  const own = "<meta charset=iso-8859-1>";
  for (const head of [
    own,
    "<META CHARSET = 'ISO-8859-1' />",
    '<meta content="text/html;charset=latin1" http-equiv="Content-Type">',
    "<!doctype html><title>a</title >\n<meta\tcharset=latin1>",
    '<?xml version="1.0" encoding="iso-8859-1"?><html>',
    `<!-- <meta charset=utf-8> -->${own}`,
    `<!-->${own}`,
    `<script src="a.js" charset="shift_jis"></script>${own}`,
    `<script>a = "<meta charset=utf-8>"</script>${own}`,
    `<title><meta charset=utf-8></title>${own}`,
    `<a title="<meta charset=utf-8>">${own}`,
    `<meta name=a content="text/html; charset=utf-8">${own}`,
    `<meta charset=no-such-thing>${own}`,
    `<style>${"a".repeat(2_000)}</style>${own}`,
  ]) {
    assert.ok((await asHtml(latin(`${head}<p>d\xe9j\xe0 \u0041`))).endsWith("déjà A"), head);
  }
  // Its letters are single bytes, so it is not in UTF-16.
  assert.ok((await asHtml(Buffer.from("<meta charset=utf-16>é"))).endsWith("é"));
});

test("without a declaration the bytes decide", async () => {
  assert.equal(await asHtml(Buffer.from("<p>déjà")), "<p>déjà");
  assert.equal(await asHtml(latin("<p>d\xe9j\xe0 \x93vu\x94")), "<p>déjà “vu”");
  assert.equal(await asHtml(latin("<p>Gr\xfc\xdfe aus K\xf6ln")), "<p>Grüße aus Köln");
  for (const [encoding, hex, text] of [
    ["shift_jis", "93fa967b8cea82cc83658358836782cd82b182b182c9", "日本語のテストはここに"],
    ["euc-jp", "c6fccbdcb8eca4cea5c6a5ada5b9a5c8", "日本語のテキスト"],
    ["gb18030", "d5e2cac7d2bbb8f6d6d0cec4b5c4cdf8d2b3", "这是一个中文的网页"],
    ["big5", "b36fac4fa440add3a4a4a4e5aababaf4adb6", "這是一個中文的網頁"],
    ["euc-kr", "c7d1b1b9beee20b9aebcad", "한국어 문서"],
    ["windows-1251", "fdf2ee20f0f3f1f1eae8e920f2e5eaf1f2", "это русский текст"],
    ["koi8-r", "dcd4cf20d2d5d3d3cbc9ca20d4c5cbd3d4", "это русский текст"],
  ] as const) {
    const read = await asHtml(Buffer.concat([latin("<p>"), Buffer.from(hex, "hex")]));
    assert.ok(read.startsWith(`<p>${text}`), `${encoding}: ${read}`);
  }
  assert.equal(await asHtml(Buffer.from("<p>é", "utf16le")), "<p>é");
});

test("the language of the page decides between encodings that its bytes allow", async () => {
  const page = (language: string, hex: string) =>
    asHtml(Buffer.concat([latin(`<html lang=${language}><p>`), Buffer.from(hex, "hex")]));
  assert.ok((await page("el", "c5ebebe7ede9eadc")).endsWith("Ελληνικά"));
  // The words 東京都, and Москва in KOI8-R, which the first encoding of the language could also be.
  assert.ok((await page("ja", "c5ecb5fec5d4")).endsWith("東京都"));
  assert.ok((await page("ru", "edcfd3cbd7c1")).endsWith("Москва"));
  // A page in English says nothing about them.
  assert.ok((await page("en", "edcfd3cbd7c1")).endsWith("Москва"));
});
