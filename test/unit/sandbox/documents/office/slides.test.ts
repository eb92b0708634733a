// Slides: their text once and in order, without what stands on each of them.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { deckOf, line, shape } from "./slideDeck.ts";

describe("slides", () => {
  test("numbers, dates, headers and footers are no content, on slides and in notes", async () => {
    const kinds = ["sldNum", "dt", "ftr", "hdr"].map((type) =>
      shape(`<p:ph type="${type}"/>`, line(`${type} text`)),
    );
    const type = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const field = '<p:sp><p:txBody><a:p><a:fld type="slidenum"><a:t>3</a:t></a:fld></a:p></p:txBody></p:sp>';
    assert.equal(
      await deckOf(shape('<p:ph type="title"/>', line("Plan")) + kinds.join("") + field, {
        "ppt/slides/_rels/slide1.xml.rels": `<Relationships><Relationship Id="n" Type="${type}/notesSlide" Target="../notesSlides/notesSlide1.xml"/></Relationships>`,
        "ppt/notesSlides/notesSlide1.xml": `<p:notes>${shape('<p:ph type="body"/>', line("Say it."))}${kinds.join("")}</p:notes>`,
      }),
      "## Plan\n\nSpeaker notes: Say it.",
    );
  });

  test("the title is first, shapes of groups are read, subtitles are no list", async () => {
    const group = `<p:grpSp>${shape("", line("One"))}<p:grpSp>${shape("", line("Two"))}</p:grpSp></p:grpSp>`;
    const title = shape('<p:ph type="ctrTitle"/>', line("Title"));
    const subtitle = shape('<p:ph type="subTitle" idx="1"/>', line("Below"));
    assert.equal(await deckOf(group + title + subtitle), "## Title\n\nOne\n\nTwo\n\nBelow");
  });

  test("numbered lists, own bullets and emphasis", async () => {
    const auto = (type: string, start = "") => `<a:pPr><a:buAutoNum type="${type}" ${start}/></a:pPr>`;
    assert.equal(
      await deckOf(
        shape(
          '<p:ph idx="1"/>',
          line("a", auto("arabicPeriod", 'startAt="3"')),
          line("b", auto("arabicPeriod")),
        ) +
          shape("", line("c", auto("alphaLcParenR")), line("d", auto("alphaLcParenR"))) +
          shape("", line("e", '<a:pPr><a:buChar char="•"/></a:pPr>', 'b="1"')),
      ),
      "3. a\n4. b\n- a) c\n- b) d\n- **e**",
    );
  });

  test("merged cells of tables: covered ones show nothing, and no value moves", async () => {
    const cell = (text: string, attributes = "") =>
      `<a:tc ${attributes}><a:txBody>${line(text)}</a:txBody></a:tc>`;
    const rows = [
      cell("Region") + cell("2024") + cell("2025"),
      cell("Total", 'gridSpan="2"') + cell("unseen", 'hMerge="1"') + cell("10"),
      cell("North", 'rowSpan="2"') + cell("1") + cell("2"),
      cell("unseen", 'vMerge="1"') + cell("3") + cell("4"),
    ];
    assert.deepEqual(
      (await deckOf(`<a:tbl>${rows.map((row) => `<a:tr>${row}</a:tr>`).join("")}</a:tbl>`)).split("\n"),
      [
        "| Region | 2024 | 2025 |",
        "| --- | --- | --- |",
        "| Total |  | 10 |",
        "| North | 1 | 2 |",
        "|  | 3 | 4 |",
      ],
    );
  });

  test("raised text by its baseline, and links", async () => {
    const type = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const raised = `<a:p><a:r><a:t>10</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>6</a:t></a:r><a:r><a:rPr><a:hlinkClick r:id="l"/></a:rPr><a:t> site</a:t></a:r></a:p>`;
    assert.equal(
      await deckOf(shape("", raised), {
        "ppt/slides/_rels/slide1.xml.rels": `<Relationships><Relationship Id="l" Type="${type}/hyperlink" Target="https://example.com/" TargetMode="External"/></Relationships>`,
      }),
      "10⁶ [site](https://example.com/)",
    );
  });
});
