import { parseMermaid, renderMermaid } from "beautiful-mermaid";
import { diagramSource } from "./diagramSource.ts";
import type { DiagramColours, DiagramEngine } from "./diagrams.ts";

// The last version that lays out by dagre: those after it bring ELK, fifteen times the size of all the rest.

/** Laying out costs more than its length: this much takes about as long as a blink. */
const mostCharacters = 12_000;
const mostLines = 150;
const longestLine = 1000;
const mostEdges = 300;
/** An edge between ranks that are far apart is laid out rank by rank. */
const mostSteps = 1000;
/** Each level of groups is laid out by itself, and again in the one around it. */
const deepestGroup = 8;

/** Labels that stand on a line cover it. */
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
        // Lines, frames and labels that can be told from the ground, also by those who see little contrast.
        line: foreground,
        accent: foreground,
        muted: foreground,
        border: `color-mix(in srgb, ${foreground} 60%, ${background})`,
        transparent: true,
      });
      return { svg: inPageStyle(drawn, colours) };
    } catch (error) {
      return {
        problem: `The diagram can't be read: ${error instanceof Error ? error.message : String(error)}`,
      };
    }
  },
};

/** The page's fonts, and nothing that is fetched: as a picture it could fetch nothing anyway. */
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

/** Why it would take too long to lay out. */
function sizeProblem(written: string, source: string, isFlow: boolean): string | undefined {
  if (written.length > mostCharacters) return `it has more than ${mostCharacters} characters`;
  const lines = source.split("\n").map((line) => line.trim());
  if (lines.length > mostLines) return `it has more than ${mostLines} lines`;
  if (lines.some((line) => line.length > longestLine))
    return `one of its lines has more than ${longestLine} characters`;
  if (groupDepth(lines) > deepestGroup) return `its groups are nested more than ${deepestGroup} levels deep`;
  // `a & b --> c & d` is four of them: they are counted before any is made.
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

/** `A "1" <|-- "n" B`, `A ||--o{ B`, `a --> b`: what other kinds of diagrams connect. */
function edgeOf(line: string): Edge[] {
  const match = /^(\S+)\s+(?:"[^"]*"\s*)?\S*(?:--|\.\.)\S*\s+(?:"[^"]*"\s*)?([\w-]+)/.exec(line);
  return match ? [{ source: match[1] ?? "", target: match[2] ?? "" }] : [];
}

/** How many ranks all edges together pass, if each part stands below all that lead to it. */
function countSteps(edges: readonly Edge[]): number {
  const targets = Map.groupBy(edges, ({ source }) => source);
  const heights = new Map<string, number>();
  const heightOf = (node: string): number => {
    const known = heights.get(node);
    if (known !== undefined) return known;
    // What leads back to where it came from counts as leading nowhere.
    heights.set(node, 0);
    const height = Math.max(0, ...(targets.get(node) ?? []).map(({ target }) => heightOf(target) + 1));
    heights.set(node, height);
    return height;
  };
  return edges.reduce((sum, { source, target }) => sum + Math.abs(heightOf(source) - heightOf(target)), 0);
}
