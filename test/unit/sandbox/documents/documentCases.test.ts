// Documents that people met, each for its class: their text is complete, once and in its place.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { parseDocument } from "../../../../src/sandbox/documents/parseDocument.ts";

const cases: Readonly<Record<string, string>> = {
  "text-box.docx": "Before the box. After the box.\n\nInside the box.\n\nNext paragraph.",
  "moved.docx": "Middle.\n\nMoved sentence.",
  "merged-total.docx": "| Region | 2024 | 2025 |\n| --- | --- | --- |\n| North | 1 | 2 |\n| Total |  | 10 |",
  "style-lists.docx": "- First bullet\n- Second bullet",
  "exponent.docx": "10⁶ items",
  "formats.xlsx": [
    "## Sheet1\n",
    "| kind | value |",
    "| --- | --- |",
    "| rate, shown as 7.5% | 7.5% |",
    "| price, shown as $1,234.50 | $1,234.50 |",
    "| date, shown as 03/15/2026 | 03/15/2026 |",
    "| time, shown as 6:00 AM | 6:00 AM |",
    "| quotient, shown as #DIV/0! | #DIV/0! |",
  ].join("\n"),
  "slide-number.pptx": "## Plan of the year",
  "form.pdf": "Name: Ada Example\nAgree: ☒ Yes",
  "about-pdf.txt": "A PDF starts with %PDF-1.7 in its first line.\nThis is a note about it.",
  "shift-jis.txt": "日本語の文章",
};

for (const [name, text] of Object.entries(cases)) {
  test(name, async () => {
    const file = new URL(`../../fixtures/documents/cases/${name}`, import.meta.url);
    assert.equal(await parseDocument(await readFile(file)), text);
  });
}
