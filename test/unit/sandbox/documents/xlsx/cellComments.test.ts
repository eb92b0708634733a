// What stands beside the values of cells: links, comments, raised text.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { strToU8, zipSync } from "fflate";
import { parseDocument } from "../../../../../src/sandbox/documents/parseDocument.ts";

const type = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const relations = (...rows: string[]) => `<Relationships>${rows.join("")}</Relationships>`;
const relation = (id: string, kind: string, target: string, more = "") =>
  `<Relationship Id="${id}" Type="${type}/${kind}" Target="${target}" ${more}/>`;

function sheetOf(rows: string, after = "", related: readonly string[] = [], parts = {}): Promise<string> {
  const files = {
    "_rels/.rels": relations(relation("r", "officeDocument", "xl/workbook.xml")),
    "xl/workbook.xml": `<workbook><sheets><sheet name="S" sheetId="1" r:id="s"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations(relation("s", "worksheet", "worksheets/sheet1.xml")),
    "xl/worksheets/sheet1.xml": `<worksheet>${rows}${after}</worksheet>`,
    "xl/worksheets/_rels/sheet1.xml.rels": relations(...related),
    ...parts,
  };
  return parseDocument(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(String(text))]))),
  );
}
const data = (...cells: string[]) => `<sheetData><row r="1">${cells.join("")}</row></sheetData>`;
const text = (ref: string, content: string) =>
  `<c r="${ref}" t="inlineStr"><is>${content.startsWith("<") ? content : `<t>${content}</t>`}</is></c>`;

describe("cells", () => {
  test("links keep their address, those within the workbook are text", async () => {
    const links = `<hyperlinks><hyperlink ref="A1" r:id="l"/><hyperlink ref="B1" location="S!A1"/></hyperlinks>`;
    const rows = data(
      text("A1", "Site"),
      text("B1", "Inside"),
      `<c r="C1" t="str"><f>HYPERLINK("https://example.com/b","Other")</f><v>Other</v></c>`,
      text("D1", "plain"),
    );
    const shown = await sheetOf(rows, links, [
      relation("l", "hyperlink", "https://example.com/a", 'TargetMode="External"'),
    ]);
    assert.match(
      shown,
      /\| \[Site\]\(https:\/\/example\.com\/a\) \| Inside \| \[Other\]\(https:\/\/example\.com\/b\) \| plain \|/,
    );
  });

  test("raised and lowered text of a cell is no part of the number before it", async () => {
    const run = (content: string, position = "") =>
      `<r>${position && `<rPr><vertAlign val="${position}"/></rPr>`}<t>${content}</t></r>`;
    const rows = data(
      text("A1", run("10") + run("6", "superscript") + run(" items")),
      text("B1", run("CO") + run("2", "subscript")),
    );
    assert.match(await sheetOf(rows), /\| 10⁶ items \| CO₂ \|/);
  });

  test("rows and columns without a size are hidden", async () => {
    const shown = await sheetOf(
      `<cols><col min="2" max="2" width="0"/></cols>${data(text("A1", "seen"), text("B1", "unseen"))}`,
    );
    assert.equal(shown, "## S\n\n| seen |\n| --- |\n\n*Left out: 1 hidden column.*");
  });

  test("numbers have no more digits than a spreadsheet keeps", async () => {
    assert.match(
      await sheetOf(data('<c r="A1"><v>12345678901234567890</v></c>')),
      /\| 12345678901234600000 \|/,
    );
  });

  test("comments name their cell and author, also those of conversations", async () => {
    const comment = (ref: string, author: number, said: string) =>
      `<comment ref="${ref}" authorId="${author}"><text>${said}</text></comment>`;
    const note =
      "[Threaded comment]&#10;&#10;Your version of Excel…&#10;&#10;Comment:&#10;    Why?&#10;Reply:&#10;    So.";
    const xml = `<comments><authors><author>Ann</author><author>tc={1}</author><author/></authors><commentList>${[
      comment("A1", 0, "<r><t>Ann:</t></r><r><t>&#10;Check this</t></r>"),
      comment("B1", 1, `<t>${note}</t>`),
      comment("C1", 2, "<t>plain</t>"),
    ].join("")}</commentList></comments>`;
    const shown = await sheetOf(data(text("A1", "x")), "", [relation("c", "comments", "../comments1.xml")], {
      "xl/comments1.xml": xml,
    });
    assert.equal(
      shown,
      "## S\n\n| x |\n| --- |\n\nComment on A1 by Ann: Check this\n\nComment on B1: Why? Reply: So.\n\nComment on C1: plain",
    );
  });
});
