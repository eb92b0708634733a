import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { readTextIfThere, setAside, writeDurably, writeDurablyNow } from "../../platform/durableFile.ts";
import { Conversation } from "./conversation.ts";
import { createMessageTree, type TreeNode } from "./messageTree.ts";

/** Where the conversation of this window lasts. */
export interface ConversationStore {
  /** The conversation that this window showed last, or a new one, and a sentence where something was wrong with the file. */
  open(): Promise<{ readonly conversation: Conversation; readonly notice?: string }>;
  /** Begins a new one; the file of the old one stays. */
  create(): Promise<Conversation>;
  /** Writes soon; `read` is asked for the conversation then. */
  save(read: () => Conversation): void;
  /** Writes at once what `save` was told, before it returns. */
  flush(): void;
}

export interface ConversationStoreDeps {
  readonly directory: string;
  /** Remembers which conversation this window shows. */
  readonly current: { get(): string | undefined; set(id: string): PromiseLike<void> };
  readonly report: (error: unknown) => void;
}

/** Milliseconds from a change until it is on its way to the disk. */
const saveDelayMs = 400;

/** One file per conversation, replaced as a whole. A file that cannot be read is kept aside and never written over. */
export function createConversationStore({
  directory,
  current,
  report,
}: ConversationStoreDeps): ConversationStore {
  let read: (() => Conversation) | undefined;
  /** Changes so far, and how many of them are on the disk. */
  let changes = 0;
  let written = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const pathOf = (id: string) => join(directory, `${id}.json`);

  const write = async () => {
    if (!read || written === changes) return;
    const mine = changes;
    const conversation = read();
    await writeDurably(pathOf(conversation.id), JSON.stringify(conversation), () => written < mine);
    written = Math.max(written, mine);
  };
  const writeSoon = () => {
    timer = undefined;
    // One after the other, so that an older text never replaces a newer one.
    writing = writing.then(write).catch(report);
  };
  const create = async () => {
    const conversation = newConversation();
    await current.set(conversation.id);
    return conversation;
  };
  return {
    create,
    async open() {
      const id = current.get();
      if (id === undefined || !/^[\w-]{1,100}$/.test(id)) return { conversation: await create() };
      try {
        const text = await readTextIfThere(pathOf(id));
        if (text === undefined) return { conversation: await create() };
        return await understood(text, pathOf(id), create);
      } catch (error) {
        report(error);
        const conversation = await create();
        return {
          conversation,
          notice: `The last conversation could not be opened, its file stays where it is: ${pathOf(id)}`,
        };
      }
    },
    save(next) {
      read = next;
      changes += 1;
      timer ??= setTimeout(writeSoon, saveDelayMs);
    },
    flush() {
      clearTimeout(timer);
      timer = undefined;
      if (!read || written === changes) return;
      written = changes;
      const conversation = read();
      writeDurablyNow(pathOf(conversation.id), JSON.stringify(conversation));
    },
  };
}

async function understood(text: string, path: string, create: () => Promise<Conversation>) {
  const conversation = parse(text);
  if (conversation) return { conversation };
  const aside = await setAside(path);
  return {
    conversation: await create(),
    notice: `The last conversation could not be read. Its file is kept as ${aside}, and this is a new chat.`,
  };
}

function parse(text: string): Conversation | undefined {
  try {
    const conversation = Conversation.parse(JSON.parse(text));
    createMessageTree(conversation.nodes as TreeNode[]).pathTo(conversation.leafId);
    return conversation;
  } catch {
    return undefined;
  }
}

function newConversation(): Conversation {
  const now = Date.now();
  return {
    v: 1,
    id: randomUUID(),
    createdAtMs: now,
    updatedAtMs: now,
    nodes: [],
    leafId: null,
    draft: { text: "", revision: 0 },
  };
}
