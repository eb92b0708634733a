import { attribute, readXml } from "../xml/xml.ts";
import { markdownTable } from "./markdownTable.ts";

interface Series {
  name: string;
  readonly categories: Map<number, string>;
  readonly values: Map<number, string>;
}

/** Larger charts are errors of the file. */
const maxPoints = 20_000;

/** What a chart shows: its titles, and the values of its series as a table. Throws if the XML is invalid. */
export function chartMarkdown(xml: string): string {
  const path: string[] = [];
  const series: Series[] = [];
  /** Of the chart, then of its axes. */
  const titles: string[] = [];
  let point = 0;
  readXml(xml, {
    open(name, attributes) {
      path.push(name);
      const isTitle = path.includes("title") && !path.includes("ser");
      if (name === "title") titles.push("");
      if (name === "p" && isTitle) titles.push(`${titles.pop() ?? ""} `);
      if (name === "ser") series.push({ name: "", categories: new Map(), values: new Map() });
      if (name === "pt") point = Math.min(maxPoints, Number(attribute(attributes, "idx")) || 0);
    },
    close() {
      path.pop();
    },
    text(text) {
      const current = series.at(-1);
      if (path.at(-1) === "t" && path.includes("title") && !path.includes("ser"))
        titles.push((titles.pop() ?? "") + text);
      if (path.at(-1) !== "v" || !current || !path.includes("ser")) return;
      if (path.includes("tx")) current.name += text;
      else if (path.includes("cat") || path.includes("xVal")) add(current.categories, point, text);
      else if (path.includes("val") || path.includes("yVal")) add(current.values, point, text);
    },
  });
  return [...titles.map((title) => title.trim()), seriesTable(series)].filter(Boolean).join("\n\n");
}

function add(texts: Map<number, string>, point: number, text: string): void {
  texts.set(point, (texts.get(point) ?? "") + text);
}

function seriesTable(series: readonly Series[]): string {
  const points = [
    ...new Set(series.flatMap(({ values, categories }) => [...values.keys(), ...categories.keys()])),
  ];
  if (points.length === 0) return "";
  const categories = series.find((each) => each.categories.size > 0)?.categories;
  const rows = points
    .toSorted((one, other) => one - other)
    .map((index) => [
      categories?.get(index) ?? String(index + 1),
      ...series.map(({ values }) => shown(values.get(index))),
    ]);
  return markdownTable([["", ...series.map(({ name }) => name.trim())], ...rows]);
}

/** Charts store numbers with all digits of the calculation. */
function shown(value: string | undefined): string {
  const number = Number(value);
  return value === undefined || value.trim() === "" || Number.isNaN(number)
    ? (value ?? "")
    : String(Number(number.toPrecision(15)));
}
