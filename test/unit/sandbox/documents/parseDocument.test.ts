// The text parser on files of office suites: their content, whatever their names, and refusals.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { strToU8, unzipSync, zipSync } from "fflate";
import { parseText } from "../../../../src/sandbox/documents/handlers.ts";
import { officeMarkdown } from "../../../../src/sandbox/documents/office/officeMarkdown.ts";
import { readStyles } from "../../../../src/sandbox/documents/office/officeStyles.ts";
import { kindOf, parseDocument } from "../../../../src/sandbox/documents/parseDocument.ts";
import { assertRefused, call, jsonIn, mediaState, part, refusalOf } from "../sandboxMedia.ts";

const fixture = (name: string) => readFile(new URL(`../../fixtures/documents/${name}`, import.meta.url));
const state = mediaState();
const parse = (input: object) => call(parseText, state, input);

describe("reading", () => {
  test("PDF: its pages in order", async () => {
    const pages = (await parseDocument(await fixture("harvest.pdf"))).split("\n\n");
    assert.equal(pages.length, 2);
    assert.match(
      pages[0] ?? "",
      /^Harvest report\nThe orchard gave 1,250 kg of apples – “très bon”, said Zoë\.\n/,
    );
    assert.match(pages[0] ?? "", /September 700 kg$/);
    assert.equal(pages[1], "Second page: storage is cold & dry.");
  });

  test("DOCX: headings, paragraphs, lists and tables, as markdown", async () => {
    const lines = [
      "# Harvest report",
      "",
      "The orchard gave **1,250 kg** of apples – “très bon”, said Zoë.",
      "",
      "- Early apples",
      "- Late apples",
      "",
      "| Month | Weight |",
      "| --- | --- |",
      "| September | 700 kg |",
      "",
      "Second page: storage is cold & dry.",
    ];
    assert.equal(await parseDocument(await fixture("harvest.docx")), lines.join("\n"));
  });

  test("PPTX: slides with their notes, in the order of the presentation", async () => {
    const deck = await fixture("deck.pptx");
    const slides = [
      "Opening: the harvest & the frost\n\nSecond line\n\nSpeaker notes: Speak slowly here",
      "| Fruit | Price |\n| --- | --- |\n| Plum | 3 € |",
    ];
    assert.equal(await parseDocument(deck), slides.join("\n\n"));
    const parts = unzipSync(deck);
    const main = Buffer.from(parts["ppt/presentation.xml"] ?? []).toString();
    const [list = ""] = /<p:sldIdLst>.*<\/p:sldIdLst>/.exec(main) ?? [];
    const [first = "", second = ""] = list.match(/<p:sldId [^>]*\/>/g) ?? [];
    const turned = main.replace(list, `<p:sldIdLst>${second}${first}</p:sldIdLst>`);
    const other = zipSync({ ...parts, "ppt/presentation.xml": strToU8(turned) });
    assert.equal(await parseDocument(other), slides.toReversed().join("\n\n"));
  });

  test("XLSX: sheets under their names, with dates, and results of formulas", async () => {
    const sheets = [
      "## Stock\n\n| Item | Amount | When |\n| --- | --- | --- |\n| Apples | 1250.5 | 2026-09-01 |\n| Twice | 2501 |  |",
      "## Notes\n\n| Keep <cold> | 1 |\n| --- | --- |",
    ];
    assert.equal(await parseDocument(await fixture("book.xlsx")), sheets.join("\n\n"));
  });

  test("plain text: UTF-8, UTF-16 in both byte orders, and Windows code pages", async () => {
    const text = "Grüße – 東京";
    const utf16 = Buffer.from(`\ufeff${text}`, "utf16le");
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\ufeff${text}`),
      utf16,
      Buffer.from(utf16).swap16(),
    ]) {
      assert.equal(await parseDocument(bytes), text);
    }
    assert.equal(await parseDocument(Buffer.from("Gr\xfc\xdfe", "latin1")), "Grüße");
  });

  test("the format is detected from the content", async () => {
    const kinds = { "harvest.pdf": "pdf", "harvest.docx": "docx", "deck.pptx": "pptx", "book.xlsx": "xlsx" };
    for (const [name, kind] of Object.entries(kinds)) assert.equal(kindOf(await fixture(name)), kind);
    assert.equal(kindOf(Buffer.from("# A page\n\x1b[1mbold\x1b[0m")), "text");
    for (const bytes of [
      Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]),
      zipSync({ "a.txt": strToU8("a") }),
      Buffer.alloc(9, 1),
    ]) {
      assert.equal(kindOf(bytes), undefined);
    }
  });

  test("deleted text and alternative content is omitted; nested tables stay in their cell", () => {
    const xml = `<w:document xmlns:w="w" xmlns:mc="mc"><w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr>
      <w:r><w:t>a</w:t><w:tab/><w:t xml:space="preserve"> b &lt;</w:t><w:br/><w:t><![CDATA[<c>]]></w:t></w:r>
      <w:del><w:r><w:delText>gone</w:delText></w:r></w:del>
      <mc:AlternateContent><mc:Choice><w:t>box</w:t></mc:Choice><mc:Fallback><w:t>box</w:t></mc:Fallback></mc:AlternateContent></w:p>
      <w:tbl><w:tr><w:tc><w:p><w:r><w:t>1</w:t></w:r></w:p><w:p><w:r><w:t>2</w:t></w:r></w:p></w:tc>
      <w:tc><w:tbl><w:tr><w:tc><w:p><w:t>x</w:t></w:p></w:tc></w:tr></w:tbl></w:tc></w:tr></w:tbl></w:document>`;
    assert.equal(officeMarkdown(xml), "a\t b <\n<c>box\n\n| 1 2 | x |\n| --- | --- |");
  });

  test("headings by their style in any language, lists of several levels, numbered lists", () => {
    const styles = readStyles(
      `<w:styles xmlns:w="w"><w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style></w:styles>`,
      `<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl>
        <w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num></w:numbering>`,
    );
    const item = (level: number, text: string) =>
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="3"/></w:numPr></w:pPr><w:t>${text}</w:t></w:p>`;
    const heading = `<w:p><w:pPr><w:pStyle w:val="berschrift2"/></w:pPr><w:t>Äpfel</w:t><w:br/><w:t>|</w:t></w:p>`;
    const items = [item(0, "one"), item(1, "below"), item(0, "two")].join("");
    const xml = `<w:document xmlns:w="w">${heading}${items}<w:p/><w:p><w:t>End</w:t></w:p></w:document>`;
    assert.equal(officeMarkdown(xml, styles), "## Äpfel |\n\n1. one\n    - below\n2. two\n\nEnd");
  });

  test("titles of slides are headings, their placeholders lists; pipes are escaped in cells", () => {
    const shape = (kind: string, ...lines: string[]) =>
      `<p:sp><p:nvPr>${kind}</p:nvPr>${lines.join("")}</p:sp>`;
    const line = (text: string, level = 0) =>
      `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${text}</a:t></a:r></a:p>`;
    const cell = (text: string) => `<a:tc>${line(text)}</a:tc>`;
    const xml = `<p:sld xmlns:p="p" xmlns:a="a">${shape('<p:ph type="title"/>', line("Plan"))}
      ${shape('<p:ph idx="1"/>', line("first"), line("deeper", 1))}${shape("", line("A box"))}
      <a:tbl><a:tr>${cell("a|b")}${cell("c")}</a:tr></a:tbl></p:sld>`;
    assert.equal(
      officeMarkdown(xml, undefined, true),
      "## Plan\n\n- first\n    - deeper\n\nA box\n\n| a\\|b | c |\n| --- | --- |",
    );
  });
});

describe("refusing", () => {
  test("scans, encrypted files and files without text", async () => {
    await assertRefused(
      async () => parseDocument(await fixture("scanned.pdf")),
      "file",
      /no text in the file/,
    );
    await assertRefused(async () => parseDocument(await fixture("locked.pdf")), "file", /password/);
    await assertRefused(() => parseDocument(Buffer.from(" \n\t ")), "file", /no text/);
  });

  test("other formats, and damaged files of each supported format", async () => {
    await assertRefused(
      () => parseDocument(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0])),
      "file",
      /PDF, DOCX, PPTX/,
    );
    for (const name of ["harvest.pdf", "harvest.docx", "deck.pptx", "book.xlsx"]) {
      const whole = await fixture(name);
      const cut = whole.subarray(0, Math.floor(whole.length / 2));
      await assertRefused(() => parseDocument(cut), "file");
    }
    const broken = { "word/document.xml": strToU8("<w:document><w:p><w:t>never closed") };
    await assertRefused(() => parseDocument(zipSync(broken)), "file", /damaged/);
    await assertRefused(() => parseDocument(zipSync({ "xl/workbook.xml": strToU8("<workbook/>") })), "file");
  });

  test("a small file that decompresses to a large one", async () => {
    const parts = {
      "word/document.xml": strToU8("<a/>"),
      "word/media.bin": new Uint8Array(257 * 1024 * 1024),
    };
    const bomb = zipSync(parts, { level: 1 });
    assert.ok(bomb.length < 5_000_000);
    await assertRefused(() => parseDocument(bomb), "file", /unpacks to more/);
  });
});

describe("over the wire", () => {
  test("as JSON with the number of tokens, or as plain text", async () => {
    const file = part(await fixture("harvest.docx"), "photo.png", "image/png");
    for (const input of [{ file }, { file, response_format: "json" }]) {
      const { text, tokens } = jsonIn(await parse(input)) as { text: string; tokens: number };
      assert.match(text, /^# Harvest report/);
      assert.ok(tokens > 30 && tokens < 100, String(tokens));
    }
    const { body } = await parse({ file, response_format: "text" });
    assert.equal(body.kind, "text");
    assert.match(
      body.kind === "text" ? `${body.contentType} ${body.text}` : "",
      /^text\/plain.* # Harvest report/,
    );
  });

  test("each broken rule is reported with its field", async () => {
    const file = part(Buffer.from("text"));
    await assertRefused(() => parse({}), "file");
    await assertRefused(() => parse({ file: "text" }), "file");
    await assertRefused(() => parse({ file, response_format: "xml" }), "response_format");
    await assertRefused(() => parse({ file, language: "de" }), "");
    await assertRefused(() => parse({ file: part(new Uint8Array()) }), "file", /empty/);
    await assertRefused(() => parse({ file: part(Buffer.from([0, 1, 2])) }), "file");
  });

  test("25 MB are accepted, one byte more is a 413", async () => {
    const most = Buffer.alloc(25 * 1024 * 1024, "word and word again \n");
    const { body } = await parse({ file: part(most), response_format: "text" });
    assert.equal(body.kind === "text" && body.text.length, most.toString().trim().length);
    assert.equal(
      (await refusalOf(() => parse({ file: part(Buffer.concat([most, Buffer.from("!")])) }))).status,
      413,
    );
  });
});
