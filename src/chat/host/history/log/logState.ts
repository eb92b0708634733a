import type { LogEntry, LogHead, LogLine, LogNode } from "./logEntry.ts";

/** A conversation as read from its log. Mutable: each reader has its own. */
export interface LogState {
  readonly id: string;
  /** Unix times in milliseconds. */
  createdAtMs: number;
  updatedAtMs: number;
  /** In the order of insertion; each has the id of its parent. */
  readonly nodes: Map<string, LogNode>;
  leafId: string | null;
  meta: Record<string, unknown>;
  draft: { text: string; revision: number };
  /** Number of the last applied line, by writer. */
  readonly seen: Map<string, number>;
  /** The last writer of each message, as far as its log still records it. */
  readonly writers: Map<string, string>;
}

export function emptyLogState(id: string, createdAtMs: number): LogState {
  return {
    id,
    createdAtMs,
    updatedAtMs: createdAtMs,
    nodes: new Map(),
    leafId: null,
    meta: {},
    draft: { text: "", revision: 0 },
    seen: new Map(),
    writers: new Map(),
  };
}

/** Applies a line; false if it was applied before. */
export function applyLine(state: LogState, line: LogLine): boolean {
  if (line.e === "head") {
    applyHead(state, line);
    return true;
  }
  const { w, n } = line;
  if (w !== undefined && n !== undefined) {
    if (n <= (state.seen.get(w) ?? -1)) return false;
    state.seen.set(w, n);
    const id = line.e === "node" ? line.node.id : "id" in line ? line.id : null;
    if (id !== null) state.writers.set(id, w);
  }
  applyEntry(state, line);
  return true;
}

function applyHead(state: LogState, { createdAtMs, updatedAtMs, seen }: LogHead): void {
  state.createdAtMs = createdAtMs;
  state.updatedAtMs = Math.max(updatedAtMs ?? 0, state.updatedAtMs);
  for (const [writer, n] of Object.entries(seen ?? {})) {
    state.seen.set(writer, Math.max(n, state.seen.get(writer) ?? -1));
  }
}

/** Applies a change. A gap left by a lost line is bridged, so the lines after it are not lost. */
export function applyEntry(state: LogState, entry: LogEntry): void {
  switch (entry.e) {
    case "node":
      addNode(state, entry.node, entry.t);
      break;
    case "append":
      appendText(state, entry);
      break;
    case "patch":
      patchNode(state, entry);
      break;
    case "leaf":
      state.leafId = entry.id;
      break;
    case "meta":
      Object.assign(state.meta, entry.meta);
      for (const name of entry.drop ?? []) delete state.meta[name];
      break;
    case "draft":
      // The higher revision wins, whichever window wrote it.
      if (entry.draft.revision >= state.draft.revision) state.draft = { ...entry.draft };
      break;
    case "remove":
      removeNode(state, entry.id);
      break;
    default:
  }
}

const vital = new Set(["id", "parentId", "role"]);

function addNode(state: LogState, node: LogNode, t: number): void {
  state.nodes.set(node.id, { ...node, parentId: placeOf(state, node) });
  state.updatedAtMs = Math.max(state.updatedAtMs, t);
}

/** The parent of a message. It never changes and must precede the message, so there are no cycles. */
function placeOf(state: LogState, { id, parentId }: LogNode): string | null {
  const old = state.nodes.get(id);
  if (old) return old.parentId;
  return parentId === null || state.nodes.has(parentId) ? parentId : lastAdded(state);
}

function appendText(state: LogState, { id, part, at, text }: Extract<LogEntry, { e: "append" }>): void {
  const node = nodeOf(state, id);
  const old = node[part];
  const before = typeof old === "string" ? old : "";
  if (before.length >= at + text.length) return;
  // Lost text is replaced by padding of the same length, so that the offsets of later text stay right.
  const hole = at > before.length ? "…".padEnd(at - before.length, " ") : "";
  node[part] = hole === "" ? before.slice(0, at) + text : before + hole + text;
}

function patchNode(state: LogState, { id, patch, drop = [] }: Extract<LogEntry, { e: "patch" }>): void {
  const node = nodeOf(state, id);
  Object.assign(node, patch, { id, parentId: node.parentId });
  for (const name of drop) if (!vital.has(name)) delete node[name];
}

/** The message, or a placeholder if its line is lost. */
function nodeOf(state: LogState, id: string): LogNode {
  const existing = state.nodes.get(id);
  if (existing) return existing;
  const placeholder: LogNode = { id, parentId: lastAdded(state), role: "assistant", recovered: true };
  state.nodes.set(id, placeholder);
  return placeholder;
}

/** The message added last: the most likely parent of a message whose parent is lost. */
function lastAdded(state: LogState): string | null {
  return [...state.nodes.keys()].at(-1) ?? null;
}

function removeNode(state: LogState, id: string): void {
  const gone = new Set([id]);
  for (const node of state.nodes.values()) {
    if (node.parentId !== null && gone.has(node.parentId)) gone.add(node.id);
  }
  const parentId = state.nodes.get(id)?.parentId ?? null;
  for (const key of gone) state.nodes.delete(key);
  if (state.leafId !== null && gone.has(state.leafId)) state.leafId = parentId;
}

/** The last message of the shown path: the one the log names, or the last one if that is missing. */
export function shownLeaf(state: LogState): string | null {
  if (state.leafId === null || state.nodes.has(state.leafId)) return state.leafId;
  return lastAdded(state);
}

/** The messages of the shown path. */
export function shownPath(state: LogState): LogNode[] {
  const path: LogNode[] = [];
  for (let id = shownLeaf(state); id !== null; ) {
    const node = state.nodes.get(id);
    if (!node) break;
    path.push(node);
    id = node.parentId;
  }
  return path.reverse();
}

/** Writers that a compacted log records; pending lines of older writers have long been written. */
const rememberedWriters = 30;

/** The lines of the shortest log of a conversation. */
export function toLogLines(state: LogState, version: number): LogLine[] {
  const { id, createdAtMs, updatedAtMs, leafId, meta, draft } = state;
  const seen = Object.fromEntries([...state.seen].slice(-rememberedWriters));
  const nodes = [...state.nodes.values()];
  return [
    { e: "head", v: version, id, createdAtMs, updatedAtMs, seen },
    ...(Object.keys(meta).length > 0 ? [{ e: "meta" as const, meta }] : []),
    ...nodes.map((node) => ({ e: "node" as const, t: createdAtMs, node })),
    { e: "leaf", id: leafId },
    ...(draft.revision > 0 || draft.text !== "" ? [{ e: "draft" as const, draft }] : []),
  ];
}
