// Runs of DOCX files whose text is not what is stored.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { p, r, textOf } from "./docxParts.ts";

describe("runs", () => {
  test("letters of a font of signs are those signs", async () => {
    const font = (name: string) => `<w:rFonts w:ascii="${name}" w:hAnsi="${name}"/>`;
    const body = p(r("ü", font("Wingdings")) + r(" done, ") + r("l = a", font("Symbol")) + r(" J", ""));
    assert.equal(await textOf(body), "✓ done, λ = α J");
  });

  test("text above its line by a style, or by a distance", async () => {
    const style = (id: string, more: string, base = "") =>
      `<w:style w:type="character" w:styleId="${id}">${base && `<w:basedOn w:val="${base}"/>`}<w:rPr>${more}</w:rPr></w:style>`;
    const styles = `<w:styles>${style("Up", '<w:vertAlign w:val="superscript"/>')}${style("Upper", "", "Up")}${style("Flat", '<w:vertAlign w:val="baseline"/>', "Up")}</w:styles>`;
    const after = (properties: string) =>
      textOf(p(r("10") + r("6", properties) + r(" items")), { "word/styles.xml": styles });
    assert.equal(await after('<w:rStyle w:val="Up"/>'), "10⁶ items");
    assert.equal(await after('<w:rStyle w:val="Upper"/>'), "10⁶ items");
    assert.equal(await after('<w:rStyle w:val="Flat"/>'), "106 items");
    assert.equal(await after('<w:rStyle w:val="Up"/><w:vertAlign w:val="baseline"/>'), "106 items");
    assert.equal(await after('<w:position w:val="8"/>'), "10⁶ items");
    assert.equal(await after('<w:position w:val="-8"/>'), "10₆ items");
    assert.equal(await after('<w:position w:val="2"/>'), "106 items");
  });

  test("possible hyphens and line ends of the file are not seen", async () => {
    const body = p(`${r("co\u00adoperate exam")}<w:r><w:softHyphen/></w:r>${r("ple\n    of it")}`);
    assert.equal(await textOf(body), "cooperate example of it");
  });

  test("a first letter as high as several lines begins the word", async () => {
    const first = p(r("O"), '<w:framePr w:dropCap="drop" w:lines="3"/>');
    assert.equal(await textOf(first + p(r("nce upon a time."))), "Once upon a time.");
  });

  test("headings of a file that does not describe its styles", async () => {
    const heading = (style: string) => p(r("Intro"), `<w:pStyle w:val="${style}"/>`);
    assert.equal(await textOf(heading("Heading2") + p(r("text"))), "## Intro\n\ntext");
    assert.equal(await textOf(heading("Title")), "# Intro");
    const styles = '<w:styles><w:style w:styleId="Heading2"><w:name w:val="Other"/></w:style></w:styles>';
    assert.equal(await textOf(heading("Heading2"), { "word/styles.xml": styles }), "Intro");
  });
});
