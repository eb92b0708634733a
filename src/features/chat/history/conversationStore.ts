import { randomUUID } from "node:crypto";
import { existsSync, renameSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { readTextIfThere, setAside } from "../../../platform/durableFile.ts";
import {
  type ConversationFiles,
  type ConversationLog,
  conversationFiles,
  createConversationLog,
  LogUnreadable,
  openConversationLog,
  writeNewLog,
} from "./conversationLog.ts";
import { createLineNumberer } from "./logAppender.ts";
import type { LogEntry, LogLine } from "./logEntry.ts";
import { emptyLogState, type LogState } from "./logState.ts";
import { readOldConversation } from "./oldConversation.ts";
import { watchFolder } from "./watchFolder.ts";
import { newWriterName } from "./writerName.ts";

/** A conversation that has been opened, and a sentence where something was wrong with its file. */
interface OpenedConversation {
  readonly conversation: LogState;
  readonly notice?: string;
}

/** Where conversations last. One of them is open in this window; others may be, in other windows, that one too. */
export interface ConversationStore {
  /** Opens the one that this window showed last, or a new one. */
  openLast(): Promise<OpenedConversation>;
  /** Opens this one; where it can't be read, the one before stays open. */
  open(id: string): Promise<OpenedConversation>;
  /** Opens a new one. It has no file until something is appended. */
  create(): OpenedConversation;
  /** The one that is open, as of all that was appended and heard. */
  readonly conversation: LogState | undefined;
  /** Changes of the one that is open; on the disk within 200 ms. */
  append(entries: readonly LogEntry[]): void;
  /** Writes at once what `append` was told, before it returns. */
  flush(): void;
  /** Shows other windows that what is under way here goes on. */
  giveSign(): void;
  /** Whether nobody writes this message any more, though nobody has said so: its window was killed. */
  isOrphaned(messageId: string): boolean;
  /** Writes, and lets go of the files. */
  dispose(): void;
}

export interface ConversationStoreDeps {
  readonly directory: string;
  /** By name; a conversation remembers where it was begun. */
  readonly workspace?: string | undefined;
  /** Remembers which conversation this window shows. */
  readonly current: { get(): string | undefined; set(id: string): PromiseLike<void> };
  /** Another window has written to the conversation that is open. */
  readonly onForeign: (lines: readonly LogLine[], isWhole: boolean) => void;
  readonly report: (error: unknown) => void;
}

const idShape = /^[\w-]{1,100}$/;

export function createConversationStore(deps: ConversationStoreDeps): ConversationStore {
  const { directory, current, workspace, onForeign, report } = deps;
  const signer = createLineNumberer(newWriterName());
  let log: ConversationLog | undefined;
  const watcher = watchFolder(directory, (name) => {
    if (log && (name === undefined || name === `${log.id}.jsonl`)) log.look();
  });
  const depsOf = (files: ConversationFiles) => ({ files, signer, onForeign, onError: report });
  const hold = (next: ConversationLog, notice?: string): OpenedConversation => {
    log?.close();
    // An empty one is nothing to come back to.
    if (log?.state.nodes.size === 0 && log.id !== next.id)
      rmSync(conversationFiles(directory, log.id).log, { force: true });
    log = next;
    Promise.resolve(current.set(next.id)).catch(report);
    return { conversation: next.state, ...(notice === undefined ? {} : { notice }) };
  };
  const create = (notice?: string) => {
    const state = emptyLogState(randomUUID(), Date.now());
    if (workspace !== undefined) state.meta = { workspace };
    return hold(createConversationLog(depsOf(conversationFiles(directory, state.id)), state), notice);
  };

  const open = async (id: string): Promise<OpenedConversation | undefined> => {
    const files = conversationFiles(directory, id);
    // What this window has in hand of it goes first: it is read anew.
    log?.flush();
    if (!existsSync(files.log)) await migrate(files);
    const opened = await openConversationLog(depsOf(files));
    if (!opened) return undefined;
    const { badLines } = opened;
    return hold(opened.log, badLines === 0 ? undefined : sayBadLines(badLines, files.bad));
  };
  return {
    async openLast() {
      const id = current.get();
      if (id === undefined || !idShape.test(id)) return create();
      try {
        return (await open(id)) ?? create();
      } catch (error) {
        report(error);
        return create(await sayUnreadable(conversationFiles(directory, id), error));
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
    append: (entries) => log?.append(entries),
    flush: () => log?.flush(),
    giveSign: () => log?.giveSign(),
    isOrphaned: (messageId) => log?.isOrphaned(messageId) ?? true,
    dispose() {
      watcher.close();
      log?.close();
    },
  };
}

/** Makes a log of a file of version 1, which is kept until the log is whole. Throws where it can't be understood. */
async function migrate(files: ConversationFiles): Promise<void> {
  const text = await readTextIfThere(files.old);
  if (text === undefined) return;
  const state = readOldConversation(text);
  if (!state) throw new LogUnreadable(files.old, "damaged");
  writeNewLog(files, state);
  renameSync(files.old, `${files.old}.migrated`);
}

function sayBadLines(count: number, path: string): string {
  const lines = count === 1 ? "One line" : `${count} lines`;
  return `${lines} of this conversation could not be read; the rest is here. The damage is kept in ${basename(path)}.`;
}

/** Sets a file aside that holds no conversation; any other stays where it is. */
async function sayUnreadable(files: ConversationFiles, error: unknown): Promise<string> {
  const path = existsSync(files.log) ? files.log : files.old;
  if (!(error instanceof LogUnreadable)) {
    return `The last conversation could not be opened, its file stays where it is: ${path}`;
  }
  if (error.reason === "newer") {
    return `The last conversation was written by a newer version of this extension. Its file stays as it is: ${path}`;
  }
  const aside = await setAside(path);
  return `The last conversation could not be read. Its file is kept as ${aside}, and this is a new chat.`;
}
