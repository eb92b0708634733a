import {
  type ErrorContext,
  explain,
  explainInterrupted,
  explainTruncated,
} from "../../platform/errorMessage.ts";
import type { Session } from "../../session/session.ts";
import {
  type AnswerMessage,
  type AnswerPatch,
  type AnswerUsage,
  isRunning,
} from "../../shared/chatMessages.ts";
import type { ModelCard } from "../../shared/chatModels.ts";
import type { Explanation } from "../../shared/errorActions.ts";
import { type AnswerEvents, askForAnswer, type ModelToolCall } from "./answering.ts";
import type { OutgoingPath } from "./attachments/outgoing.ts";
import { toChatRequest } from "./chatRequest.ts";
import type { LiveChat } from "./liveChat.ts";
import { schemaErrors } from "./schemaErrors.ts";
import { priced } from "./spending.ts";
import type { ChatTool } from "./tools/tool.ts";

export interface AnswerRunsDeps {
  readonly chat: LiveChat;
  readonly session: Pick<Session, "active" | "client">;
  /** Selects the part of a path that the request carries. */
  readonly outgoing: OutgoingPath;
  readonly cardOf: (model: string) => ModelCard | undefined;
  /** Tools that a model may be offered. */
  readonly tools: () => readonly ChatTool[];
  /** An answer contains tool calls; `offered` are the tools that its request named. */
  readonly onCalls: (answerId: string, calls: readonly ModelToolCall[], offered: readonly string[]) => void;
  /** An answer has ended. */
  readonly onAnswered: () => void;
  readonly report: (error: unknown) => void;
}

/** Running requests, each with the answers that it fills. */
export interface AnswerRuns {
  readonly areRunning: boolean;
  /**
   * Starts one request for these answers, which are already in the conversation. `rollBack` undoes the turn if the
   * request fails before any text arrives. If it returns false, the answers stay and are marked as failed.
   */
  start(answers: readonly AnswerMessage[], rollBack: Running["rollBack"]): void;
  /** Aborts all requests. No event of theirs is shown after this returns. */
  stop(): void;
  /** Aborts all requests. Their answers are stored as cut off, which the next window that opens them shows. */
  dispose(): void;
}

/** One request and the answers that it fills. */
interface Running {
  /** Indexed by choice. */
  readonly answerIds: readonly string[];
  /** Usage and timing of the earlier request: a continued answer shows the sum of both. */
  readonly before: Pick<AnswerMessage, "usage" | "timing">;
  readonly card: ModelCard | undefined;
  readonly isPlayMoney: boolean;
  /** Tool calls by index of the choice. */
  readonly calls: Map<number, readonly ModelToolCall[]>;
  readonly abort: AbortController;
  readonly startMs: number;
  /** Undoes the turn after a failure before any text arrived; returns false if that is not possible. */
  readonly rollBack: (explanation: Explanation) => boolean;
}

export function createAnswerRuns(deps: AnswerRunsDeps): AnswerRuns {
  const { chat, session, outgoing, cardOf, report } = deps;
  const running = new Set<Running>();
  const answerOf = (id: string | undefined): AnswerMessage | undefined => {
    const message = id === undefined ? undefined : chat.tree.get(id);
    return message?.role === "assistant" ? message : undefined;
  };
  const errorContext = (): ErrorContext => {
    const { active } = session;
    return active ? { service: active.name, kind: active.kind } : { service: "The service" };
  };

  const run = async (answers: readonly AnswerMessage[], rollBack: Running["rollBack"]) => {
    const [first] = answers;
    if (!first) return;
    const mine: Running = {
      answerIds: answers.map(({ id }) => id),
      before: first,
      card: cardOf(first.model),
      isPlayMoney: session.active?.kind === "sandbox",
      calls: new Map(),
      abort: new AbortController(),
      startMs: performance.now(),
      rollBack,
    };
    running.add(mine);
    try {
      const client = await session.client();
      const { model } = first;
      const request = toChatRequest({
        model,
        card: cardOf(model),
        settings: chat.state.settings,
        tools: deps.tools(),
        choices: answers.length,
        cacheKey: chat.state.conversationId,
        ...(await outgoing(chat.tree.pathTo(first.id), model)),
      });
      const end = await askForAnswer(client, request, mine.abort.signal, eventsOf(mine));
      if (!running.has(mine)) return;
      finish(
        mine,
        end === "done" ? { state: "done" } : { state: "cut-off", problem: explainTruncated(errorContext()) },
      );
      const offered = (request.tools ?? []).map((tool) => tool.function.name);
      if (end === "done") {
        deps.onAnswered();
        reportCalls(mine, offered);
      }
    } catch (error) {
      // An aborted request still rejects; ignore that.
      if (running.has(mine)) fail(mine, error);
    }
  };
  const eventsOf = (mine: Running): AnswerEvents => ({
    onText(choice, part, text) {
      const answer = answerOf(mine.answerIds[choice]);
      if (!running.has(mine) || !answer) return;
      if (answer.state === "waiting") patch(answer.id, { state: "streaming", resendAtMs: null });
      chat.change({ op: "append", id: answer.id, part, at: answer[part].length, text }, false);
    },
    onPatch(choice, change) {
      if (!running.has(mine)) return;
      const ids = choice === undefined ? mine.answerIds : mine.answerIds.slice(choice, choice + 1);
      const { usage, timing } = change;
      const whole = {
        ...change,
        ...(usage ? { usage: sumOf(mine.before.usage, pricedBy(mine, usage)) } : {}),
        ...(timing ? { timing: { ...timing, ...mine.before.timing } } : {}),
      };
      for (const id of ids) patch(id, whole);
    },
    onCalls: (choice, calls) => void mine.calls.set(choice, calls),
  });
  const reportCalls = ({ answerIds, calls }: Running, offered: readonly string[]) => {
    for (const [choice, asked] of calls) {
      const id = answerIds[choice];
      if (id !== undefined) deps.onCalls(id, asked, offered);
    }
  };
  const patch = (id: string, change: AnswerPatch) => {
    if (chat.tree.get(id)) chat.change({ op: "patch", id, patch: change });
  };
  const finish = (mine: Running, change: AnswerPatch) => {
    running.delete(mine);
    const { totalMs: beforeMs = 0 } = mine.before.timing;
    const totalMs = Math.round(beforeMs + performance.now() - mine.startMs);
    for (const id of mine.answerIds) {
      const answer = answerOf(id);
      if (answer && isRunning(answer))
        patch(id, { resendAtMs: null, ...change, ...judged(answer), timing: { ...answer.timing, totalMs } });
    }
  };
  const fail = (mine: Running, error: unknown) => {
    report(error);
    const problem = explain(error, errorContext());
    const came = mine.answerIds.some((id) => {
      const answer = answerOf(id);
      return answer !== undefined && answer.text + answer.reasoning !== "";
    });
    if (came) return finish(mine, { state: "cut-off", problem });
    if (mine.rollBack(problem)) running.delete(mine);
    else finish(mine, { state: "failed", problem });
  };
  return {
    get areRunning() {
      return running.size > 0;
    },
    start: (answers, rollBack) => void run(answers, rollBack),
    stop() {
      for (const mine of running) {
        mine.abort.abort();
        finish(mine, { state: "stopped" });
      }
    },
    dispose() {
      for (const mine of running) {
        mine.abort.abort();
        finish(mine, { state: "cut-off", problem: explainInterrupted() });
      }
    },
  };
}

function pricedBy({ card, isPlayMoney }: Running, usage: AnswerUsage): AnswerUsage {
  const known = priced(usage, card);
  return isPlayMoney ? { ...known, isPlayMoney } : known;
}

/** Checks the text of an answer against its schema. An answer with tool calls has no text to check. */
function judged({ schema, text }: AnswerMessage): AnswerPatch {
  return schema === undefined || text === "" ? {} : { schemaErrors: schemaErrors(schema, text) };
}

function sumOf(before: AnswerUsage | undefined, more: AnswerUsage): AnswerUsage {
  if (!before) return more;
  const names = new Set([...Object.keys(before), ...Object.keys(more)]) as Set<keyof AnswerUsage>;
  const sums = [...names].map((name) => {
    const [one = 0, other = 0] = [before[name], more[name]];
    return [name, typeof one === "number" && typeof other === "number" ? one + other : one || other];
  });
  return Object.fromEntries(sums) as AnswerUsage;
}
