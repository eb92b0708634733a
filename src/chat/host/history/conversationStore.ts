import { randomUUID } from "node:crypto";
import { existsSync, renameSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { readTextIfThere, setAside } from "../../../platform/files/durable/durableFile.ts";
import { newWriterName } from "../../../platform/files/durable/writerName.ts";
import {
  type ConversationFiles,
  conversationFiles,
  LogUnreadable,
  writeNewLog,
} from "./conversationFiles.ts";
import { type ConversationLog, createConversationLog, openConversationLog } from "./log/conversationLog.ts";
import { createLineNumberer, type LogEntry, type LogLine } from "./log/logEntry.ts";
import { emptyLogState, type LogState } from "./log/logState.ts";
import { readOldConversation } from "./log/oldConversation.ts";
import { titleOf } from "./summary.ts";
import { watchFolder } from "./watchFolder.ts";

/** A conversation that was opened, with a notice if its file was damaged. */
interface OpenedConversation {
  readonly conversation: LogState;
  readonly notice?: string;
}

/** Stores conversations. This window has one of them open; other windows may have others, or the same one, open. */
export interface ConversationStore {
  /** Opens the one that this window showed last, or creates one. */
  openLast(): Promise<OpenedConversation>;
  /** Opens this one; if it can't be read, the current one stays open. */
  open(id: string): Promise<OpenedConversation>;
  /** Creates one. It has no file until an entry is appended. */
  create(): OpenedConversation;
  /** The open one, including all entries appended and received. */
  readonly conversation: LogState | undefined;
  /** The title of the open one; empty if none is open. */
  readonly title: string;
  /** Appends changes to the open one; they are written to disk within 200 ms. */
  append(entries: readonly LogEntry[]): void;
  /** Writes pending entries before it returns. */
  flush(): void;
  /** Heartbeat: shows other windows that this one is still writing. */
  sendHeartbeat(): void;
  /** True if the window writing this message has died. */
  isOrphaned(messageId: string): boolean;
  /** Writes pending entries and closes the files. */
  dispose(): void;
}

export interface ConversationStoreDeps {
  readonly directory: string;
  /** Name of the workspace; a conversation records where it was started. */
  readonly workspace?: string | undefined;
  /** Stores the id of the conversation that this window shows. */
  readonly current: { get(): string | undefined; set(id: string): PromiseLike<void> };
  /** Another window has written to the conversation that is open. */
  readonly onForeign: (lines: readonly LogLine[], isWhole: boolean) => void;
  readonly report: (error: unknown) => void;
}

const idShape = /^[\w-]{1,100}$/;

export function createConversationStore(deps: ConversationStoreDeps): ConversationStore {
  const { directory, current, workspace, onForeign, report } = deps;
  const numberer = createLineNumberer(newWriterName());
  let log: ConversationLog | undefined;
  const watcher = watchFolder(directory, (name) => {
    if (log && (name === undefined || name === `${log.id}.jsonl`)) log.readForeign();
  });
  const depsOf = (files: ConversationFiles) => ({ files, numberer, onForeign, onError: report });
  const switchTo = (next: ConversationLog, notice?: string): OpenedConversation => {
    log?.close();
    // An empty conversation is not reopened.
    if (log?.state.nodes.size === 0 && log.id !== next.id)
      rmSync(conversationFiles(directory, log.id).log, { force: true });
    log = next;
    Promise.resolve(current.set(next.id)).catch(report);
    return { conversation: next.state, ...(notice === undefined ? {} : { notice }) };
  };
  const create = (notice?: string) => {
    const state = emptyLogState(randomUUID(), Date.now());
    if (workspace !== undefined) state.meta = { workspace };
    return switchTo(createConversationLog(depsOf(conversationFiles(directory, state.id)), state), notice);
  };

  const open = async (id: string): Promise<OpenedConversation | undefined> => {
    const files = conversationFiles(directory, id);
    // Pending entries of this window are written first, because the file is read again.
    log?.flush();
    if (!existsSync(files.log)) await migrate(files);
    const opened = await openConversationLog(depsOf(files));
    if (!opened) return undefined;
    const { badLines } = opened;
    return switchTo(opened.log, badLines === 0 ? undefined : badLinesNotice(badLines, files.bad));
  };
  return {
    async openLast() {
      const id = current.get();
      if (id === undefined || !idShape.test(id)) return create();
      try {
        return (await open(id)) ?? create();
      } catch (error) {
        report(error);
        return create(await unreadableNotice(conversationFiles(directory, id), error));
      }
    },
    async open(id) {
      const opened = idShape.test(id) ? await open(id) : undefined;
      if (!opened) throw new Error(`there is no conversation ${id}`);
      return opened;
    },
    create: () => create(),
    get conversation() {
      return log?.state;
    },
    get title() {
      return log ? titleOf(log.state) : "";
    },
    append: (entries) => log?.append(entries),
    flush: () => log?.flush(),
    sendHeartbeat: () => log?.sendHeartbeat(),
    isOrphaned: (messageId) => log?.isOrphaned(messageId) ?? true,
    dispose() {
      watcher.close();
      log?.close();
    },
  };
}

/** Converts a file of version 1 to a log. The old file is kept until the log is complete. Throws if it is invalid. */
async function migrate(files: ConversationFiles): Promise<void> {
  const text = await readTextIfThere(files.old);
  if (text === undefined) return;
  const state = readOldConversation(text);
  if (!state) throw new LogUnreadable(files.old, "damaged");
  writeNewLog(files, state);
  renameSync(files.old, `${files.old}.migrated`);
}

function badLinesNotice(count: number, path: string): string {
  const lines = count === 1 ? "One line" : `${count} lines`;
  return `${lines} of this conversation could not be read; the rest is shown. The damaged lines were copied to ${basename(path)}.`;
}

/** Moves a file away that contains no conversation; any other file is not changed. */
async function unreadableNotice(files: ConversationFiles, error: unknown): Promise<string> {
  const path = existsSync(files.log) ? files.log : files.old;
  if (!(error instanceof LogUnreadable)) {
    return `The last conversation could not be opened. Its file was not changed: ${path}`;
  }
  if (error.reason === "newer") {
    return `The last conversation was written by a newer version of this extension. Update the extension to open it. Its file was not changed: ${path}`;
  }
  const aside = await setAside(path);
  return `The last conversation could not be read. Its file was renamed to ${aside}, and a new chat was started.`;
}
