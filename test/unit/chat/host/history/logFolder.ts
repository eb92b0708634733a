import type { TestContext } from "node:test";
import { conversationFiles } from "../../../../../src/chat/host/history/conversationFiles.ts";
import {
  type ConversationLog,
  type ConversationLogDeps,
  createConversationLog,
  openConversationLog,
} from "../../../../../src/chat/host/history/log/conversationLog.ts";
import {
  createLineNumberer,
  type LogEntry,
  type LogNode,
} from "../../../../../src/chat/host/history/log/logEntry.ts";
import type { LogState } from "../../../../../src/chat/host/history/log/logState.ts";

let writers = 0;

export function logDeps(folder: string, id: string, onForeign = () => {}): ConversationLogDeps {
  writers += 1;
  return {
    files: conversationFiles(folder, id),
    numberer: createLineNumberer(`w${process.pid}-${writers}`),
    onForeign,
    onError: (error) => {
      throw error;
    },
  };
}

export function createLog(t: TestContext, folder: string, id = "c"): ConversationLog {
  const log = createConversationLog(logDeps(folder, id));
  t.after(() => log.close());
  return log;
}

/** Opens an existing log like another window. */
export async function openLog(t: TestContext, folder: string, id = "c", onForeign = () => {}) {
  const opened = await openConversationLog(logDeps(folder, id, onForeign));
  if (!opened) throw new Error(`there is no log ${id}`);
  t.after(() => opened.log.close());
  return opened;
}

/** The content of a conversation, without its bookkeeping. */
export function reported({ id, nodes, leafId, meta, draft }: LogState) {
  return { id, nodes: [...nodes.values()], leafId, meta, draft };
}

export function question(id: string, parentId: string | null, text: string): LogEntry {
  return node({ id, parentId, role: "user", text });
}

export function answer(id: string, parentId: string | null, text = ""): LogEntry {
  return node({ id, parentId, role: "assistant", text, reasoning: "", state: "waiting" });
}

export function node(value: LogNode): LogEntry {
  return { e: "node", t: 1_000, node: value };
}

export function append(id: string, at: number, text: string, part = "text"): LogEntry {
  return { e: "append", id, part, at, text };
}
