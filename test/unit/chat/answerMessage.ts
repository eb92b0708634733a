import type { AnswerMessage } from "../../../src/chat/protocol/chatMessages.ts";

/** A complete answer without text. */
export const answerWith = (id: string, more: Partial<AnswerMessage> = {}): AnswerMessage => ({
  role: "assistant",
  id,
  model: "m",
  text: "",
  reasoning: "",
  state: "done",
  startedAtMs: 0,
  timing: {},
  ...more,
});

/** The dependencies of a chat without files and views. */
export const silent = {
  record() {},
  onChange() {},
  onBusy() {},
  interrupted: () => undefined,
  isOrphaned: () => false,
};
