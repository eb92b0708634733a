interface Kind {
  /** What its first line looks like. */
  readonly first: RegExp;
  readonly head: (direction: string | undefined) => string;
  readonly isFlow?: boolean;
}

/** The kinds of diagrams that are drawn; `head` is their first line as the engine knows it. */
const kinds: readonly Kind[] = [
  {
    first: /^(?:graph|flowchart)(?:[ \t]+(TD|TB|LR|BT|RL))?[ \t]*(?:;|\n|$)/i,
    head: (direction = "TD") => `flowchart ${direction.toUpperCase()}`,
    isFlow: true,
  },
  { first: /^stateDiagram(?:-v2)?[ \t]*(?:\n|$)/i, head: () => "stateDiagram-v2" },
  { first: /^sequenceDiagram[ \t]*(?:\n|$)/i, head: () => "sequenceDiagram" },
  { first: /^classDiagram[ \t]*(?:\n|$)/i, head: () => "classDiagram" },
  { first: /^erDiagram[ \t]*(?:\n|$)/i, head: () => "erDiagram" },
];

/** Whether it is of a kind that is drawn. */
export function isDiagram(written: string): boolean {
  const source = withoutPreamble(written);
  return kinds.some(({ first }) => first.test(source));
}

/** The diagram as the engine reads it, which knows one way only to write what may be written in several. */
export function diagramSource(
  written: string,
): { readonly text: string; readonly isFlow: boolean } | undefined {
  const source = withoutPreamble(written);
  for (const { first, head, isFlow = false } of kinds) {
    const match = first.exec(source);
    if (!match) continue;
    const body = source.slice(match[0].length);
    return { text: `${head(match[1])}\n${withReadableFills(isFlow ? withPlainArrows(body) : body)}`, isFlow };
  }
  return undefined;
}

/** Front matter, directives and comments before the diagram's own first line. */
function withoutPreamble(source: string): string {
  return source
    .replace(/^\s*---\n[\s\S]*?\n---\n/, "")
    .replace(/^(?:\s*%%[^\n]*(?:\n|$))+/, "")
    .trim();
}

/** Arrows are as long as the engine knows them, stand apart from what they connect, and their texts stand behind them. */
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

/** What is filled with a colour of the author's, and not the theme's, has text that can be read on it. */
function withReadableFills(body: string): string {
  return body.replaceAll(fill, (line: string, before: string, colour: string, after: string) =>
    /(?:^|[,\s])color:/.test(before + after) ? line : `${line.replace(/[;\s]+$/, "")},color:${inkOn(colour)}`,
  );
}

/** Black or white, whichever is the farther from it (WCAG's relative luminance). */
function inkOn(colour: string): "#000000" | "#ffffff" {
  const digits = colour.length === 3 ? colour.replaceAll(/./g, "$&$&") : colour;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000000" : "#ffffff";
}
