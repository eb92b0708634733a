// Numbers of lists in the formats of Word.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { numberInFormat } from "../../../../../../src/sandbox/documents/office/lists/numberFormats.ts";
import { p, r, textOf } from "../docxParts.ts";

const formats: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  cardinalText: { 1: "One", 20: "Twenty", 42: "Forty-two", 100: "100" },
  ordinalText: { 1: "First", 20: "Twentieth", 21: "Twenty-first", 30: "Thirtieth" },
  russianLower: { 1: "а", 29: "я", 30: "30" },
  decimalFullWidth: { 10: "１０" },
  hex: { 10: "A" },
  numberInDash: { 3: "- 3 -" },
  hebrew2: { 2: "ב" },
  ganada: { 3: "다" },
  aiueo: { 2: "イ" },
  ideographTraditional: { 1: "甲" },
  thaiNumbers: { 12: "๑๒" },
  "custom:001": { 7: "007", 1234: "1234" },
  constructor: { 1: "1" },
};

const numberingOf = (levels: string) => ({
  "word/numbering.xml": `<w:numbering><w:abstractNum w:abstractNumId="0">${levels}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
});
const level = (index: number, format: string, text: string, more = "") =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="1"/>${format}${more}<w:lvlText w:val="${text}"/></w:lvl>`;
const item = (text: string, at = 0) =>
  p(r(text), `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="1"/></w:numPr>`);

describe("numbers of lists", () => {
  for (const [format, numbers] of Object.entries(formats))
    test(format, () => {
      for (const [count, text] of Object.entries(numbers))
        assert.equal(numberInFormat(Number(count), format), text);
    });

  test("a format of the user's own, beside one for older programs", async () => {
    const both = `<mc:AlternateContent><mc:Choice Requires="w14"><w:numFmt w:val="custom" w:format="001, 002, 003, ..."/></mc:Choice><mc:Fallback><w:numFmt w:val="decimal"/></mc:Fallback></mc:AlternateContent>`;
    assert.equal(await textOf(item("x"), numberingOf(level(0, both, "A-%1"))), "- A-001 x");
  });

  test("a word in the place of the number or of the bullet; an empty number is a bullet", async () => {
    const labelled = (format: string, text: string) =>
      textOf(item("x"), numberingOf(level(0, `<w:numFmt w:val="${format}"/>`, text)));
    assert.equal(await labelled("none", "Note:"), "- Note: x");
    assert.equal(await labelled("bullet", "Option:"), "- Option: x");
    assert.equal(await labelled("bullet", "o"), "- x");
    assert.equal(await labelled("none", "%1."), "- x");
  });

  test("levels that go on below the next item, or begin again after some levels only", async () => {
    const decimal = '<w:numFmt w:val="decimal"/>';
    const listOf = (restart: number) =>
      textOf(
        [item("a"), item("b", 1), item("c"), item("d", 1)].join(""),
        numberingOf(
          level(0, decimal, "%1.") + level(1, decimal, "%2.", `<w:lvlRestart w:val="${restart}"/>`),
        ),
      );
    assert.equal(await listOf(0), "1. a\n    1. b\n2. c\n    2. d");
    assert.equal(await listOf(1), "1. a\n    1. b\n2. c\n    1. d");
  });
});
