// PDF pages: values of forms in their line, cells in their column, and where a page begins.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parseDocument } from "../../../../../src/sandbox/documents/parseDocument.ts";
import { undoubled } from "../../../../../src/sandbox/documents/pdf/drawnTwice.ts";
import { randomCases } from "../../../../runner/cases.ts";

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly size?: number;
}

/** A PDF with these texts by page, and annotations on the first one. */
function pdfOf(pages: readonly (readonly Placed[])[], annotations: readonly string[] = []): Buffer {
  const objects: string[] = [];
  const add = (body: string) => objects.push(body);
  add("<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] >> >>");
  const first = 4;
  const kids = pages.map((_, index) => `${first + index * 2} 0 R`).join(" ");
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>");
  for (const [index, texts] of pages.entries()) {
    const content = texts
      .map(
        ({ x, y, text, size = 10 }) =>
          `BT /F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm (${text.replace(/[()\\]/g, "\\$&")}) Tj ET`,
      )
      .join("\n");
    const annots = index === 0 ? `/Annots [${annotations.join(" ")}]` : "";
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + index * 2 + 1} 0 R ${annots} >>`,
    );
    add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  }
  let file = "%PDF-1.4\n";
  const offsets = objects.map((body, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const start = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`;
  return Buffer.from(file, "latin1");
}

const row = (y: number, ...cells: readonly (string | undefined)[]): Placed[] =>
  cells.flatMap((text, index) => (text === undefined ? [] : [{ x: 60 + index * 120, y, text }]));
const field = (rect: string, more: string) =>
  `<< /Type /Annot /Subtype /Widget /F 4 /Rect [${rect}] ${more} >>`;

describe("forms", () => {
  test("texts, boxes, radio buttons and choices are beside their labels", async () => {
    const labels = ["Name:", "Agree:", "Colour:", "Size:", "Later:"].map((text, index) => ({
      x: 60,
      y: 700 - index * 40,
      text,
    }));
    const box = (value: string) =>
      `/FT /Btn /AS /${value} /V /${value} /AP << /N << /Yes 1 0 R /Off 1 0 R >> >>`;
    const radio = (state: string, value: string) =>
      `/FT /Btn /Ff 32768 /AS /${state} /V /${value} /AP << /N << /red 1 0 R /Off 1 0 R >> >>`;
    const text = await parseDocument(
      pdfOf(
        [labels],
        [
          field("120 692 320 712", "/FT /Tx /T (name) /V (Ada Example)"),
          field("120 655 136 671", `/T (agree) ${box("Yes")}`),
          field("120 615 136 631", `/T (colour) ${radio("red", "red")}`),
          field("120 575 220 591", "/FT /Ch /Ff 131072 /T (size) /Opt [[(l) (Large)] [(s) (Small)]] /V (l)"),
          field("120 535 136 551", `/T (later) ${box("Off")}`),
          field("300 535 336 551", "/FT /Tx /T (hidden) /V (unseen)").replace("/F 4", "/F 2"),
        ],
      ),
    );
    assert.equal(text, "Name: Ada Example\nAgree: ☒ Yes\nColour: ◉\nSize: Large\nLater: ☐");
  });

  test("a text without a label is between the lines above and below", async () => {
    const page = [...row(700, "Above"), ...row(600, "Below")];
    const text = await parseDocument(
      pdfOf([page], [field("60 640 260 660", "/FT /Tx /Ff 4096 /T (n) /V (First\\nSecond)")]),
    );
    assert.equal(text, "Above\nFirst Second\nBelow");
  });
});

describe("tables", () => {
  test("an empty cell is kept, also at the start and the end of a row", async () => {
    const page = [
      ...row(700, "Region", "2024", "2025"),
      ...row(684, "North", undefined, "3"),
      ...row(668, undefined, "4", "5"),
      ...row(652, "South", "6"),
    ];
    assert.equal(
      await parseDocument(
        pdfOf([[{ x: 60, y: 740, text: "Before" }, ...page, { x: 60, y: 600, text: "After" }]]),
      ),
      "Before\n\n| Region | 2024 | 2025 |\n| --- | --- | --- |\n| North |  | 3 |\n|  | 4 | 5 |\n| South | 6 |  |\n\nAfter",
    );
  });

  test("a last row of one cell is in its column, a paragraph below is not", async () => {
    const rows = [...row(700, "Region", "2024", "2025"), ...row(684, "North", "1", "2")];
    const table = "| Region | 2024 | 2025 |\n| --- | --- | --- |\n| North | 1 | 2 |";
    const below = (...last: readonly Placed[]) => parseDocument(pdfOf([[...rows, ...last]]));
    assert.equal(await below(...row(668, undefined, undefined, "10")), `${table}\n|  |  | 10 |`);
    assert.equal(await below(...row(668, "Total")), `${table}\n| Total |  |  |`);
    assert.equal(
      await below(...row(668, undefined, "3"), ...row(652, "Total"), ...row(600, "After")),
      `${table}\n|  | 3 |  |\n| Total |  |  |\n\nAfter`,
    );
    assert.equal(await below(...row(668, "Figures in USD.")), `${table}\n\nFigures in USD.`);
    assert.equal(
      await below(...row(668, "A note of"), ...row(656, "two lines")),
      `${table}\n\nA note of\ntwo lines`,
    );
  });

  test("a head whose cells are close to each other is the head of its table", async () => {
    const head = [
      { x: 60, y: 700, text: "Item" },
      { x: 94, y: 700, text: "Qty" },
      { x: 122, y: 700, text: "Price" },
    ];
    const rows = [
      { x: 60, y: 684, text: "Fig" },
      { x: 122, y: 684, text: "1.00" },
      { x: 94, y: 668, text: "3" },
      { x: 122, y: 668, text: "2.00" },
    ];
    assert.equal(
      await parseDocument(pdfOf([[...head, ...rows]])),
      "| Item | Qty | Price |\n| --- | --- | --- |\n| Fig |  | 1.00 |\n|  | 3 | 2.00 |",
    );
  });

  test("lines of text and two full columns stay lines", async () => {
    const page = [
      ...row(700, "Month", "Weight"),
      ...row(684, "May", "7 kg"),
      ...row(640, "Plain text below."),
    ];
    assert.equal(await parseDocument(pdfOf([page])), "Month Weight\nMay 7 kg\nPlain text below.");
  });

  test("random tables: each value is once in its column", async () => {
    const cells = fc.array(fc.boolean(), { minLength: 3, maxLength: 4 });
    const plan = fc
      .array(cells, { minLength: 2, maxLength: 6 })
      .map((rows) => rows.map((each) => each.slice(0, 3)).filter((each) => each.includes(true)));
    await fc.assert(
      fc.asyncProperty(plan, async (rows) => {
        const heads = [0, 1, 2].map((column) => `head${column}`);
        const filled = rows.map((cellsOfRow, index) =>
          cellsOfRow.map((isFilled, column) => (isFilled ? `r${index}c${column}` : undefined)),
        );
        const last = ["end0", "end1", "end2"];
        const all = [heads, ...filled, last];
        const text = await parseDocument(
          pdfOf([all.flatMap((each, index) => row(700 - index * 16, ...each))]),
        );
        const table = text.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| ---"));
        const shown = table.map((line) =>
          line
            .slice(2, -2)
            .split(" | ")
            .map((cell) => cell.trim()),
        );
        const expected = all.map((each) => each.map((cell) => cell ?? ""));
        assert.deepEqual(shown, expected);
      }),
      { numRuns: randomCases(60) },
    );
  });
});

describe("text", () => {
  test("columns of text that are drawn line by line are read one after the other", async () => {
    const left = ["The left column tells of", "apples and of pears that", "grow in the garden."];
    const right = ["The right column tells of", "the sea and of ships that", "sail on it every day."];
    const lines = left.flatMap((text, index) => [
      { x: 60, y: 700 - index * 12, text },
      { x: 320, y: 700 - index * 12, text: right[index] ?? "" },
    ]);
    assert.equal(await parseDocument(pdfOf([lines])), [...left, "", ...right].join("\n"));
  });

  test("a text that is drawn twice to look bold is read once", async () => {
    const title = { x: 60, y: 700, text: "Statement of Accounts" };
    const page = [title, { ...title, x: 60.3 }, { ...title, y: 700.4 }, { ...title, y: 640 }];
    assert.equal(await parseDocument(pdfOf([page])), "Statement of Accounts\nStatement of Accounts");
  });

  test("letters that are each drawn twice are read once", () => {
    assert.equal(undoubled("SSttaatteemmeenntt"), "Statement");
    assert.equal(undoubled("TTéétteell 22002233"), "Tétel 2023");
    assert.equal(undoubled("SS tt aa tt ee"), "S t a t e");
    for (const text of ["11223344", "Mississippi", "aabb", "xxxxxxxx", "book"])
      assert.equal(undoubled(text), text);
  });

  test("comments of readers are below the page", async () => {
    const note = (more: string) =>
      `<< /Type /Annot /F 4 /Rect [60 690 80 710] /Contents (Please check) ${more} >>`;
    const text = await parseDocument(
      pdfOf([row(700, "Text")], [note("/Subtype /Text /T (Ann)"), note("/Subtype /Highlight /F 2")]),
    );
    assert.equal(text, "Text\n\nComment by Ann: Please check");
  });
});

describe("pages", () => {
  const two = [row(700, "One"), row(700, "Two")];
  test("each page has a mark if it is asked for, and a file of one page has none", async () => {
    assert.equal(await parseDocument(pdfOf(two)), "One\n\nTwo");
    assert.equal(
      await parseDocument(pdfOf(two), { marksPages: true }),
      "<!-- Page 1 -->\n\nOne\n\n<!-- Page 2 -->\n\nTwo",
    );
    assert.equal(await parseDocument(pdfOf([row(700, "One")]), { marksPages: true }), "One");
  });

  test("small text above or below its line is no part of the number before it", async () => {
    const page = [
      { x: 60, y: 700, text: "10" },
      { x: 72, y: 704, text: "6", size: 6 },
      { x: 76, y: 700, text: " items" },
    ];
    assert.equal(await parseDocument(pdfOf([page])), "10⁶ items");
  });

  test("a locked file says so, a wrong password too, and the right one opens it", async () => {
    const locked = await readFile(new URL("../../../fixtures/documents/locked.pdf", import.meta.url));
    await assert.rejects(parseDocument(locked), { message: "The PDF is locked with a password" });
    await assert.rejects(parseDocument(locked, { password: "no" }), { message: /password does not open/ });
    const open = new URL("../../../fixtures/documents/password-secret.pdf", import.meta.url);
    await assert.rejects(parseDocument(await readFile(open)), {
      message: "The PDF is locked with a password",
    });
    assert.equal(await parseDocument(await readFile(open), { password: "secret" }), "locked text");
  });
});
