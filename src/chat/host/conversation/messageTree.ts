import type { AnswerMessage, Message } from "../../protocol/chatMessages.ts";
import type { Branch } from "../../protocol/chatState.ts";

/** A message with the id of its parent. */
export type MessageNode = Message & { readonly parentId: string | null };

/** All messages of a conversation. A message with several children starts branches. */
export interface MessageTree {
  readonly isEmpty: boolean;
  /** In the order of insertion. */
  readonly nodes: Iterable<MessageNode>;
  get(id: string): MessageNode | undefined;
  /** Appends a message; throws if its id exists or its parent is missing. */
  add(node: MessageNode): void;
  /** Replaces the message of the same id. */
  replace(message: Message): void;
  /** Removes messages with their descendants; returns the ids of all removed messages. */
  remove(ids: readonly string[]): string[];
  /** The messages from the root to this one; empty for null. */
  pathTo(leafId: string | null): Message[];
  /** The children of this message's parent, itself included, oldest first. */
  siblings(id: string): readonly string[];
  /** The last message of the newest path through this one. */
  newestLeaf(id: string): string;
}

/** The answer with this id. Undefined if no answer has it. */
export function answerIn(tree: Pick<MessageTree, "get">, id: string): AnswerMessage | undefined {
  const message = tree.get(id);
  return message?.role === "assistant" ? message : undefined;
}

/** Throws on a duplicate id, a missing parent or a cycle. */
export function createMessageTree(nodes: readonly MessageNode[] = []): MessageTree {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const children = new Map<string | null, string[]>();
  for (const { id, parentId } of nodes) {
    const siblings = children.get(parentId);
    if (siblings) siblings.push(id);
    else children.set(parentId, [id]);
  }
  if (byId.size < nodes.length) throw new Error("a message is there twice");
  if (countBelow(children) < nodes.length) throw new Error("a message is missing, or follows itself");
  const childrenOf = (id: string | null) => children.get(id) ?? [];

  const add = (node: MessageNode) => {
    const { id, parentId } = node;
    if (byId.has(id)) throw new Error(`message ${id} is there already`);
    if (parentId !== null && !byId.has(parentId)) throw new Error(`message ${parentId} is missing`);
    byId.set(id, node);
    children.set(parentId, [...childrenOf(parentId), id]);
  };
  const remove = (id: string): string[] => {
    const node = byId.get(id);
    if (!node) return [];
    const below = childrenOf(id).flatMap(remove);
    byId.delete(id);
    children.delete(id);
    children.set(
      node.parentId,
      childrenOf(node.parentId).filter((other) => other !== id),
    );
    return [id, ...below];
  };
  return {
    get isEmpty() {
      return byId.size === 0;
    },
    nodes: { [Symbol.iterator]: () => byId.values() },
    get: (id) => byId.get(id),
    add,
    replace(message) {
      const node = byId.get(message.id);
      if (!node) throw new Error(`message ${message.id} is missing`);
      byId.set(message.id, { ...message, parentId: node.parentId });
    },
    remove: (ids) => ids.flatMap(remove),
    pathTo(leafId) {
      const path: Message[] = [];
      for (let id = leafId; id !== null; ) {
        const node = byId.get(id);
        if (!node) throw new Error(`message ${id} is missing`);
        const { parentId, ...message } = node;
        path.push(message as Message);
        id = parentId;
      }
      return path.reverse();
    },
    siblings: (id) => childrenOf(byId.get(id)?.parentId ?? null),
    newestLeaf(id) {
      let leaf = id;
      for (let next = childrenOf(leaf).at(-1); next !== undefined; next = childrenOf(leaf).at(-1))
        leaf = next;
      return leaf;
    },
  };
}

function countBelow(children: ReadonlyMap<string | null, readonly string[]>): number {
  const waiting: (string | null)[] = [null];
  let count = -1;
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    count += 1;
    for (const child of children.get(id) ?? []) waiting.push(child);
  }
  return count;
}

/** The ids of the alternatives of each message that has some. */
export function branchesOf(tree: MessageTree, messages: readonly Message[]): Record<string, Branch> {
  const branches = messages.flatMap((message): [string, Branch][] => {
    const ids = tree.siblings(message.id);
    return ids.length > 1 ? [[message.id, { ids }]] : [];
  });
  return Object.fromEntries(branches);
}

/** The answers that were requested in the same comparison as one of these messages. */
export function alternativesOf(tree: MessageTree, messages: readonly Message[]): AnswerMessage[] {
  const shown = new Set(messages.map(({ id }) => id));
  return messages
    .flatMap((message) => (askedTogether(message) ? tree.siblings(message.id) : []))
    .flatMap((id) => {
      const sibling = tree.get(id);
      const together = messages.some((message) => sibling && isAskedWith(message, sibling));
      if (shown.has(id) || sibling?.role !== "assistant" || !together) return [];
      const { parentId: _, ...answer } = sibling;
      return [answer];
    });
}

function askedTogether(message: Message): boolean {
  return message.role === "assistant" && message.togetherId !== undefined;
}

function isAskedWith(one: Message, other: Message): boolean {
  return one.role === "assistant" && other.role === "assistant" && one.togetherId === other.togetherId;
}
