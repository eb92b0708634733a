import { randomUUID } from "node:crypto";
import type { Attachment } from "../../../shared/chat/chatAttachments.ts";
import { optionalMember } from "../../../shared/members.ts";
import type { ChatState, QueuedQuestion } from "../../protocol/chatState.ts";
import { taskOf } from "../agent/task.ts";
import type { Answers } from "../answer/answers.ts";
import { appendToDraft, nextDraft } from "./draft.ts";
import type { LiveChat } from "./liveChat.ts";

/**
 * Questions that wait for the end of an answer, or for the next round of the task that runs, shown above the prompt. After a
 * stop none is sent automatically.
 */
export interface QuestionQueue {
  /** False if the queue is full: the question stays in the prompt. */
  add(text: string, attachments: readonly Attachment[]): boolean;
  /**
   * Adds the typed question with its attachments; `revision` is that of the draft, which is cleared. In a task it goes with
   * the next round, unless it is for `after` the task.
   */
  addDraft(text: string, revision: number, after: boolean): void;
  /**
   * A round of a task follows this answer: what goes with it becomes messages of the conversation. Returns the id of the
   * last one, else of the answer. `canTake` is false for attachments that the model does not take: those wait for the end.
   */
  join(answerId: string, canTake: (attachments: readonly Attachment[]) => boolean): string;
  /** Sends one with the next round that was for after the task, and the reverse. */
  switchRound(id: string): void;
  /** Sends one at once if no answer is running; the others follow it. */
  send(id: string): Promise<void>;
  /** Moves one back into the prompt, below the text there. */
  edit(id: string): void;
  remove(id: string): void;
  /** Stops the automatic sending. */
  hold(): void;
  /** Sends the next question if the answer before it has ended; called after each change. */
  update(): void;
}

export interface QuestionQueueDeps {
  readonly chat: LiveChat;
  /** Resolves to true if the question was sent. */
  readonly send: Answers["send"];
}

/** The fields of the state that the prompt shows. */
type Draft = Partial<Pick<ChatState, "draft" | "attachments" | "attachmentNotice">>;

/** More than a user writes during one answer. */
const maxQueued = 20;
const queueIsFull = `The queue is full: it holds ${maxQueued} questions. Remove one, or wait for the answer.`;

export function createQuestionQueue({ chat, send: sendNow }: QuestionQueueDeps): QuestionQueue {
  let waitsForEnd = false;
  let isScheduled = false;
  /** The draft changes in the same update, because a page shows each of them. */
  const put = (queue: readonly QueuedQuestion[], draft: Draft = {}) => chat.set({ queue, ...draft });
  const find = (id: string) => chat.state.queue.find((one) => one.id === id);
  const remove = (id: string) => {
    if (find(id)) put(chat.state.queue.filter((one) => one.id !== id));
  };
  const hold = () => {
    waitsForEnd = false;
    const { queue } = chat.state;
    // The task is over, so there is no round to go with.
    if (queue.some(({ isHeld }) => !isHeld))
      put(queue.map(({ joins: _, ...one }) => ({ ...one, isHeld: true })));
  };
  const sendQueued = async ({ id, text, attachments }: QueuedQuestion) => {
    const { conversationId } = chat.state;
    const isSent = await sendNow(text, { attachments, id });
    // Only a sent question leaves the queue. The conversation may have been switched meanwhile.
    if (chat.state.conversationId !== conversationId) return;
    if (isSent) remove(id);
    else hold();
  };
  const afterChange = () => {
    isScheduled = false;
    const { busy, problem, queue } = chat.state;
    if (busy) waitsForEnd = true;
    if (busy || !waitsForEnd) return;
    const last = chat.path().at(-1);
    // The next question is sent after pending tool calls are decided and the model has answered.
    if (problem === null && last?.role === "assistant" && last.state === "done" && last.calls?.length) return;
    waitsForEnd = false;
    if (problem !== null || last?.role !== "assistant" || last.state !== "done") return hold();
    const next = queue.find(({ isHeld }) => !isHeld);
    if (next) void sendQueued(next);
  };
  const add = (text: string, attachments: readonly Attachment[], draft?: Draft, joins?: true): boolean => {
    const { queue } = chat.state;
    if (queue.length >= maxQueued) {
      chat.set({ notice: { text: queueIsFull, stays: true } });
      return false;
    }
    const question = { id: randomUUID(), text, attachments, isHeld: false };
    put([...queue, { ...question, ...optionalMember("joins", joins) }], draft);
    return true;
  };
  return {
    add,
    addDraft(text, revision, after) {
      const { draft, attachments } = chat.state;
      if (text.trim() === "" || attachments.some(({ pending }) => pending)) return;
      const cleared = { draft: nextDraft(draft, "", revision), attachments: [], attachmentNotice: null };
      add(text, attachments, cleared, !after && isInTask(chat) ? true : undefined);
    },
    join: (answerId, canTake) => join(chat, answerId, canTake),
    switchRound(id) {
      put(chat.state.queue.map((one) => (one.id === id ? switched(chat, one) : one)));
    },
    async send(id) {
      const question = find(id);
      if (!question || chat.state.busy) return;
      put(chat.state.queue.map((one) => ({ ...one, isHeld: false })));
      await sendQueued(question);
    },
    edit(id) {
      const question = find(id);
      if (question) chat.set(withTakenBack(chat.state, question));
    },
    remove,
    hold,
    update() {
      if (isScheduled || (chat.state.queue.length === 0 && !waitsForEnd && !chat.state.busy)) return;
      isScheduled = true;
      // The tool calls of an answer are reported right after its end.
      queueMicrotask(afterChange);
    },
  };
}

/** True if the answer that runs is a round of a task. */
function isInTask(chat: LiveChat): boolean {
  return taskOf(chat.path(), chat.state.settings) !== undefined;
}

/** Makes what goes with the next round messages of the conversation, first of all, so that a kill loses none. */
function join(chat: LiveChat, ...[answerId, canTake]: Parameters<QuestionQueue["join"]>): string {
  const { queue } = chat.state;
  const joining = queue.filter(({ joins, isHeld }) => joins && !isHeld);
  const taken = joining.filter(({ attachments }) => canTake(attachments));
  let lastId = answerId;
  for (const { id, text, attachments } of taken) {
    const attached = attachments.length > 0 ? { attachments } : {};
    // Another window may have sent it.
    if (chat.tree.get(id)) continue;
    chat.add({ role: "user", id, text, ...attached, isSteering: true }, lastId);
    lastId = id;
  }
  const others = queue.filter((one) => !taken.includes(one));
  if (joining.length > 0) chat.set({ queue: others.map(({ joins: _, ...one }) => one) });
  return lastId;
}

function switched(chat: LiveChat, { joins, ...question }: QueuedQuestion): QueuedQuestion {
  return joins || !isInTask(chat) ? question : { ...question, joins: true };
}

function withTakenBack(
  { draft, attachments, queue }: ChatState,
  question: QueuedQuestion,
): Draft & Pick<ChatState, "queue"> {
  return {
    queue: queue.filter((one) => one !== question),
    draft: appendToDraft(draft, question.text),
    attachments: [...attachments, ...question.attachments],
  };
}
