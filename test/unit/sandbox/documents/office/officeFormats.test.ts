// Lists, emphasis, links, notes, formulas and forms of DOCX files as markdown.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { strToU8, unzipSync, zipSync } from "fflate";
import { parseDocument } from "../../../../../src/sandbox/documents/parseDocument.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { docxOf } from "../../docxWriter.ts";

const textOf = (body: string, parts?: Readonly<Record<string, string>>) => parseDocument(docxOf(body, parts));
const p = (inner: string, properties = "") =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${inner}</w:p>`;
const r = (text: string, properties = "") =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const relationships = (...rows: string[]) => `<Relationships>${rows.join("")}</Relationships>`;
const relation = (id: string, type: string, target: string, more = "") =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}" ${more}/>`;

describe("lists", () => {
  const level = (index: number, format: string, text: string, start = 1) =>
    `<w:lvl w:ilvl="${index}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
  const numbering = (levels: string, more = "", nums = "") =>
    `<w:numbering><w:abstractNum w:abstractNumId="0">${levels}</w:abstractNum>${more}<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>${nums}</w:numbering>`;
  const item = (text: string, at = 0, list = 1) =>
    p(text === "" ? "" : r(text), `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr>`);
  const listOf = (body: string, xml: string) => textOf(body, { "word/numbering.xml": xml });

  test("numbers begin where the list begins, and go on after another paragraph", async () => {
    const xml = numbering(level(0, "decimal", "%1.", 5));
    assert.equal(
      await listOf(item("a") + item("b") + p(r("Text")) + item("c"), xml),
      "5. a\n6. b\n\nText\n\n7. c",
    );
  });

  test("letters, roman numbers, several levels in one label, and digits for outer levels", async () => {
    const levels =
      level(0, "upperLetter", "%1)") + level(1, "lowerRoman", "%1.%2") + level(2, "decimal", "(%3)");
    const body = item("a") + item("b", 1) + item("c", 1) + item("d", 2) + item("e") + item("f", 1);
    assert.equal(
      await listOf(body, numbering(levels)),
      "- A) a\n    - A.i b\n    - A.ii c\n        - (1) d\n- B) e\n    - B.i f",
    );
    const legal =
      level(0, "upperRoman", "%1") + level(1, "decimal", "%1.%2").replace("<w:numFmt", "<w:isLgl/><w:numFmt");
    assert.equal(await listOf(item("a") + item("b", 1), numbering(legal)), "- I a\n    - 1.1 b");
  });

  test("lists of one kind share their numbers, unless one begins again", async () => {
    const again = `<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>`;
    const xml = numbering(
      level(0, "decimal", "%1."),
      "",
      `<w:num w:numId="2"><w:abstractNumId w:val="0"/></w:num>${again}`,
    );
    const body = item("a") + p(r("-")) + item("b", 0, 2) + p(r("-")) + item("c", 0, 3) + item("d", 0, 3);
    assert.equal(await listOf(body, xml), "1. a\n\n-\n\n2. b\n\n-\n\n1. c\n2. d");
  });

  test("items without text are counted; a first item of a deep level is no code", async () => {
    const xml = numbering(level(0, "decimal", "%1.") + level(1, "bullet", ""));
    assert.equal(await listOf(item("a") + item("") + item("c"), xml), "1. a\n3. c");
    assert.equal(await listOf(item("deep", 1), xml), "- deep");
  });

  test("headings have the numbers that are shown; lists that refer to the list of a style", async () => {
    const styles = `<w:styles><w:style w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style></w:styles>`;
    const xml = numbering(level(0, "decimal", "%1").replace("<w:start", '<w:pStyle w:val="H1"/><w:start'));
    const head = p(r("Scope"), '<w:pStyle w:val="H1"/>');
    assert.equal(
      await textOf(head + head, { "word/styles.xml": styles, "word/numbering.xml": xml }),
      "# 1 Scope\n\n# 2 Scope",
    );
    const linked = `<w:numbering><w:abstractNum w:abstractNumId="4"><w:styleLink w:val="Own"/>${level(0, "lowerLetter", "%1.")}</w:abstractNum><w:abstractNum w:abstractNumId="5"><w:numStyleLink w:val="Own"/></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="5"/></w:num></w:numbering>`;
    assert.equal(await listOf(item("x") + item("y"), linked), "- a. x\n- b. y");
  });

  test("numbers in the formats of Word", async () => {
    const shown = async (format: string, start: number) =>
      (await listOf(item("x"), numbering(level(0, format, "[%1]", start)))).slice(2, -2);
    assert.equal(await shown("upperRoman", 1994), "[MCMXCIV]");
    assert.equal(await shown("lowerLetter", 28), "[bb]");
    assert.equal(await shown("decimalZero", 7), "[07]");
    assert.equal(await shown("ordinal", 22), "[22nd]");
    assert.equal(await shown("decimalEnclosedCircle", 3), "[③]");
    assert.equal(await shown("chineseCounting", 21), "[二十一]");
  });
});

describe("emphasis", () => {
  test("split runs are one, blanks stay outside, both nest", async () => {
    assert.equal(
      await textOf(p(r("a ") + r("bo", "<w:b/>") + r("ld ", "<w:b/>") + r("text"))),
      "a **bold** text",
    );
    assert.equal(await textOf(p(r("a", "<w:b/>") + r(" ") + r("b", "<w:b/>"))), "**a b**");
    assert.equal(await textOf(p(r("a", "<w:b/>") + r(" ", "<w:b/>") + r("b", "<w:b/>"))), "**a b**");
    assert.equal(
      await textOf(p(r("x ", "<w:b/>") + r("y", "<w:b/><w:i/>") + r(" z", "<w:i/>"))),
      "**x *y*** *z*",
    );
    assert.equal(await textOf(p(r("old", "<w:strike/>") + r(" new"))), "~~old~~ new");
  });

  test("marks that CommonMark would not read move before the punctuation", async () => {
    assert.equal(await textOf(p(r("Note:", "<w:b/>") + r("text"))), "**Note**:text");
    assert.equal(await textOf(p(r("Note:", "<w:b/>") + r(" text"))), "**Note:** text");
    assert.equal(await textOf(p(r("含") + r("「重点」", "<w:b/>") + r("内容"))), "含「**重点**」内容");
  });

  test("by styles: two that turn it on turn it off again, and what is set at the run decides", async () => {
    const styles = `<w:styles><w:style w:type="paragraph" w:styleId="Strong"><w:rPr><w:b/></w:rPr></w:style><w:style w:type="character" w:styleId="Em"><w:basedOn w:val="Base"/></w:style><w:style w:type="character" w:styleId="Base"><w:rPr><w:b/></w:rPr></w:style></w:styles>`;
    const strong = '<w:pStyle w:val="Strong"/>';
    const em = '<w:rStyle w:val="Em"/>';
    const of = (body: string) => textOf(body, { "word/styles.xml": styles });
    assert.equal(await of(p(r("a ") + r("b", em))), "a **b**");
    assert.equal(await of(p(r("a ") + r("b", em), strong)), "**a** b");
    assert.equal(await of(p(r("a ") + r("b", '<w:b w:val="0"/>'), strong)), "**a** b");
    assert.equal(await of(p(r("a"), `${strong}<w:outlineLvl w:val="0"/>`)), "# a");
  });

  test("hidden text is not shown; heads of tables have no marks", async () => {
    assert.equal(await textOf(p(r("a") + r("secret", "<w:vanish/>") + r("b"))), "ab");
    const cell = (text: string) => `<w:tc>${p(r(text, "<w:b/>"))}</w:tc>`;
    assert.equal(
      await textOf(`<w:tbl><w:tr>${cell("h")}</w:tr><w:tr>${cell("v")}</w:tr></w:tbl>`),
      "| h |\n| --- |\n| **v** |",
    );
  });

  test("random runs: the words are the same with and without marks", async () => {
    const run = fc.record({
      text: fc.constantFrom("a", "b ", " c", ":", " ", "(d)", "e.", "é"),
      marks: fc.subarray(["<w:b/>", "<w:i/>", "<w:strike/>"]),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 8 }), async (runs) => {
        const text = await textOf(
          p(r("X ") + runs.map((each) => r(each.text, each.marks.join(""))).join("")),
        );
        const plain = `X ${runs.map((each) => each.text).join("")}`.trim();
        assert.equal(text.replace(/\*|~~/g, ""), plain);
      }),
      { numRuns: randomCases(300) },
    );
  });
});

describe("raised text", () => {
  const raised = (text: string, at = "superscript") => r(text, `<w:vertAlign w:val="${at}"/>`);
  test("what Unicode has no signs for is marked, ordinals and long texts stay", async () => {
    assert.equal(await textOf(p(r("10") + raised("2.5"))), "10^(2.5)");
    assert.equal(await textOf(p(r("2") + raised("x"))), "2ˣ");
    assert.equal(await textOf(p(r("x") + raised("i", "subscript"))), "xᵢ");
    assert.equal(await textOf(p(r("1") + raised("st") + r(" Word") + raised("TM"))), "1st WordTM");
  });
});

describe("links and fields", () => {
  const parts = {
    "word/_rels/document.xml.rels": relationships(
      relation("l1", "hyperlink", "https://example.com/a?x=1&amp;y=2", 'TargetMode="External"'),
      relation("l2", "hyperlink", "https://example.com/a (b)", 'TargetMode="External"'),
      relation("l3", "hyperlink", "javascript:alert(1)", 'TargetMode="External"'),
    ),
  };
  const link = (attributes: string, text: string) => `<w:hyperlink ${attributes}>${r(text)}</w:hyperlink>`;

  test("links out of the document keep their address, those into it are text", async () => {
    assert.equal(
      await textOf(p(r("See ") + link('r:id="l1"', "this") + r(".")), parts),
      "See [this](https://example.com/a?x=1&y=2).",
    );
    assert.equal(await textOf(p(link('r:id="l2"', "b")), parts), "[b](<https://example.com/a (b)>)");
    assert.equal(await textOf(p(link('r:id="l3"', "c") + link('w:anchor="top"', "d")), parts), "cd");
    assert.equal(
      await textOf(p(link('r:id="l1"', "https://example.com/a?x=1&amp;y=2")), parts),
      "https://example.com/a?x=1&y=2",
    );
  });

  const field = (code: string, result: string) =>
    `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${code}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${result}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;

  test("fields show their result, and fields within their code nothing; a link of a field", async () => {
    assert.equal(await textOf(p(r("on ") + field("DATE", r("1 May")) + r("."))), "on 1 May.");
    const nested = `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>IF </w:instrText></w:r>${field("MERGEFIELD x", r("inner"))}<w:r><w:fldChar w:fldCharType="separate"/></w:r>${r("shown")}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    assert.equal(await textOf(p(nested)), "shown");
    assert.equal(
      await textOf(p(field(' HYPERLINK "https://example.com/" ', r("site")))),
      "[site](https://example.com/)",
    );
    assert.equal(await textOf(p(field(' HYPERLINK \\l "mark" ', r("here")))), "here");
  });

  test("forms: boxes, lists and content controls", async () => {
    const old = (inner: string) =>
      `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${inner}</w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    assert.equal(
      await textOf(p(old('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>') + r(" yes "))),
      "☒ yes",
    );
    assert.equal(await textOf(p(old('<w:checkBox><w:default w:val="0"/></w:checkBox>'))), "☐");
    assert.equal(
      await textOf(
        p(
          old(
            '<w:ddList><w:result w:val="1"/><w:listEntry w:val="red"/><w:listEntry w:val="blue"/></w:ddList>',
          ),
        ),
      ),
      "blue",
    );
  });
});

describe("notes", () => {
  test("footnotes, endnotes and comments are below the text, in the order of their marks", async () => {
    const note = (kind: string, id: number, text: string, more = "") =>
      `<w:${kind} w:id="${id}" ${more}>${p(r(text))}</w:${kind}>`;
    const body = p(
      `${r("One")}<w:r><w:footnoteReference w:id="3"/></w:r>${r(" two")}<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:endnoteReference w:id="2"/></w:r>${r(" three")}<w:r><w:commentReference w:id="0"/></w:r>`,
    );
    assert.equal(
      await textOf(body, {
        "word/footnotes.xml": `<w:footnotes>${note("footnote", 2, "Second.")}${note("footnote", 3, "First.")}</w:footnotes>`,
        "word/endnotes.xml": `<w:endnotes>${note("endnote", 2, "End.")}</w:endnotes>`,
        "word/comments.xml": `<w:comments>${note("comment", 0, "Sure?", 'w:author="Ada"')}</w:comments>`,
      }),
      "One[^1] two[^2][^e1] three[^c1]\n\n[^1]: First.\n\n[^2]: Second.\n\n[^e1]: End.\n\n[^c1]: Comment by Ada: Sure?",
    );
  });

  test("headers and footers are no content", async () => {
    assert.equal(
      await textOf(p(r("Body")), { "word/header1.xml": `<w:hdr>${p(r("Head"))}</w:hdr>` }),
      "Body",
    );
  });
});

describe("formulas", () => {
  const m = (inner: string) => p(`${r("so ")}<m:oMath>${inner}</m:oMath>${r(".")}`);
  const t = (text: string) => `<m:r><w:rPr><w:b/></w:rPr><m:t>${text}</m:t></m:r>`;
  const formulas: readonly (readonly [xml: string, latex: string])[] = [
    [`<m:f><m:num>${t("1")}</m:num><m:den>${t("2")}</m:den></m:f>`, "\\frac{1}{2}"],
    [`<m:sSup><m:e>${t("x")}</m:e><m:sup>${t("2")}</m:sup></m:sSup>`, "x^{2}"],
    [`<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>${t("a")}</m:e></m:rad>`, "\\sqrt{a}"],
    [
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${t("i=1")}</m:sub><m:sup>${t("n")}</m:sup><m:e>${t("i")}</m:e></m:nary>`,
      "\\sum_{i=1}^{n} i",
    ],
    [
      `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>${t("a")}</m:e></m:d>`,
      "\\left[a\\right]",
    ],
    [`<m:func><m:fName>${t("sin")}</m:fName><m:e>${t("x")}</m:e></m:func>`, "\\sin{x}"],
    [`<m:m><m:mr><m:e>${t("1")}</m:e><m:e>${t("0")}</m:e></m:mr></m:m>`, "\\begin{matrix}1 & 0\\end{matrix}"],
  ];
  for (const [xml, latex] of formulas)
    test(latex, async () => assert.equal(await textOf(m(xml)), `so $${latex}$.`));
  test("a formula of its own", async () => {
    assert.equal(await textOf(p(`<m:oMathPara><m:oMath>${t("a+b")}</m:oMath></m:oMathPara>`)), "$$a+b$$");
  });
});

describe("packages", () => {
  test("a main part with any name and folder, in strict files, with other case and backslashes", async () => {
    const parts = unzipSync(docxOf(p(r("Found."))));
    const main = parts["word/document.xml"] ?? new Uint8Array();
    const rels = (target: string) =>
      strToU8(
        `<Relationships><Relationship Id="r" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="${target}"/></Relationships>`,
      );
    const odd: readonly (readonly [stored: string, target: string])[] = [
      ["content/body2.xml", "content/body2.xml"],
      ["word/document22.xml", "/word/document22.xml"],
      ["Word\\Document.xml", "word/document.xml"],
      ["word/my body.xml", "word/my%20body.xml"],
    ];
    for (const [stored, target] of odd)
      assert.equal(await parseDocument(zipSync({ "_rels/.rels": rels(target), [stored]: main })), "Found.");
  });

  test("a part in UTF-16", async () => {
    const xml = `\ufeff<?xml version="1.0" encoding="UTF-16"?><w:document xmlns:w="w"><w:body>${p(r("Größe"))}</w:body></w:document>`;
    assert.equal(await parseDocument(zipSync({ "word/document.xml": Buffer.from(xml, "utf16le") })), "Größe");
  });

  test("HTML, text and documents within a document; diagrams; the text above characters", async () => {
    const rels = relationships(
      relation("h", "aFChunk", "afchunk.htm"),
      relation("d", "diagramData", "diagrams/data1.xml"),
    );
    const parts = {
      "word/_rels/document.xml.rels": rels,
      "word/afchunk.htm":
        "<html><head><title>t</title></head><body><p>One &amp; <b>two</b></p><p>Three</p></body></html>",
      "word/diagrams/data1.xml": `<dgm:dataModel><dgm:ptLst><dgm:pt><dgm:t><a:bodyPr/><a:p><a:r><a:t>Step</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>`,
    };
    assert.equal(await textOf(`<w:altChunk r:id="h"/>${p(r("End"))}`, parts), "One & two\n\nThree\n\nEnd");
    const graphic = `<w:r><w:drawing><a:graphicData><dgm:relIds r:dm="d" r:lo="x"/></a:graphicData></w:drawing></w:r>`;
    assert.equal(await textOf(p(r("See") + graphic), parts), "See\n\nStep");
    const ruby = `<w:r><w:ruby><w:rt>${r("とう")}</w:rt><w:rubyBase>${r("東")}</w:rubyBase></w:ruby></w:r>`;
    assert.equal(await textOf(p(ruby)), "東(とう)");
  });

  test("other documents are refused by name", async () => {
    const named: readonly (readonly [Uint8Array, RegExp])[] = [
      [
        zipSync({
          mimetype: strToU8("application/vnd.oasis.opendocument.text"),
          "content.xml": strToU8("<a/>"),
        }),
        /OpenDocument/,
      ],
      [
        zipSync({ mimetype: strToU8("application/epub+zip"), "META-INF/container.xml": strToU8("<a/>") }),
        /EPUB/,
      ],
      [zipSync({ "xl/workbook.bin": strToU8("x") }), /XLSB/],
      [Buffer.from("{\\rtf1 text}"), /RTF/],
      [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), /old or password-protected/],
    ];
    for (const [bytes, words] of named) await assert.rejects(parseDocument(bytes), { message: words });
  });
});
