import * as z from "zod";
import { parseJson } from "../../../../shared/text/json/parseJson.ts";
import { LogDraft, LogNode, LogTime } from "./logEntry.ts";
import { applyEntry, emptyLogState, type LogState } from "./logState.ts";

/** A conversation of version 1: one JSON file, replaced as a whole. */
const OldConversation = z.looseObject({
  v: z.literal(1),
  id: z.string().min(1),
  createdAtMs: LogTime,
  updatedAtMs: LogTime,
  nodes: z.array(LogNode),
  leafId: z.string().nullable(),
  draft: LogDraft,
});

/** Reads a file of version 1. Undefined if it has another format, or its messages are not a tree. */
export function readOldConversation(text: string): LogState | undefined {
  const old = OldConversation.safeParse(parseJson(text));
  if (!old.success) return undefined;
  const { id, createdAtMs, updatedAtMs, nodes, leafId, draft } = old.data;
  const state = emptyLogState(id, createdAtMs);
  const left = new Map(nodes.map((node) => [node.id, node]));
  // Parents first, whatever the order in the file.
  for (let added = true; added && left.size > 0; ) {
    added = false;
    for (const node of left.values()) {
      if (node.parentId !== null && !state.nodes.has(node.parentId)) continue;
      applyEntry(state, { e: "node", t: updatedAtMs, node });
      left.delete(node.id);
      added = true;
    }
  }
  if (left.size > 0 || (leafId !== null && !state.nodes.has(leafId))) return undefined;
  applyEntry(state, { e: "leaf", id: leafId });
  applyEntry(state, { e: "draft", draft });
  return state;
}
