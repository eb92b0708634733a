// Cells of workbooks are read as a person sees them, each in its column.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { parseDocument } from "../../../../../src/sandbox/documents/parseDocument.ts";
import { randomCases } from "../../../../runner/cases.ts";

interface BookPlan {
  readonly rows: string;
  /** After the rows. */
  readonly after?: string;
  readonly columns?: string;
  readonly formats?: readonly string[];
  readonly strings?: string;
  readonly is1904?: boolean;
  readonly sheets?: string;
  readonly parts?: Readonly<Record<string, string>>;
}

/** Formats are the styles from 1 on. */
function bookOf({
  rows,
  after = "",
  columns = "",
  formats = [],
  strings = "",
  is1904,
  sheets,
  parts,
}: BookPlan) {
  const type = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const escaped = (text: string) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  const files: Record<string, string> = {
    "_rels/.rels": `<Relationships><Relationship Id="r1" Type="${type}/officeDocument" Target="/xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook xmlns:r="r"><workbookPr${is1904 ? ' date1904="1"' : ""}/><sheets>${sheets ?? '<sheet name="S" sheetId="1" r:id="rId1"/>'}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Type="${type}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${type}/worksheet" Target="worksheets/sheet2.xml"/></Relationships>`,
    "xl/styles.xml": `<styleSheet><numFmts>${formats.map((code, index) => `<numFmt numFmtId="${index + 200}" formatCode="${escaped(code)}"/>`).join("")}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats.map((_, index) => `<xf numFmtId="${index + 200}"/>`).join("")}</cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `<sst>${strings}</sst>`,
    "xl/worksheets/sheet1.xml": `<worksheet>${columns}<sheetData>${rows}</sheetData>${after}</worksheet>`,
    ...parts,
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}

/** The rows of the table without its rule, as lists of cells. */
async function rowsOf(plan: BookPlan): Promise<string[][]> {
  const text = await parseDocument(bookOf(plan));
  return text
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| ---"))
    .map((line) => line.slice(2, -2).split(" | "));
}

/** One value in one format. */
async function shown(code: string, value: number | string, more: Partial<BookPlan> = {}): Promise<string> {
  const rows = `<row r="1"><c r="A1" t="str"><v>x</v></c><c r="B1" s="1"><v>${value}</v></c></row>`;
  return (await rowsOf({ rows, formats: [code], ...more }))[0]?.[1] ?? "";
}

describe("numbers", () => {
  const cases: readonly (readonly [code: string, value: number, text: string])[] = [
    ["0.00%", 0.075, "7.50%"],
    ['"$"#,##0.00', 1234.5, "$1,234.50"],
    ["[$€-407] #,##0.00", 1234.5, "€ 1.234,50"],
    ['_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)', -1234.5, "$(1,234.50)"],
    ["#,##0_);[Red](#,##0)", -5, "(5)"],
    ["00000", 123, "00123"],
    ["000-00-0000", 123456789, "123-45-6789"],
    ["@", 12, "12"],
    ["# ?/?", 1.5, "1 1/2"],
    ["# ??/??", 2.9589068855339495, "2 70/73"],
    ["# ?/?", 40.94751951732349, "41"],
    ["# ?/8", -0.25, "-2/8"],
    ["0.00E+00", 12345, "1.23E+04"],
    ['0.0," K"', 12345, "12.3 K"],
    ['General" kg"', 5, "5 kg"],
    ["[<=9999999]###-####;(###) ###-####", 2065551234, "(206) 555-1234"],
    ["h:mm AM/PM", 0.25, "6:00 AM"],
    ["[h]:mm:ss", 1.5, "36:00:00"],
    ["mm:ss.0", 0.0001, "00:08.6"],
    ["dd.mm.yyyy", 46096, "15.03.2026"],
    ["d mmm yyyy h:mm", 46096.75, "15 Mar 2026 18:00"],
    ['[$-804]yyyy"年"m"月"d"日"', 46096, "2026年3月15日"],
    ["General", 0.1 + 0.2, "0.3"],
    ["General", 4006381333931, "4006381333931"],
    ["General", 1e-7, "1e-7"],
    ["yyyy-mm-dd", -5, "-5"],
    ["bad[[", 4, "4"],
  ];
  for (const [code, value, text] of cases)
    test(`${code} of ${value} is ${text}`, async () => assert.equal(await shown(code, value), text));

  test("the date system of 1904 moves days, not times or durations", async () => {
    assert.equal(await shown("yyyy-mm-dd", 44634, { is1904: true }), "2026-03-15");
    assert.equal(await shown("h:mm", 0.25, { is1904: true }), "6:00");
    assert.equal(await shown("[h]:mm", 1.5, { is1904: true }), "36:00");
  });

  test("built-in formats by their ids; dates that the reader's machine decides are ISO 8601", async () => {
    const ids = [9, 10, 14, 18, 22, 46, 49].map((id) => `<xf numFmtId="${id}"/>`).join("");
    const styles = `<styleSheet><cellXfs><xf numFmtId="0"/>${ids}</cellXfs></styleSheet>`;
    const values = [0.5, 0.125, 46096, 0.25, 46096.5, 1.5, 7];
    const cells = values.map((value, index) => `<c s="${index + 1}"><v>${value}</v></c>`).join("");
    const [row] = await rowsOf({ rows: `<row>${cells}</row>`, parts: { "xl/styles.xml": styles } });
    assert.deepEqual(row, ["50%", "12.50%", "2026-03-15", "6:00 AM", "2026-03-15 12:00", "36:00:00", "7"]);
  });

  test("any number in any format of a list is some text, never a refusal", async () => {
    const code = fc.constantFrom(...cases.map(([each]) => each), "0;;", ";;;", "yy/m/d", "[s]", "?/???");
    await fc.assert(
      fc.asyncProperty(code, fc.double({ noNaN: true, noDefaultInfinity: true }), async (format, value) => {
        assert.equal(typeof (await shown(format, value)), "string");
      }),
      { numRuns: randomCases(200) },
    );
  });
});

describe("cells", () => {
  test("errors, booleans, text with leading zeros, formulas with and without a stored value", async () => {
    const rows = `<row r="1">
      <c r="A1" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="B1" t="b"><v>1</v></c><c r="C1" t="b"><v>0</v></c>
      <c r="D1" t="str"><v>007</v></c><c r="E1"><f>SUM(A1:A2)</f></c><c r="F1"><f>A1*2</f><v>4</v></c>
      <c r="G1" t="str"><f>""</f><v></v></c><c r="H1"><f t="shared" si="0"/></c><c r="I1" t="d"><v>2026-03-15T00:00:00</v></c></row>`;
    assert.deepEqual(await rowsOf({ rows }), [
      [
        "#DIV/0!",
        "TRUE",
        "FALSE",
        "007",
        "=SUM(A1:A2) (not calculated)",
        "4",
        "",
        "(formula, not calculated)",
        "2026-03-15",
      ],
    ]);
  });

  test("rich text, phonetic hints, escapes and line breaks; strings in the cell and shared ones", async () => {
    const strings = `<si><r><t>bold</t></r><r><t xml:space="preserve"> text</t></r><rPh sb="0" eb="1"><t>hint</t></rPh></si><si><t>a_x000D_
b</t></si>`;
    const rows = `<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c></row>`;
    assert.deepEqual(await rowsOf({ rows, strings }), [["bold text", "a b", "inline"]]);
  });

  test("rows and cells without an address, gaps, prefixes", async () => {
    const rows = `<x:row><x:c t="str"><x:v>a</x:v></x:c><x:c r="D1" t="str"><x:v>d</x:v></x:c><x:c t="str"><x:v>e</x:v></x:c></x:row><x:row r="5"><x:c r="B5"><x:v>5</x:v></x:c></x:row>`;
    assert.deepEqual(await rowsOf({ rows }), [
      ["a", "", "", "d", "e"],
      ["", "5", "", "", ""],
    ]);
  });

  test("merged cells show the value of the first, and move no other", async () => {
    const rows = `<row r="1"><c r="A1" t="str"><v>Total</v></c><c r="B1" t="str"><v>unseen</v></c><c r="C1"><v>10</v></c></row><row r="2"><c r="A2" t="str"><v>x</v></c><c r="B2"><v>1</v></c><c r="C2"><v>2</v></c></row>`;
    assert.deepEqual(await rowsOf({ rows, after: '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>' }), [
      ["Total", "", "10"],
      ["x", "1", "2"],
    ]);
  });

  test("a value far to the right costs no cell for each column before it", async () => {
    const cells = Array.from(
      { length: 300 },
      (_, row) =>
        `<row r="${row + 1}"><c r="A${row + 1}"><v>1</v></c><c r="XFD${row + 1}"><v>2</v></c></row>`,
    );
    assert.ok((await parseDocument(bookOf({ rows: cells.join("") }))).length < 10_000);
  });
});

describe("sheets", () => {
  test("hidden sheets, rows and columns are left out and named", async () => {
    const rows = `<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c><c r="C1"><v>3</v></c></row><row r="2" hidden="1"><c r="A2"><v>9</v></c></row>`;
    const text = await parseDocument(
      bookOf({
        rows,
        columns: '<cols><col min="2" max="2" hidden="1"/></cols>',
        sheets: '<sheet name="Seen" r:id="rId1"/><sheet name="Calc &amp; co" state="hidden" r:id="rId2"/>',
        parts: {
          "xl/worksheets/sheet2.xml":
            "<worksheet><sheetData><row><c><v>77</v></c></row></sheetData></worksheet>",
        },
      }),
    );
    assert.equal(
      text,
      "## Seen\n\n| 1 | 3 |\n| --- | --- |\n\n*Left out: 1 hidden row, 1 hidden column.*\n\n*Left out: hidden sheets: Calc & co.*",
    );
  });

  test("text boxes and charts of a sheet follow its table", async () => {
    const type = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const chart = `<c:chartSpace><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title><c:ser><c:tx><c:v>2025</c:v></c:tx><c:cat><c:pt idx="0"><c:v>Q1</c:v></c:pt></c:cat><c:val><c:pt idx="0"><c:v>4.3</c:v></c:pt></c:val></c:ser></c:chart></c:chartSpace>`;
    const text = await parseDocument(
      bookOf({
        rows: "<row><c><v>1</v></c></row>",
        parts: {
          "xl/worksheets/_rels/sheet1.xml.rels": `<Relationships><Relationship Id="d" Type="${type}/drawing" Target="../drawings/drawing1.xml"/></Relationships>`,
          "xl/drawings/drawing1.xml": `<xdr:wsDr><xdr:sp><xdr:txBody><a:p><a:r><a:t>Note</a:t></a:r></a:p></xdr:txBody></xdr:sp><xdr:graphicFrame><c:chart r:id="c"/></xdr:graphicFrame></xdr:wsDr>`,
          "xl/drawings/_rels/drawing1.xml.rels": `<Relationships><Relationship Id="c" Type="${type}/chart" Target="../charts/chart1.xml"/></Relationships>`,
          "xl/charts/chart1.xml": chart,
        },
      }),
    );
    assert.equal(text, "## S\n\n| 1 |\n| --- |\n\nNote\n\nSales\n\n|  | 2025 |\n| --- | --- |\n| Q1 | 4.3 |");
  });

  test("random sheets: each word is there once, in its column", async () => {
    const cell = fc.option(fc.nat(5), { nil: undefined });
    const grid = fc.array(fc.array(cell, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(grid, async (plan) => {
        const rows = plan.map((cells, row) => {
          const inner = cells.map((kind, column) => {
            const address = `${String.fromCharCode(65 + column)}${row + 1}`;
            if (kind === undefined) return "";
            return kind % 2 === 0
              ? `<c r="${address}" t="str"><v>w${row}c${column}x</v></c>`
              : `<c r="${address}" t="inlineStr"><is><t>w${row}c${column}x</t></is></c>`;
          });
          return `<row r="${row + 1}">${inner.join("")}</row>`;
        });
        const expected = plan.flatMap((cells, row) =>
          cells.flatMap((kind, column) => (kind === undefined ? [] : [`w${row}c${column}x`])),
        );
        if (expected.length === 0) return;
        const table = await rowsOf({ rows: rows.join("") });
        assert.deepEqual(
          table.flat().filter((text) => text.trim() !== ""),
          expected,
        );
        const first = Math.min(...expected.map((word) => Number(/c(\d+)/.exec(word)?.[1])));
        for (const row of table)
          for (const [index, text] of row.entries())
            if (text.trim() !== "") assert.equal(Number(/c(\d+)/.exec(text)?.[1]), index + first);
      }),
      { numRuns: randomCases(200) },
    );
  });
});
