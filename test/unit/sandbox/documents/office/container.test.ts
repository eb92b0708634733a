// Tables of DOCX files as people see them: merged cells, frames, tables within tables.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cell, p, r, table, textOf } from "./docxParts.ts";

describe("tables", () => {
  test("a cell below a merged one shows nothing, whatever the file has in it", async () => {
    const rows = [
      [cell("A", '<w:vMerge w:val="restart"/>'), cell("1")],
      [cell("stale", "<w:vMerge/>"), cell("2")],
      [cell("stale", '<w:vMerge w:val="continue"/>'), cell("3")],
      [cell("B"), cell("4")],
    ];
    assert.equal(await textOf(table(...rows)), "| A | 1 |\n| --- | --- |\n|  | 2 |\n|  | 3 |\n| B | 4 |");
  });

  test("a merged cell without a beginning is a cell; cells below it are merged with it", async () => {
    const rows = [
      [cell("A"), cell("1")],
      [cell("B", "<w:vMerge/>"), cell("2")],
      [cell("stale", "<w:vMerge/>"), cell("3")],
    ];
    assert.equal(await textOf(table(...rows)), "| A | 1 |\n| --- | --- |\n| B | 2 |\n|  | 3 |");
  });

  test("columns of merged cells are counted with spans", async () => {
    const rows = [
      [cell("wide", '<w:gridSpan w:val="2"/>'), cell("R", '<w:vMerge w:val="restart"/>')],
      [cell("a"), cell("b"), cell("stale", "<w:vMerge/>")],
    ];
    assert.equal(await textOf(table(...rows)), "| wide |  | R |\n| --- | --- | --- |\n| a | b |  |");
  });

  test("cells merged in the old way of Word keep the columns", async () => {
    const merged = [
      cell("wide", '<w:hMerge w:val="restart"/>'),
      cell("stale", '<w:hMerge w:val="continue"/>'),
      cell("9"),
    ];
    assert.equal(
      await textOf(table([cell("A"), cell("B"), cell("C")], merged)),
      "| A | B | C |\n| --- | --- | --- |\n| wide |  | 9 |",
    );
  });

  test("a row that was moved away is gone", async () => {
    const away = `<w:tr><w:trPr><w:moveFrom w:id="1"/></w:trPr>${cell("away")}${cell("x")}</w:tr>`;
    const rows = table([cell("a"), cell("b")]).replace("</w:tbl>", `${away}</w:tbl>`);
    assert.equal(await textOf(rows), "| a | b |\n| --- | --- |");
  });

  test("a heading in a cell is text", async () => {
    const heading = cell(p(r("Head"), '<w:outlineLvl w:val="0"/>'));
    assert.equal(
      await textOf(table([heading, cell("x")], [cell("1"), cell("2")])),
      "| Head | x |\n| --- | --- |\n| 1 | 2 |",
    );
  });

  test("a frame around headings, paragraphs and a table is none of its own", async () => {
    const inner = table([cell("a"), cell("b")], [cell("1"), cell("2")]);
    const content = p(r("Title"), '<w:outlineLvl w:val="0"/>') + p(r("One.")) + inner + p(r("Two."));
    const text = "# Title\n\nOne.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nTwo.";
    assert.equal(await textOf(table([cell(content)])), text);
    assert.equal(
      await textOf(table([cell(content), cell(p(r("Beside."), '<w:outlineLvl w:val="1"/>') + p(r("It.")))])),
      `${text}\n\n## Beside.\n\nIt.`,
    );
  });

  test("a table in a cell is one line, row by row", async () => {
    const inner = table([cell("a"), cell("b")], [cell("1"), cell("2")]);
    assert.equal(
      await textOf(table([cell("Outer"), cell(inner + p(""))], [cell("x"), cell("y")])),
      "| Outer | a b; 1 2 |\n| --- | --- |\n| x | y |",
    );
  });
});
