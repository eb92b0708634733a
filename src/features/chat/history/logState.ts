import type { LogEntry, LogHead, LogLine, LogNode } from "./logEntry.ts";

/** A conversation as its log tells it. Changes in place: it is one reader's own. */
export interface LogState {
  readonly id: string;
  /** Unix times in milliseconds. */
  createdAtMs: number;
  updatedAtMs: number;
  /** In the order in which they were added; each knows the one it follows. */
  readonly nodes: Map<string, LogNode>;
  leafId: string | null;
  meta: Record<string, unknown>;
  draft: { text: string; revision: number };
  /** By writer: the last of its lines that is in here. */
  readonly seen: Map<string, number>;
  /** By message: who wrote to it last, as far as its log still says so. */
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

/** Takes in one line; false where it had been taken in before. */
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

/** Takes in one change. What a lost line leaves open is bridged: nothing that was said after it is lost with it. */
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

/** The message it follows. Its place is for ever: so none stands before the one it follows, and there are no loops. */
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
  // The places of all later pieces stay right: a hole is as long as what it has lost.
  const hole = at > before.length ? "…".padEnd(at - before.length, " ") : "";
  node[part] = hole === "" ? before.slice(0, at) + text : before + hole + text;
}

function patchNode(state: LogState, { id, patch, drop = [] }: Extract<LogEntry, { e: "patch" }>): void {
  const node = nodeOf(state, id);
  Object.assign(node, patch, { id, parentId: node.parentId });
  for (const name of drop) if (!vital.has(name)) delete node[name];
}

/** The message, or one that stands for it where its line is lost. */
function nodeOf(state: LogState, id: string): LogNode {
  const known = state.nodes.get(id);
  if (known) return known;
  const stand: LogNode = { id, parentId: lastAdded(state), role: "assistant", recovered: true };
  state.nodes.set(id, stand);
  return stand;
}

/** The message added last, which a message of lost origin most likely follows. */
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

/** The message that is shown last: the one the log names, or the last there is where that one is missing. */
export function shownLeaf(state: LogState): string | null {
  if (state.leafId === null || state.nodes.has(state.leafId)) return state.leafId;
  return lastAdded(state);
}

/** The messages from the first to the one shown last. */
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

/** How many writers a rewritten log remembers; what an older one still had in hand has long been written. */
const rememberedWriters = 30;

/** A conversation as the lines of a log that says it in the shortest way. */
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
