import { randomUUID } from "node:crypto";
import { type ErrorContext, explain, explainTruncated } from "../../platform/errorMessage.ts";
import type { Session } from "../../session/session.ts";
import type { AnswerMessage, AnswerPart, AnswerPatch, Draft } from "../../shared/chatState.ts";
import type { Explanation } from "../../shared/errorActions.ts";
import { type AnswerEvents, askForAnswer } from "./answering.ts";
import { toRequestMessages } from "./conversation.ts";
import type { LiveChat } from "./liveChat.ts";

export interface TurnsDeps {
  readonly chat: LiveChat;
  readonly session: Pick<Session, "active" | "client">;
  readonly report: (error: unknown) => void;
}

/** Questions and their answers, one at a time. */
export interface Turns {
  /** Sends what was typed; `revision` is the draft's, which is empty from then on. */
  send(text: string, revision: number): void;
  /** Asks the last question again; the answer it had stays in the conversation, out of sight. */
  answerAnew(answerId: string): void;
  /** Ends the running answer, on the wire too; nothing of it is shown after this returns. */
  stop(): void;
  /** Lets go of the running answer as it is. */
  dispose(): void;
}

interface Running {
  readonly answerId: string;
  readonly abort: AbortController;
  readonly startMs: number;
  /** Undoes the turn, after a failure before anything came. */
  readonly takeBack: (explanation: Explanation) => boolean;
}

/** Any model that the service holds fit, by trait (spec E10: a model may be named by one). */
const anyModel = "default";

export function createTurns({ chat, session, report }: TurnsDeps): Turns {
  let running: Running | undefined;

  const answer = async (takeBack: Running["takeBack"]) => {
    const model = chat.state.modelId ?? anyModel;
    const messages = toRequestMessages(chat.state.messages);
    const message = newAnswer(model);
    const mine = { answerId: message.id, abort: new AbortController(), startMs: performance.now(), takeBack };
    running = mine;
    chat.commit([
      { op: "set", patch: { problem: null } },
      { op: "message", message },
    ]);
    try {
      const client = await session.client();
      const end = await askForAnswer(client, { model, messages, signal: mine.abort.signal }, eventsOf(mine));
      if (running !== mine) return;
      finish(end === "done" ? { state: "done" } : { state: "cut-off", problem: explainTruncated(context()) });
    } catch (error) {
      // After a stop the dead request complains: nobody asks for that any more.
      if (running === mine) fail(mine, error);
    }
  };
  const eventsOf = (mine: Running): AnswerEvents => ({
    onText(part: AnswerPart, text: string) {
      const current = lastAnswer();
      if (running !== mine || !current) return;
      if (current.state === "waiting") patch({ state: "streaming", resendAtMs: null });
      chat.commit([{ op: "append", id: mine.answerId, part, at: current[part].length, text }], false);
    },
    onPatch(change) {
      if (running === mine) patch(change);
    },
  });
  const lastAnswer = (): AnswerMessage | undefined => {
    const last = chat.state.messages.at(-1);
    return last?.role === "assistant" ? last : undefined;
  };
  const patch = (change: AnswerPatch) => {
    if (running) chat.commit([{ op: "patch", id: running.answerId, patch: change }]);
  };
  const finish = (change: AnswerPatch) => {
    if (!running) return;
    const totalMs = Math.round(performance.now() - running.startMs);
    const id = running.answerId;
    running = undefined;
    const timing = { ...lastAnswer()?.timing, totalMs };
    chat.commit([{ op: "patch", id, patch: { resendAtMs: null, ...change, timing } }]);
  };
  const fail = (mine: Running, error: unknown) => {
    report(error);
    const problem = explain(error, context());
    const came = lastAnswer();
    if (came && came.text + came.reasoning !== "") return finish({ state: "cut-off", problem });
    if (mine.takeBack(problem)) running = undefined;
    else finish({ state: "failed", problem });
  };
  const context = (): ErrorContext => {
    const { active } = session;
    return active ? { service: active.name, kind: active.kind } : { service: "The service" };
  };
  return {
    send(text, revision) {
      if (running || text.trim() === "") return;
      const restore = chat.mark();
      chat.commit([
        { op: "set", patch: { draft: nextDraft(chat.state.draft, "", revision) } },
        { op: "message", message: { role: "user", id: randomUUID(), text } },
      ]);
      void answer((explanation) => {
        // The box is in use again: then the question stays where it is, with its failed answer.
        if (chat.state.draft.text.trim() !== "") return false;
        restore();
        const draft = nextDraft(chat.state.draft, text, Date.now());
        chat.commit([{ op: "set", patch: { draft, problem: { explanation } } }]);
        return true;
      });
    },
    answerAnew(answerId) {
      // Only the last: what was said after an answer builds on it.
      if (running || lastAnswer()?.id !== answerId) return;
      const restore = chat.mark();
      chat.leaveOutLast();
      void answer((explanation) => {
        restore();
        chat.commit([{ op: "set", patch: { problem: { explanation, answerId } } }]);
        return true;
      });
    },
    stop() {
      running?.abort.abort();
      finish({ state: "stopped" });
    },
    dispose() {
      running?.abort.abort();
      running = undefined;
    },
  };
}

function newAnswer(model: string): AnswerMessage {
  const id = randomUUID();
  return {
    role: "assistant",
    id,
    model,
    text: "",
    reasoning: "",
    state: "waiting",
    startedAtMs: Date.now(),
    timing: {},
  };
}

/** A draft that wins over what either side has seen. */
function nextDraft({ revision }: Draft, text: string, seen: number): Draft {
  return { text, revision: Math.max(revision, seen) + 1 };
}
