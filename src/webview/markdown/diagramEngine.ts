import { renderMermaid } from "beautiful-mermaid";
import type { DiagramEngine } from "./diagrams.ts";

// The last version that lays out by dagre: those after it bring ELK, fifteen times the size of all the rest.
const kinds = /^(?:graph|flowchart|stateDiagram(?:-v2)?|sequenceDiagram|classDiagram|erDiagram)\b/;
/** Laying out costs more than its length: this many take a blink. */
const mostLines = 150;
const mostCharacters = 12_000;

export const diagramEngine: DiagramEngine = {
  async draw(source, { foreground, background }) {
    const text = withoutPreamble(source);
    const [kind = ""] = text.split(/[\s;]/, 1);
    if (!kinds.test(text))
      return { problem: `A diagram of the kind “${kind.slice(0, 40)}” can't be drawn here.` };
    if (text.length > mostCharacters || text.split("\n").length > mostLines) {
      return { problem: "The diagram is too large to be drawn here." };
    }
    try {
      const drawn = await renderMermaid(text, {
        fg: foreground,
        bg: background,
        // Lines and frames that can be told from the ground, also by those who see little contrast.
        line: foreground,
        border: `color-mix(in srgb, ${foreground} 60%, ${background})`,
        transparent: true,
        font: "system-ui",
      });
      // As a picture it could fetch nothing anyway.
      return { svg: drawn.replaceAll(/@import[^;]*;/g, "").replaceAll(/url\((?!#)[^)]*\)/g, "none") };
    } catch (error) {
      return {
        problem: `The diagram can't be read: ${error instanceof Error ? error.message : String(error)}`,
      };
    }
  },
};

/** Front matter, directives and comments before the diagram's own first line. */
function withoutPreamble(source: string): string {
  return source
    .replace(/^\s*---\n[\s\S]*?\n---\n/, "")
    .replace(/^(?:\s*%%[^\n]*(?:\n|$))+/, "")
    .trim();
}
