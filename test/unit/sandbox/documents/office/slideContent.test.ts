// Slides as a person sees them: what is shown, in the order in which it is read, with notes and comments.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { strToU8, zipSync } from "fflate";
import { diagramText } from "../../../../../src/sandbox/documents/office/slides/diagramText.ts";
import { parseDocument } from "../../../../../src/sandbox/documents/parseDocument.ts";
import { deckOf, line, relations, shape } from "./slideDeck.ts";

type Corner = readonly [left: number, top: number, width: number, height: number];
const xfrm = ([x, y, cx, cy]: Corner, prefix = "a") =>
  `<${prefix}:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${cx}" cy="${cy}"/></${prefix}:xfrm>`;
const box = (text: string, ...corner: Corner) =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name=""/></p:nvSpPr><p:spPr>${xfrm(corner)}</p:spPr><p:txBody>${line(text)}</p:txBody></p:sp>`;
const group = (own: string, inner: string) => `<p:grpSp><p:grpSpPr>${own}</p:grpSpPr>${inner}</p:grpSp>`;
const hidden = (element: string, nonVisual: string, inner: string) =>
  `<p:${element}><p:${nonVisual}><p:cNvPr id="9" name="" hidden="1"/></p:${nonVisual}>${inner}</p:${element}>`;
const words = (text: string) => text.split("\n\n").join(" ");
const table = `<a:graphic><a:tbl><a:tr><a:tc><a:txBody>${line("cell")}</a:txBody></a:tc></a:tr></a:tbl></a:graphic>`;

describe("what is shown", () => {
  test("hidden shapes, frames and groups with all they have are no content", async () => {
    const shapes = [
      box("seen", 0, 0, 9, 9),
      hidden("sp", "nvSpPr", `<p:txBody>${line("unseen")}</p:txBody>`),
      hidden("grpSp", "nvGrpSpPr", box("unseen member", 0, 0, 1, 1)),
      hidden("graphicFrame", "nvGraphicFramePr", table),
      group("", box("member", 0, 0, 1, 1)),
    ];
    assert.equal(await deckOf(shapes.join("")), "seen\n\nmember");
  });

  test("a slide that the show leaves out is marked, and an empty one is not", async () => {
    const title = shape('<p:ph type="title"/>', line("Backup"));
    assert.equal(await deckOf(title, {}, 'show="0"'), "Hidden slide:\n\n## Backup");
    assert.equal(await deckOf(title, {}, 'show="1"'), "## Backup");
    await assert.rejects(deckOf("", {}, 'show="0"'), /no text in the file/);
  });

  test("texts of the layout and the master are no content", async () => {
    const layout = `<p:sldLayout>${shape('<p:ph type="title"/>', line("Click to edit"))}${shape("", line("Company"))}</p:sldLayout>`;
    assert.equal(
      await deckOf(shape('<p:ph type="title"/>', "<a:p/>") + shape("", line("Own")), {
        "ppt/slides/_rels/slide1.xml.rels": relations(["l", "slideLayout", "../slideLayouts/l.xml"]),
        "ppt/slideLayouts/l.xml": layout,
      }),
      "Own",
    );
  });

  test("line breaks: as elements, and as vertical tabs that programs escape", async () => {
    const lines = "<a:p><a:r><a:t>a</a:t></a:r><a:br/><a:r><a:t>b_x000B_c</a:t></a:r></a:p>";
    assert.equal(await deckOf(shape("", lines)), "a\nb\nc");
    assert.equal(await deckOf(shape('<p:ph type="title"/>', lines)), "## a b c");
  });

  test("strict namespaces and part names of other programs", async () => {
    const strict = "http://purl.oclc.org/ooxml/officeDocument/relationships";
    const files = {
      "_rels/.rels": relations(["r", `${strict}/officeDocument`, "/Deck/Main.xml"]),
      "Deck/Main.xml": `<x:presentation xmlns:q="${strict}"><x:sldIdLst><x:sldId id="256" q:id="a"/></x:sldIdLst></x:presentation>`,
      "Deck/_rels/Main.xml.rels": relations(["a", `${strict}/slide`, "pages/First%20page.xml"]),
      "Deck/pages/First page.xml": `<x:sld><x:cSld><x:spTree><x:sp><x:txBody><d:p><d:r><d:t>Text</d:t></d:r></d:p></x:txBody></x:sp></x:spTree></x:cSld></x:sld>`,
    };
    const bytes = zipSync(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])),
    );
    assert.equal(await parseDocument(bytes), "Text");
  });

  test("charts have their title and categories, diagrams the texts of their points in order, with levels", async () => {
    const frame = (graphic: string) =>
      `<p:graphicFrame><a:graphic><a:graphicData>${graphic}</a:graphicData></a:graphic></p:graphicFrame>`;
    const point = (id: string, text: string, type = "node") =>
      `<dgm:pt modelId="${id}" type="${type}"><dgm:prSet/><dgm:spPr><a:custGeom><a:pathLst><a:pt x="0" y="0"/></a:pathLst></a:custGeom></dgm:spPr><dgm:t><a:bodyPr/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`;
    const parent = (from: string, to: string, order: number, type = "") =>
      `<dgm:cxn modelId="${from}${to}" ${type} srcId="${from}" destId="${to}" srcOrd="${order}" destOrd="0"/>`;
    const data = `<dgm:dataModel><dgm:ptLst><dgm:pt modelId="0" type="doc"/>${point("2", "Second")}${point("3", "Below")}${point("1", "First")}<dgm:pt modelId="9" type="pres"/></dgm:ptLst><dgm:cxnLst>${parent("0", "2", 1)}${parent("2", "3", 0)}${parent("0", "1", 0)}${parent("1", "9", 0, 'type="presOf"')}</dgm:cxnLst></dgm:dataModel>`;
    const chart = `<c:chartSpace><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>2024</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>North</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>4</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`;
    assert.equal(
      await deckOf(frame('<c:chart r:id="c"/>') + frame('<dgm:relIds r:dm="d" r:lo="x"/>'), {
        "ppt/slides/_rels/slide1.xml.rels": relations(
          ["c", "chart", "../charts/c.xml"],
          ["d", "diagramData", "../diagrams/data1.xml"],
        ),
        "ppt/charts/c.xml": chart,
        "ppt/diagrams/data1.xml": data,
      }),
      "Sales\n\n|  | 2024 |\n| --- | --- |\n| North | 4 |\n\n- First\n- Second\n    - Below",
    );
  });
});

test("titles of axes are apart from that of the chart; charts of newer kinds have their categories", async () => {
  const rich = (...lines: string[]) =>
    `<c:title><c:tx><c:rich>${lines.map((text) => line(text)).join("")}</c:rich></c:tx></c:title>`;
  const newer = `<cx:chartSpace><cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:lvl><cx:pt idx="0">Oslo</cx:pt><cx:pt idx="1">Rome</cx:pt></cx:lvl><cx:lvl><cx:pt idx="0">North</cx:pt></cx:lvl></cx:strDim><cx:numDim type="size"><cx:f>Sheet1!C2</cx:f><cx:lvl><cx:pt idx="0">4</cx:pt><cx:pt idx="1">5</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart><cx:title><cx:tx><cx:txData><cx:v>Tree</cx:v></cx:txData><cx:rich>${line("Tree")}</cx:rich></cx:tx></cx:title></cx:chart></cx:chartSpace>`;
  const frames = ["c:chart", "cx:chart"].map(
    (name) => `<p:graphicFrame><${name} r:id="${name[1] === ":" ? "old" : "new"}"/></p:graphicFrame>`,
  );
  assert.equal(
    await deckOf(frames.join(""), {
      "ppt/slides/_rels/slide1.xml.rels": relations(
        ["old", "chart", "../charts/old.xml"],
        ["new", "http://schemas.microsoft.com/office/2014/relationships/chartEx", "../charts/new.xml"],
      ),
      "ppt/charts/old.xml": `<c:chartSpace><c:chart>${rich("Main", "title")}<c:plotArea><c:catAx>${rich("Axis")}</c:catAx></c:plotArea></c:chart></c:chartSpace>`,
      "ppt/charts/new.xml": newer,
    }),
    "Main title\n\nAxis\n\nTree\n\n|   |   |   |\n| --- | --- | --- |\n| North | Oslo | 4 |\n|  | Rome | 5 |",
  );
});

test("a link of a shape is that of its text, unless a part of it has its own", async () => {
  const link = (id: string, address: string) =>
    `<Relationship Id="${id}" Type="x/hyperlink" Target="${address}" TargetMode="External"/>`;
  const own = `<a:p><a:r><a:t>Go</a:t></a:r><a:r><a:rPr><a:hlinkClick r:id="b"/></a:rPr><a:t> there</a:t></a:r></a:p>`;
  assert.equal(
    await deckOf(
      `<p:sp><p:nvSpPr><p:cNvPr id="1" name=""><a:hlinkClick r:id="a"/></p:cNvPr></p:nvSpPr><p:txBody>${own}</p:txBody></p:sp>${shape("", line("plain"))}`,
      {
        "ppt/slides/_rels/slide1.xml.rels": `<Relationships>${link("a", "https://a.example/")}${link("b", "https://b.example/")}</Relationships>`,
      },
    ),
    "[Go](https://a.example/) [there](https://b.example/)\n\nplain",
  );
});

test("points of a diagram without ids, and branches that lead back, are read once", () => {
  const ids = new Map(["a", "b", "c"].map((id) => [id, id.toUpperCase()]));
  const cycle = `<dgm:cxn srcId="a" destId="b" srcOrd="0"/><dgm:cxn srcId="b" destId="a" srcOrd="0"/>`;
  assert.equal(diagramText(`<m><dgm:pt modelId="c"/>${cycle}</m>`, ids), "- C\n- A\n    - B");
  assert.equal(diagramText("<m/>", ids), "A\n\nB\n\nC");
});

describe("reading order", () => {
  const order = async (...shapes: string[]) => words(await deckOf(shapes.join("")));

  test("from the top to the bottom, whatever the order of the file", async () => {
    assert.equal(
      await order(box("3", 0, 800, 900, 100), box("1", 0, 0, 900, 100), box("2", 0, 400, 900, 100)),
      "1 2 3",
    );
    assert.equal(await order(box("low", 0, 500, 100, 100), box("high", 700, 0, 100, 100)), "high low");
  });

  test("rows from left to right, also where their tops differ a little", async () => {
    assert.equal(
      await order(
        box("4", 500, 505, 400, 200),
        box("2", 500, 0, 400, 200),
        box("3", 0, 520, 400, 200),
        box("1", 0, 10, 400, 200),
      ),
      "1 2 3 4",
    );
  });

  test("columns that the file has in order stay columns", async () => {
    const columns = [
      box("a", 0, 0, 400, 100),
      box("below a", 0, 200, 400, 500),
      box("b", 500, 0, 400, 100),
      box("below b", 500, 200, 400, 500),
    ];
    assert.equal(await order(...columns), "a below a b below b");
  });

  test("a tall shape beside several others is read before or after them", async () => {
    const side = [box("y", 500, 400, 400, 100), box("side", 0, 0, 300, 900), box("x", 500, 0, 400, 100)];
    assert.equal(await order(...side), "side x y");
  });

  test("groups are read as a whole where they are, their members by their own coordinates", async () => {
    const members = box("m2", 100, 90, 50, 10) + box("m1", 100, 0, 50, 10);
    const transform = `<a:xfrm><a:off x="0" y="0"/><a:ext cx="900" cy="200"/><a:chOff x="100" y="0"/><a:chExt cx="50" cy="100"/></a:xfrm>`;
    assert.equal(await order(box("under", 0, 300, 900, 100), group(transform, members)), "m1 m2 under");
    const sizeless = `<a:xfrm><a:off x="0" y="900"/><a:ext cx="0" cy="0"/></a:xfrm>`;
    for (const own of ["", sizeless])
      assert.equal(await order(box("under", 0, 300, 900, 100), group(own, members)), "m1 m2 under");
  });

  test("the title is first wherever it is; tables and text boxes are ordered alike", async () => {
    const title = `<p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:spPr>${xfrm([0, 900, 900, 50])}</p:spPr><p:txBody>${line("Title")}</p:txBody></p:sp>`;
    const frame = `<p:graphicFrame>${xfrm([0, 0, 900, 100], "p")}${table}</p:graphicFrame>`;
    assert.equal(
      await deckOf(box("under", 0, 300, 900, 100) + frame + title),
      "## Title\n\n| cell |\n| --- |\n\nunder",
    );
  });

  test("placeholders are where the layout or its master has them", async () => {
    const placed = (kind: string, ...corner: Corner) =>
      `<p:sp><p:nvSpPr><p:nvPr><p:ph ${kind}/></p:nvPr></p:nvSpPr><p:spPr>${xfrm(corner)}</p:spPr></p:sp>`;
    const parts = {
      "ppt/slides/_rels/slide1.xml.rels": relations(["l", "slideLayout", "../slideLayouts/l.xml"]),
      "ppt/slideLayouts/_rels/l.xml.rels": relations(["m", "slideMaster", "../slideMasters/m.xml"]),
      "ppt/slideLayouts/l.xml": `<p:sldLayout>${placed('type="body" idx="13"', 0, 0, 900, 100)}${shape('<p:ph idx="1"/>')}</p:sldLayout>`,
      "ppt/slideMasters/m.xml": `<p:sldMaster>${placed('type="body" idx="1"', 0, 600, 900, 300)}</p:sldMaster>`,
    };
    const text = shape('<p:ph idx="1"/>', line("body")) + shape('<p:ph type="body" idx="13"/>', line("lead"));
    assert.equal(await deckOf(box("middle", 0, 300, 900, 100) + text, parts), "- lead\n\nmiddle\n\n- body");
  });

  test("shapes without a position stay where the file has them", async () => {
    assert.equal(
      await order(
        shape("", line("0")),
        box("3", 0, 800, 900, 100),
        shape("", line("4")),
        box("1", 0, 0, 900, 100),
      ),
      "0 1 3 4",
    );
  });
});

describe("notes and comments", () => {
  const title = shape('<p:ph type="title"/>', line("Plan"));

  test("notes have a label, on a line of its own before lists and tables", async () => {
    const notes = (...lines: string[]) => ({
      "ppt/slides/_rels/slide1.xml.rels": relations(["n", "notesSlide", "../notesSlides/n.xml"]),
      "ppt/notesSlides/n.xml": `<p:notes>${shape('<p:ph type="body" idx="1"/>', ...lines)}</p:notes>`,
    });
    assert.equal(
      await deckOf(title, notes(line("Say it."), line("Wait."))),
      "## Plan\n\nSpeaker notes: Say it.\n\nWait.",
    );
    const item = line("Point", '<a:pPr><a:buChar char="•"/></a:pPr>');
    assert.equal(await deckOf(title, notes(item)), "## Plan\n\nSpeaker notes:\n\n- Point");
    assert.equal(await deckOf(title, notes("<a:p/>")), "## Plan");
  });

  const presentation = (type: string, target: string) =>
    relations(["s1", "slide", "slides/slide1.xml"], ["a", type, target]);

  test("comments of older programs, with their authors and replies", async () => {
    assert.equal(
      await deckOf(title, {
        "ppt/_rels/presentation.xml.rels": presentation("commentAuthors", "commentAuthors.xml"),
        "ppt/commentAuthors.xml": `<p:cmAuthorLst><p:cmAuthor id="0" name="Ada"/><p:cmAuthor id="1" name="Ben"/></p:cmAuthorLst>`,
        "ppt/slides/_rels/slide1.xml.rels": relations(["c", "comments", "../comments/comment1.xml"]),
        "ppt/comments/comment1.xml": `<p:cmLst><p:cm authorId="0" idx="1"><p:pos x="1" y="2"/><p:text>Which
 year?</p:text></p:cm><p:cm authorId="1" idx="1"><p:pos/><p:text>2026</p:text><p:extLst><p:ext uri="{C}"><p15:threadingInfo><p15:parentCm authorId="0" idx="1"/></p15:threadingInfo></p:ext></p:extLst></p:cm><p:cm authorId="7"><p:text>?</p:text></p:cm></p:cmLst>`,
      }),
      "## Plan\n\nComment by Ada: Which year?\n\nReply by Ben: 2026\n\nComment: ?",
    );
  });

  test("comments of newer programs, each with its replies below it", async () => {
    const modern = "http://schemas.microsoft.com/office/2018/10/relationships";
    const said = (...lines: string[]) =>
      `<p188:txBody><a:bodyPr/>${lines.map((text) => line(text)).join("")}</p188:txBody>`;
    assert.equal(
      await deckOf(title, {
        "ppt/_rels/presentation.xml.rels": presentation(`${modern}/authors`, "authors.xml"),
        "ppt/authors.xml": `<p188:authorLst><p188:author id="{A}" name="Ada" initials="A"/><p188:author id="{B}" name="Ben"/></p188:authorLst>`,
        "ppt/slides/_rels/slide1.xml.rels": relations(["c", `${modern}/comments`, "../comments/modern.xml"]),
        "ppt/comments/modern.xml": `<p188:cmLst><p188:cm id="{1}" authorId="{A}"><p188:replyLst><p188:reply id="{2}" authorId="{B}">${said("Yes.")}</p188:reply></p188:replyLst>${said("Is it", "right?")}</p188:cm></p188:cmLst>`,
      }),
      "## Plan\n\nComment by Ada: Is it right?\n\nReply by Ben: Yes.",
    );
  });
});
