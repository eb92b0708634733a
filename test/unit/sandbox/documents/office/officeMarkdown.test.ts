// What a reader of a DOCX file sees is in its text once and in order, and table cells keep their columns.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { extractRawText } from "mammoth";
import { parseDocument } from "../../../../../src/sandbox/documents/parseDocument.ts";
import { type DocumentPlan, documentPlan, docxOf, writeDocument } from "../../docxWriter.ts";

const textOf = (body: string, parts?: Readonly<Record<string, string>>) => parseDocument(docxOf(body, parts));
const wordsIn = (text: string) => text.match(/word\d+x/g) ?? [];
const p = (inner: string, properties = "") => `<w:p>${properties}${inner}</w:p>`;
const r = (text: string, properties = "") =>
  `<w:r>${properties}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const end = p(r("End."));

describe("random documents", () => {
  test("every word that is seen is there once, in order; cells keep their columns", async () => {
    await fc.assert(
      fc.asyncProperty(documentPlan, async (plan) => {
        const { xml, words, columns } = writeDocument(plan);
        const text = await textOf(xml + end);
        assert.deepEqual(wordsIn(text), words);
        for (const line of text.split("\n").filter((each) => each.startsWith("|")))
          for (const [column, content] of line.split(" | ").entries())
            for (const word of wordsIn(content)) assert.equal(column, columns.get(word), line);
      }),
    );
  });

  test("the words and their order are those that mammoth finds", async () => {
    await fc.assert(
      fc.asyncProperty(documentPlan.map(knownToMammoth), async (plan) => {
        const { xml } = writeDocument(plan);
        const docx = docxOf(xml + end);
        const { value } = await extractRawText({ buffer: Buffer.from(docx) });
        assert.deepEqual(wordsIn(await parseDocument(docx)), wordsIn(value));
      }),
    );
  });
});

/**
 * mammoth does not read simple fields, nor boxes without a form for older programs, and a paragraph whose end was
 * deleted goes on after a table.
 */
function knownToMammoth(plan: DocumentPlan): DocumentPlan {
  return plan.map((block, index) =>
    block.kind === "table"
      ? block
      : {
          ...block,
          isEndRemoved: block.isEndRemoved && plan[index + 1]?.kind !== "table",
          runs: block.runs.map(({ wrapper, box }) => ({
            wrapper: wrapper === "w:fldSimple" ? "none" : wrapper,
            box: box === "DrawingML" ? "both forms" : box,
          })),
        },
  );
}

describe("text boxes", () => {
  const box = (inner: string) => `<w:txbxContent>${inner}</w:txbxContent>`;
  const drawing = (inner: string) =>
    `<w:drawing><wps:wsp><wps:txbx>${box(inner)}</wps:txbx></wps:wsp></w:drawing>`;
  const pict = (inner: string) => `<w:pict><v:textbox>${box(inner)}</v:textbox></w:pict>`;
  const forms = (choice: string, fallback: string) =>
    `<w:r><mc:AlternateContent><mc:Choice Requires="wps">${choice}</mc:Choice><mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent></w:r>`;

  test("the text around a box is one sentence, and the box follows it, once", async () => {
    const inside = p(r("Inside."));
    const body = p(r("Before. ") + forms(drawing(inside), pict(inside)) + r("After.")) + p(r("Next."));
    assert.equal(await textOf(body), "Before. After.\n\nInside.\n\nNext.");
  });

  test("a form without text gives way to the next one", async () => {
    assert.equal(await textOf(p(forms("<w:drawing/>", pict(p(r("Old form.")))))), "Old form.");
    const several = `<mc:AlternateContent><mc:Choice Requires="a">${drawing(p(r("One.")))}</mc:Choice><mc:Choice Requires="b">${drawing(p(r("Two.")))}</mc:Choice></mc:AlternateContent>`;
    assert.equal(await textOf(p(`<w:r>${several}</w:r>`)), "One.");
  });

  test("boxes of a group, with paragraphs, lists and tables, in a heading and in a cell", async () => {
    const table = `<w:tbl><w:tr><w:tc>${p(r("a"))}</w:tc><w:tc>${p(r("b"))}</w:tc></w:tr></w:tbl>`;
    const heading = '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>';
    const group = `<w:r>${drawing(p(r("One.")) + p(r("Two.")))}${drawing(table)}</w:r>`;
    assert.equal(
      await textOf(p(group + r("Title"), heading)),
      "# Title\n\nOne.\n\nTwo.\n\n| a | b |\n| --- | --- |",
    );
    const cell = `<w:tbl><w:tr><w:tc>${p(`<w:r>${drawing(p(r("box")))}</w:r>${r("text")}`)}</w:tc><w:tc>${p(r("b"))}</w:tc></w:tr></w:tbl>`;
    assert.equal(await textOf(cell), "| text box | b |\n| --- | --- |");
  });
});

describe("tracked changes", () => {
  const move = (kind: string, inner: string) => `<w:${kind} w:id="1" w:author="A">${inner}</w:${kind}>`;

  test("moved text is at its new place only: in a paragraph and as whole paragraphs", async () => {
    const mark = (kind: string) => `<w:pPr><w:rPr><w:${kind} w:id="2"/></w:rPr></w:pPr>`;
    const whole =
      p(move("moveFrom", r("Moved.")), mark("moveFrom")) +
      p(r("Middle.")) +
      p(move("moveTo", r("Moved.")), mark("moveTo"));
    assert.equal(await textOf(whole), "Middle.\n\nMoved.");
    assert.equal(await textOf(p(move("moveFrom", r("b ")) + r("a ") + move("moveTo", r("b ")))), "a b");
  });

  test("a deleted end of a paragraph joins it with the next one; before a table it ends nonetheless", async () => {
    const deleted = '<w:pPr><w:rPr><w:del w:id="2"/></w:rPr></w:pPr>';
    assert.equal(await textOf(p(r("One "), deleted) + p(r("line."))), "One line.");
    const table = `<w:tbl><w:tr><w:tc>${p(r("cell"), deleted)}</w:tc></w:tr></w:tbl>`;
    assert.equal(await textOf(p(r("Before"), deleted) + table), "Before\n\n| cell |\n| --- |");
  });

  test("deleted tabs and breaks, deleted fields and former properties are no text", async () => {
    const gone = move(
      "del",
      "<w:r><w:tab/><w:br/><w:delText>x</w:delText><w:delInstrText>PAGE</w:delInstrText></w:r>",
    );
    const former =
      '<w:pPr><w:pPrChange w:id="3"><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:pPrChange></w:pPr>';
    assert.equal(await textOf(p(r("a") + gone + r("b"), former)), "ab");
  });

  test("rows that were deleted are gone, those that were inserted stay", async () => {
    const row = (kind: string, inner: string) =>
      `<w:tr><w:trPr><w:${kind} w:id="5"/></w:trPr><w:tc>${p(inner)}</w:tc></w:tr>`;
    const deleted = row("del", move("del", "<w:r><w:delText>x</w:delText></w:r>"));
    assert.equal(
      await textOf(`<w:tbl>${row("ins", move("ins", r("a")))}${deleted}</w:tbl>`),
      "| a |\n| --- |",
    );
  });
});

describe("tables", () => {
  const cell = (text: string, properties = "") => `<w:tc><w:tcPr>${properties}</w:tcPr>${p(r(text))}</w:tc>`;
  const row = (...cells: string[]) => `<w:tr>${cells.join("")}</w:tr>`;

  test("values beside merged cells keep their column, also where a row begins later", async () => {
    const rows = [
      row(cell("Region"), cell("2024"), cell("2025")),
      row(cell("Total", '<w:gridSpan w:val="2"/>'), cell("10")),
      row('<w:trPr><w:gridBefore w:val="2"/></w:trPr>', cell("11")),
      row(cell("North", '<w:vMerge w:val="restart"/>'), cell("1"), cell("2")),
      row(cell("", "<w:vMerge/>"), cell("3"), '<w:trPr><w:gridAfter w:val="1"/></w:trPr>'),
    ];
    assert.deepEqual((await textOf(`<w:tbl>${rows.join("")}</w:tbl>`)).split("\n"), [
      "| Region | 2024 | 2025 |",
      "| --- | --- | --- |",
      "| Total |  | 10 |",
      "|  |  | 11 |",
      "| North | 1 | 2 |",
      "|  | 3 |  |",
    ]);
  });

  test("a span that no table has takes no memory, nor does one long row among many", async () => {
    const wide = row(cell("a", '<w:gridSpan w:val="999999999"/>'), cell("b"));
    assert.ok((await textOf(`<w:tbl>${wide}</w:tbl>`)).length < 1000);
    const long = row(...Array.from({ length: 5000 }, () => cell("x")));
    const text = await textOf(`<w:tbl>${long}${row(cell("y")).repeat(5000)}</w:tbl>`);
    assert.ok(text.length < 200_000, String(text.length));
  });
});

describe("characters and lists", () => {
  test("symbols of fonts, and digits above and below their line", async () => {
    const symbol = (font: string, code: string) => `<w:r><w:sym w:font="${font}" w:char="${code}"/></w:r>`;
    assert.equal(
      await textOf(p(symbol("Wingdings", "F0FC") + r(" done, ") + symbol("Symbol", "F061"))),
      "✓ done, α",
    );
    assert.equal(await textOf(p(symbol("Arial", "00A9"))), "©");
    const at = (position: string) => `<w:rPr><w:vertAlign w:val="${position}"/></w:rPr>`;
    const body = p(
      r("10") +
        r("−6", at("superscript")) +
        r(", H") +
        r("2", at("subscript")) +
        r("O, 5") +
        r("th", at("superscript")),
    );
    assert.equal(await textOf(body), "10⁻⁶, H₂O, 5th");
  });

  test("lists and headings by the style of a paragraph, or the one that it is based on", async () => {
    const styles = `<w:styles>
      <w:style w:styleId="Bullet"><w:name w:val="List Bullet"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
      <w:style w:styleId="Own"><w:basedOn w:val="Bullet"/></w:style>
      <w:style w:styleId="Deep"><w:name w:val="List Bullet 2"/><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
      <w:style w:styleId="Number"><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>
      <w:style w:styleId="Loop"><w:basedOn w:val="Loop"/></w:style>
      <w:style w:styleId="Part"><w:name w:val="heading 1"/></w:style><w:style w:styleId="Mine"><w:basedOn w:val="Part"/></w:style>
      <w:style w:styleId="Contents"><w:basedOn w:val="Part"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style></w:styles>`;
    const numbering = `<w:numbering>
      <w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
      <w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum>
      <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>`;
    const styled = (style: string, text: string, more = "") =>
      p(r(text), `<w:pPr><w:pStyle w:val="${style}"/>${more}</w:pPr>`);
    const body = [
      styled("Mine", "Part"),
      styled("Bullet", "a"),
      styled("Own", "b"),
      styled("Deep", "c"),
      styled("Number", "one"),
      styled("Number", "two"),
      styled("Bullet", "plain", '<w:numPr><w:numId w:val="0"/></w:numPr>'),
      styled("Contents", "Contents"),
      styled("Loop", "end"),
    ].join("");
    assert.equal(
      await textOf(body, { "word/styles.xml": styles, "word/numbering.xml": numbering }),
      "# Part\n\n- a\n- b\n    - c\n1. one\n2. two\n\nplain\n\nContents\n\nend",
    );
  });

  test("other prefixes than w", async () => {
    const body = '<x:p><x:pPr><x:outlineLvl x:val="1"/></x:pPr><x:r><x:t>Head</x:t></x:r></x:p>';
    assert.equal(await textOf(body), "## Head");
  });
});
