import { readXml } from "../../xml/xml.ts";
import { joinBlocks } from "../blocks.ts";

interface Connection {
  readonly to: string;
  /** Among those that begin at the same point. */
  readonly order: number;
}

/**
 * The texts of a diagram's points in the order of its branches, as a list if some are below others. `texts`: by the id
 * of the point, in the order of the file, which is the order in which they were made. Throws if the XML is invalid.
 */
export function diagramText(xml: string, texts: ReadonlyMap<string, string>): string {
  const points = inBranches(xml, [...texts.keys()]);
  const filled = points.flatMap(({ id, depth }) => {
    const text = texts.get(id) ?? "";
    return text === "" ? [] : [{ text, depth }];
  });
  const top = Math.min(...filled.map(({ depth }) => depth));
  if (filled.every(({ depth }) => depth === top)) return joinBlocks(filled.map(({ text }) => ({ text })));
  return joinBlocks(
    filled.map(({ text, depth }) => ({ text: `- ${text.replace(/\s*\n\s*/g, " ")}`, level: depth - top })),
  );
}

function inBranches(xml: string, withText: readonly string[]): readonly { id: string; depth: number }[] {
  const below = new Map<string, Connection[]>();
  const lower = new Set<string>();
  const ids: string[] = [];
  readXml(xml, {
    open(name, { modelId, type = "parOf", srcId = "", destId = "", srcOrd }) {
      if (name === "pt" && modelId !== undefined) ids.push(modelId);
      // Others connect points with how they are drawn.
      if (name !== "cxn" || type !== "parOf") return;
      lower.add(destId);
      below.set(srcId, [...(below.get(srcId) ?? []), { to: destId, order: Number(srcOrd) || 0 }]);
    },
  });
  const found = new Map<string, number>();
  const open = [...ids.filter((id) => !lower.has(id)), ...withText]
    .map((id) => ({ id, depth: 0 }))
    .toReversed();
  for (let next = open.pop(); next; next = open.pop()) {
    if (found.has(next.id)) continue;
    const { id, depth } = next;
    found.set(id, depth);
    const children = (below.get(id) ?? []).toSorted((one, other) => other.order - one.order);
    for (const { to } of children) open.push({ id: to, depth: depth + 1 });
  }
  return [...found].map(([id, depth]) => ({ id, depth }));
}
