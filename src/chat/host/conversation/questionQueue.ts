import { randomUUID } from "node:crypto";
import type { Attachment } from "../../../shared/chat/chatAttachments.ts";
import type { ChatState, QueuedQuestion } from "../../protocol/chatState.ts";
import type { Answers } from "../answer/answers.ts";
import { appendToDraft, nextDraft } from "./draft.ts";
import type { LiveChat } from "./liveChat.ts";

/** Questions that wait for the end of an answer, shown above the prompt. After a stop none is sent automatically. */
export interface QuestionQueue {
  /** False if the queue is full: the question stays in the prompt. */
  add(text: string, attachments: readonly Attachment[]): boolean;
  /** Adds the typed question with its attachments; `revision` is that of the draft, which is cleared. */
  addDraft(text: string, revision: number): void;
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
    if (queue.some(({ isHeld }) => !isHeld)) put(queue.map((one) => ({ ...one, isHeld: true })));
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
  const add = (text: string, attachments: readonly Attachment[], draft?: Draft): boolean => {
    const { queue } = chat.state;
    if (queue.length >= maxQueued) {
      chat.set({ notice: { text: queueIsFull, stays: true } });
      return false;
    }
    put([...queue, { id: randomUUID(), text, attachments, isHeld: false }], draft);
    return true;
  };
  return {
    add,
    addDraft(text, revision) {
      const { draft, attachments } = chat.state;
      if (text.trim() === "" || attachments.some(({ pending }) => pending)) return;
      const cleared = { draft: nextDraft(draft, "", revision), attachments: [], attachmentNotice: null };
      add(text, attachments, cleared);
    },
    async send(id) {
      const question = find(id);
      if (!question || chat.state.busy) return;
      put(chat.state.queue.map((one) => ({ ...one, isHeld: false })));
      await sendQueued(question);
    },
    edit(id) {
      const question = find(id);
      if (!question) return;
      const { draft, attachments, queue } = chat.state;
      const others = queue.filter((one) => one.id !== id);
      const all = [...attachments, ...question.attachments];
      put(others, { draft: appendToDraft(draft, question.text), attachments: all });
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
