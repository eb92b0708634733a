import type { AnswerMessage, Message } from "../../shared/chatMessages.ts";
import type { Branch } from "../../shared/chatState.ts";
import type { MessageTree } from "./messageTree.ts";

/** Of each message that has others in its place, which they are. */
export function branchesOf(tree: MessageTree, messages: readonly Message[]): Record<string, Branch> {
  const branches = messages.flatMap((message): [string, Branch][] => {
    const ids = tree.siblings(message.id);
    return ids.length > 1 ? [[message.id, { ids }]] : [];
  });
  return Object.fromEntries(branches);
}

/** The answers that were asked for together with one of these. */
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
