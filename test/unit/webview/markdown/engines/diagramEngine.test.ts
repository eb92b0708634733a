import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { diagramEngine } from "../../../../../src/webview/markdown/engines/diagramEngine.ts";
import {
  type DiagramColours,
  type DrawnDiagram,
  isDiagram,
} from "../../../../../src/webview/markdown/pictures.ts";
import { openBrowser, type TestBrowser } from "../../browser.ts";

const fonts = { font: '-apple-system, "Segoe WPC", sans-serif', codeFont: "'Fira Code', monospace" };
const themes: Readonly<Record<string, DiagramColours>> = {
  dark: { foreground: "#cccccc", background: "#1f1f1f", ...fonts },
  light: { foreground: "#3b3b3b", background: "#ffffff", ...fonts },
  "high contrast": { foreground: "#ffffff", background: "#000000", ...fonts },
  "high contrast, light": { foreground: "#292929", background: "#ffffff", ...fonts },
};
const dark: DiagramColours = { foreground: "#cccccc", background: "#1f1f1f", ...fonts };

const drawn: Readonly<Record<string, string>> = {
  flowchart: "flowchart LR\n A[Start] -->|yes| B{Ready?}\n B -- no --> A\n B -.-> C & D",
  "graph without spaces": "graph TD\nA-->B\nB==>C\nC-.->D---E",
  "graph without a direction": "graph\n A --> B",
  "graph that ends in semicolons": "graph TD;\n A --> B;\n B --> C;",
  "graph after front matter": "---\ntitle: x\n---\n%% why\ngraph TD\n A --> B",
  "graph with groups": "graph TD\n subgraph one\n A --> B\n end\n B --> C",
  states: "stateDiagram-v2\n [*] --> Still : begins\n Still --> [*]",
  sequence: "sequenceDiagram\n A->>B: asks\n Note over A: thinks\n loop daily\n B-->>A: says\n end",
  classes: 'classDiagram\n class A {\n +String name\n -run(x) int\n }\n A <|-- B : is\n A "1" --> "n" C',
  entities: "erDiagram\n A ||--o{ B : has\n A {\n string name PK\n int age\n }",
};
const refused =
  "gantt pie mindmap journey timeline gitGraph quadrantChart sankey-beta xychart-beta C4Context requirementDiagram block-beta zenuml packet-beta kanban architecture-beta info constructor __proto__".split(
    " ",
  );

const names = (count: number, letter: string) =>
  Array.from({ length: count }, (_, index) => `${letter}${index}`);
const chain = (count: number) => names(count, "n").map((name, index) => `${name} --> n${index + 1}`);
const tooLarge: Readonly<Record<string, string>> = {
  "every one with every other": `graph TD\n${names(500, "a").join(" & ")} --> ${names(500, "b").join(" & ")}`,
  "many that multiply less": `graph TD\n${Array.from({ length: 100 }, () => "a & b & c --> d & e & f").join("\n")}`,
  "connections that pass all others": `graph TD\n${chain(70).join("\n")}\n${names(70, "n")
    .map((name) => `n0 --> ${name}`)
    .join("\n")}`,
  "classes that pass all others": `classDiagram\n${names(70, "n")
    .map((name, index) => `${name} <|-- n${index + 1}\nn0 <|-- n${index + 1}`)
    .join("\n")}`,
  "groups in groups": `graph TD\n${"subgraph x\n".repeat(40)}a --> b\n${"end\n".repeat(40)}`,
  "states in states": `stateDiagram-v2\n${names(40, "s")
    .map((name) => `state ${name} {\n`)
    .join("")}a --> b\n${"}\n".repeat(40)}`,
  "many lines": `sequenceDiagram\n${"A->>B: x\n".repeat(200)}`,
  "a long line": `graph TD\nA[${"x".repeat(2000)}] --> B`,
  "many characters": `graph TD\n${`A[${"x".repeat(200)}] --> B\n`.repeat(70)}`,
};

describe("diagrams", () => {
  for (const [name, source] of Object.entries(drawn)) {
    it(`offers and draws: ${name}`, async () => {
      assert.equal(isDiagram(source), true);
      assert.ok("svg" in (await diagramEngine.draw(source, dark)));
    });
  }

  it("does not offer other kinds, and says so if asked for one", async () => {
    for (const kind of refused) {
      const source = `${kind}\n title x\n a --> b`;
      assert.equal(isDiagram(source), false, kind);
      assert.deepEqual(await diagramEngine.draw(source, dark), {
        problem: "A diagram of this kind can't be drawn here.",
      });
    }
  });

  it("connects nodes with their arrows", async () => {
    const svg = svgOf(await diagramEngine.draw("graph TD\nA-->B\nB-- why -->C", dark));
    assert.equal(svg.match(/<polyline/g)?.length, 2);
    assert.match(svg, />why</);
    assert.doesNotMatch(svg, />A--</);
  });

  for (const [name, source] of Object.entries(tooLarge)) {
    it(`refuses a diagram whose layout would take too long: ${name}`, async () => {
      const result = await diagramEngine.draw(source, dark);
      assert.match(
        "problem" in result ? result.problem : "drawn",
        /^The diagram is too large to be drawn here: /,
      );
    });
  }

  it("lays out the diagrams of real answers", async () => {
    assert.ok("svg" in (await diagramEngine.draw(`graph TD\n${chain(140).join("\n")}`, dark)));
    const layers = [0, 1, 2].map((layer) => names(6, `l${layer}x`).join(" & ")).join(" --> ");
    assert.ok("svg" in (await diagramEngine.draw(`graph TD\n${layers}`, dark)));
  });
});

describe("rendered diagrams", () => {
  let browser: TestBrowser;
  let page: Page;
  before(async () => {
    browser = await openBrowser();
    page = await browser.newPage();
  });
  after(() => browser.close());

  for (const [theme, colours] of Object.entries(themes)) {
    it(`have readable texts and lines (${theme})`, async () => {
      for (const [name, source] of Object.entries(drawn)) {
        await show(page, await diagramEngine.draw(source, colours), colours);
        for (const { text, ink, ground } of await inks(page)) {
          assert.ok(contrast(ink, ground) >= 4.5, `${name}, “${text}”: ${ink} on ${ground}`);
        }
      }
    });
  }

  it("have readable texts on the author's colours", async () => {
    const fills = ["#f9f", "#ffffcc", "#003366", "#000", "#fff", "#777777"];
    const lines = fills.map((fill, index) => `A --> n${index}\nstyle n${index} fill:${fill},stroke:#333`);
    const source = `graph TD\n${lines.join("\n")}\nclassDef x fill:#fe7;\nclass A x`;
    await show(page, await diagramEngine.draw(source, dark), dark);
    const texts = await inks(page);
    assert.equal(texts.length, fills.length + 1);
    for (const { text, ink, ground } of texts)
      assert.ok(contrast(ink, ground) >= 4.5, `“${text}”: ${ink} on ${ground}`);
  });

  it("have the fonts of the page", async () => {
    await show(page, await diagramEngine.draw(drawn.classes ?? "", dark), dark);
    const families = await page
      .locator("svg text")
      .evaluateAll((texts) => [...new Set(texts.map((text) => getComputedStyle(text).fontFamily))]);
    assert.deepEqual(
      families.sort(),
      ['"Fira Code", monospace', '-apple-system, "Segoe WPC", sans-serif'].sort(),
    );
  });
});

function svgOf(result: DrawnDiagram): string {
  assert.ok("svg" in result, JSON.stringify(result));
  return result.svg;
}

async function show(page: Page, result: DrawnDiagram, { background }: DiagramColours): Promise<void> {
  await page.setContent(`<body style="background: ${background}">${svgOf(result)}</body>`);
}

type Colour = readonly number[];

/** Each text with its colour, and the colour of the last shape drawn below its middle. */
function inks(
  page: Page,
): Promise<{ readonly text: string; readonly ink: Colour; readonly ground: Colour }[]> {
  return page.locator("svg text").evaluateAll((texts) => {
    const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const toRgb = (colour: string) => {
      if (!context) return [];
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
      return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const page = getComputedStyle(document.body).backgroundColor;
    const shapes = [...document.querySelectorAll("svg :is(rect, polygon, circle, ellipse, path)")];
    return texts.flatMap((text) => {
      const spans = text.querySelectorAll("tspan");
      const box = text.getBoundingClientRect();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const below = shapes.findLast((shape) => {
        const around = shape.getBoundingClientRect();
        const isFilled = getComputedStyle(shape).fill !== "none";
        const isBefore = shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING;
        const isAround = around.left <= x && x <= around.right && around.top <= y && y <= around.bottom;
        return isFilled && isBefore && isAround;
      });
      const ground = toRgb(below ? getComputedStyle(below).fill : page);
      return (spans.length > 0 ? [...spans] : [text]).map((part) => ({
        text: part.textContent ?? "",
        ink: toRgb(getComputedStyle(part).fill),
        ground,
      }));
    });
  });
}

/** WCAG's contrast ratio. */
function contrast(one: Colour, other: Colour): number {
  const luminance = (colour: Colour) => {
    const [red = 0, green = 0, blue = 0] = colour.map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
