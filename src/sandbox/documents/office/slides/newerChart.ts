import { readXml } from "../../xml/xml.ts";
import { markdownTable } from "../markdownTable.ts";

/** Texts of points by their number. */
type Level = Map<number, string>;

/** Larger charts are errors of the file. */
const maxPoints = 20_000;

/**
 * What a chart of a newer kind shows, such as a waterfall or a tree: its title, and its categories with their values.
 * A category can have several levels. Throws if the XML is invalid.
 */
export function newerChartMarkdown(xml: string): string {
  const path: string[] = [];
  /** Of the title: as it is formatted, and as it was typed. */
  const title = { t: "", v: "" };
  const sets: { readonly categories: Level[]; readonly values: Level[] }[] = [];
  let point = 0;
  const levelsIn = () => {
    if (path.includes("strDim")) return sets.at(-1)?.categories;
    return path.includes("numDim") ? sets.at(-1)?.values : undefined;
  };
  readXml(xml, {
    open(name, { idx }) {
      path.push(name);
      if (name === "data") sets.push({ categories: [], values: [] });
      if (name === "lvl") levelsIn()?.push(new Map());
      if (name === "pt") point = Math.min(maxPoints, Number(idx) || 0);
    },
    close() {
      path.pop();
    },
    text(text) {
      const element = path.at(-1);
      const isTitle = path.includes("title") && !path.includes("axis");
      if (isTitle && (element === "t" || element === "v")) title[element] += text;
      const level = levelsIn()?.at(-1);
      if (element === "pt" && level) level.set(point, (level.get(point) ?? "") + text);
    },
  });
  const tables = sets.map(({ categories, values }) => pointTable([...categories.toReversed(), ...values]));
  return [(title.t || title.v).trim(), ...tables].filter(Boolean).join("\n\n");
}

/** The last level of categories is the outermost one. */
function pointTable(columns: readonly Level[]): string {
  const points = [...new Set(columns.flatMap((level) => [...level.keys()]))];
  if (points.length === 0) return "";
  const rows = points
    .toSorted((one, other) => one - other)
    .map((index) => columns.map((level) => level.get(index)?.trim() ?? ""));
  return markdownTable([columns.map(() => " "), ...rows]);
}
