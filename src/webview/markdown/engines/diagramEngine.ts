import { parseMermaid, renderMermaid } from "beautiful-mermaid";
import { messageOf } from "../../../shared/messageOf.ts";
import { type DiagramColours, type DiagramEngine, diagramKinds, withoutPreamble } from "../pictures.ts";

// The last version that lays out by dagre: those after it bring ELK, fifteen times the size of all the rest.

/** The cost of layout grows faster than the source. A diagram within these limits takes a few tenths of a second. */
const mostCharacters = 12_000;
const mostLines = 150;
const longestLine = 1000;
const mostEdges = 300;
/** An edge is laid out separately in each rank that it crosses. */
const mostSteps = 1000;
/** Each group is laid out by itself and again within its parent. */
const deepestGroup = 8;

/** A label on a line hides the line behind it. */
const labelsApart =
  'text[fill="var(--_text-muted)"] { paint-order: stroke; stroke: var(--bg); stroke-width: 4px; stroke-linejoin: round; }';

export const diagramEngine: DiagramEngine = {
  async draw(written, colours) {
    try {
      const source = diagramSource(written);
      if (!source) return { problem: "A diagram of this kind can't be drawn here." };
      const size = sizeProblem(written, source.text, source.isFlow);
      if (size !== undefined) return { problem: `The diagram is too large to be drawn here: ${size}.` };
      const { foreground, background } = colours;
      const drawn = await renderMermaid(source.text, {
        fg: foreground,
        bg: background,
        // Lines, frames and labels need enough contrast with the background.
        line: foreground,
        accent: foreground,
        muted: foreground,
        border: `color-mix(in srgb, ${foreground} 60%, ${background})`,
        transparent: true,
      });
      return { svg: inPageStyle(drawn, colours) };
    } catch (error) {
      return {
        problem: `The diagram can't be read: ${messageOf(error)}`,
      };
    }
  },
};

/** Uses the fonts of the page and removes references to other resources, which an image could not load anyway. */
function inPageStyle(svg: string, { font, codeFont }: DiagramColours): string {
  return svg
    .replaceAll(/@import url\('[^']*'\);/g, "")
    .replaceAll("@import", "")
    .replaceAll(/url\((?!#)[^)]*\)/g, "none")
    .replace(/(?<=\btext \{ font-family: )[^;]*/, escaped(font))
    .replace(/(?<=\.mono \{ font-family: )[^;]*/, escaped(codeFont))
    .replace("<style>", `<style>${labelsApart}`)
    .replace(/(?<=--_text-faint:)[^;]*/, " var(--fg)");
}

function escaped(family: string): string {
  return family.replaceAll(/[<>&{};]/g, "");
}

/** The reason why layout would take too long; undefined if it would not. */
function sizeProblem(written: string, source: string, isFlow: boolean): string | undefined {
  if (written.length > mostCharacters) return `it has more than ${mostCharacters} characters`;
  const lines = source.split("\n").map((line) => line.trim());
  if (lines.length > mostLines) return `it has more than ${mostLines} lines`;
  if (lines.some((line) => line.length > longestLine))
    return `one of its lines has more than ${longestLine} characters`;
  if (groupDepth(lines) > deepestGroup) return `its groups are nested more than ${deepestGroup} levels deep`;
  // `a & b --> c & d` is four edges, so edges are counted in the text before they are parsed.
  if (isFlow && lines.reduce((sum, line) => sum + countEdges(line), 0) > mostEdges)
    return `it has more than ${mostEdges} connections`;
  return countSteps(isFlow ? parseMermaid(source).edges : lines.flatMap(edgeOf)) > mostSteps
    ? "too many of its connections lead past other parts"
    : undefined;
}

function groupDepth(lines: readonly string[]): number {
  let depth = 0;
  let deepest = 0;
  for (const line of lines) {
    if (/^subgraph\b|^state\b.*\{$|^namespace\b.*\{$/.test(line)) deepest = Math.max(deepest, ++depth);
    else if (line === "end" || line === "}") depth = Math.max(0, depth - 1);
  }
  return deepest;
}

function countEdges(line: string): number {
  const groups = line.split(/--|==|-\./).map((group) => group.split("&").length);
  return groups.slice(1).reduce((sum, count, index) => sum + count * (groups[index] ?? 1), 0);
}

interface Edge {
  readonly source: string;
  readonly target: string;
}

/** Reads an edge of the other kinds of diagrams: `A "1" <|-- "n" B`, `A ||--o{ B`, `a --> b`. */
function edgeOf(line: string): Edge[] {
  const match = /^(\S+)\s+(?:"[^"]*"\s*)?\S*(?:--|\.\.)\S*\s+(?:"[^"]*"\s*)?([\w-]+)/.exec(line);
  return match ? [{ source: match[1] ?? "", target: match[2] ?? "" }] : [];
}

/** The number of ranks that all edges cross together, with each node below its predecessors. */
function countSteps(edges: readonly Edge[]): number {
  const targets = Map.groupBy(edges, ({ source }) => source);
  const heights = new Map<string, number>();
  const heightOf = (node: string): number => {
    const known = heights.get(node);
    if (known !== undefined) return known;
    // An edge that closes a cycle counts as height 0.
    heights.set(node, 0);
    const height = Math.max(0, ...(targets.get(node) ?? []).map(({ target }) => heightOf(target) + 1));
    heights.set(node, height);
    return height;
  };
  return edges.reduce((sum, { source, target }) => sum + Math.abs(heightOf(source) - heightOf(target)), 0);
}

/** Normalises the source: the engine accepts only one of several notations. */
function diagramSource(written: string): { readonly text: string; readonly isFlow: boolean } | undefined {
  const source = withoutPreamble(written);
  for (const { first, head, isFlow = false } of diagramKinds) {
    const match = first.exec(source);
    if (!match) continue;
    const body = source.slice(match[0].length);
    return { text: `${head(match[1])}\n${withReadableFills(isFlow ? withPlainArrows(body) : body)}`, isFlow };
  }
  return undefined;
}

/** Shortens arrows, puts spaces around them and their labels behind them, as the engine expects. */
function withPlainArrows(body: string): string {
  return body
    .replaceAll(/--[ \t]+([^\s|>-][^|>\n]*?)[ \t]+-{2,}>/g, "-->|$1|")
    .replaceAll(/==[ \t]+([^\s|>=][^|>\n]*?)[ \t]+={2,}>/g, "==>|$1|")
    .replaceAll(/-\.[ \t]+([^\s|>.][^|>\n]*?)[ \t]+\.+->/g, "-.->|$1|")
    .replaceAll(
      /[ \t]*(<?)(-{2,}>|={2,}>|-\.+->|-{3,}|={3,}|-\.+-)[ \t]*/g,
      (_, start: string, arrow: string) => ` ${start}${plainArrow(arrow)} `,
    )
    .replaceAll(/> \|/g, ">|");
}

function plainArrow(arrow: string): string {
  const isDirected = arrow.endsWith(">");
  if (arrow.includes(".")) return isDirected ? "-.->" : "-.-";
  if (arrow.startsWith("=")) return isDirected ? "==>" : "===";
  return isDirected ? "-->" : "---";
}

const fill = /^([ \t]*(?:style|classDef)[ \t][^\n]*\bfill:[ \t]*#)([0-9a-f]{6}|[0-9a-f]{3})\b([^\n]*)$/gim;

/** Gives readable text to shapes that are filled with a colour of their own instead of the theme's. */
function withReadableFills(body: string): string {
  return body.replaceAll(fill, (line: string, before: string, colour: string, after: string) =>
    /(?:^|[,\s])color:/.test(before + after) ? line : `${line.replace(/[;\s]+$/, "")},color:${inkOn(colour)}`,
  );
}

/** Black or white, whichever has more contrast with the colour (WCAG relative luminance). */
function inkOn(colour: string): "#000000" | "#ffffff" {
  const digits = colour.length === 3 ? colour.replaceAll(/./g, "$&$&") : colour;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000000" : "#ffffff";
}
