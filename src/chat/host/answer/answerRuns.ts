import type { ChatRequest } from "../../../api/endpoints/chat/chatRequest.ts";
import { ApiError } from "../../../api/errors/errors.ts";
import type { SpendTask } from "../../../api/money/charge.ts";
import {
  type ErrorContext,
  explain,
  explainInterrupted,
  explainTruncated,
} from "../../../platform/errors/errorMessage.ts";
import type { Client, Session } from "../../../session/session.ts";
import type { ModelCard } from "../../../shared/chat/chatModels.ts";
import type { Explanation } from "../../../shared/errorActions.ts";
import { schemaErrors } from "../../../tools/schemaErrors.ts";
import {
  type AnswerMessage,
  type AnswerPart,
  type AnswerPatch,
  type AnswerUsage,
  hasOnlyReasoning,
  isRunning,
} from "../../protocol/chatMessages.ts";
import { predictCost, promptTokensOf, sourceOfAnswer, spendTaskOf, withinCap } from "../agent/task.ts";
import { checkCitations } from "../conversation/citedSources.ts";
import type { LiveChat } from "../conversation/liveChat.ts";
import { priced, sumOfUsage } from "../conversation/spending.ts";
import type { ModelToolCall } from "../tools/tool.ts";
import {
  dueSummaryFor,
  type RequestBase,
  type RequestDeps,
  readRequestBase,
  requestFor,
  toTellIn,
} from "./answerRequest.ts";
import { type AnswerEvents, askForAnswer } from "./answerStream.ts";
import type { LearnedContext } from "./learnedContext.ts";
import { refuseWithoutTools, withToolHelp } from "./toolSupport.ts";

export interface AnswerRunsDeps extends RequestDeps {
  readonly chat: LiveChat;
  readonly session: Pick<Session, "active" | "client" | "spend">;
  /** An answer contains tool calls; `offered` are the tools that its request named. */
  readonly onCalls: (answerId: string, calls: readonly ModelToolCall[], offered: readonly string[]) => void;
  /** Resolves once all is known of the calls that were stopped before. */
  readonly settled: () => Promise<void>;
  /** An answer has ended. */
  readonly onAnswered: () => void;
  /** An answer of a task has ended without a call. */
  readonly onTaskEnded?: (answerId: string) => void;
  /** Who makes the calls for an answer, if not the task of this chat itself. */
  readonly sourceOf?: typeof sourceOfAnswer;
  /** A request of about so many tokens has failed. */
  readonly onRefused: LearnedContext["take"];
  /** A task has stopped with an error. */
  readonly onStopped?: (reason: string) => void;
  readonly report: (error: unknown) => void;
}

/** Undoes the turn after a failure before any text arrived; returns false if that is not possible. */
export type RollBack = (explanation: Explanation, error: unknown) => boolean;

/** Running requests, each with the answers that it fills. */
export interface AnswerRuns {
  readonly areRunning: boolean;
  /**
   * Starts one request for these answers, which are already in the conversation. `rollBack` undoes the turn if the
   * request fails before any text arrives. If it returns false, the answers stay and are marked as failed.
   */
  start(answers: readonly AnswerMessage[], rollBack: RollBack): void;
  /** Aborts all requests. No event of theirs is shown after this returns. */
  stop(): void;
  /** Aborts all requests, and starts no more. Their answers are stored as cut off, which the next window that opens them shows. */
  dispose(): void;
}

export function createAnswerRuns(deps: AnswerRunsDeps): AnswerRuns {
  const running = new Set<AnswerRun>();
  let isDisposed = false;
  const endAll = (change: AnswerPatch) => {
    for (const run of running) run.end(change);
  };
  return {
    get areRunning() {
      return running.size > 0;
    },
    start(answers, rollBack) {
      const [first] = answers;
      if (!first || isDisposed) return;
      const run = new AnswerRun(
        deps,
        first,
        answers.map(({ id }) => id),
        rollBack,
      );
      run.onEnd = () => void running.delete(run);
      running.add(run);
      void run.send();
    },
    stop: () => endAll({ state: "stopped" }),
    dispose() {
      isDisposed = true;
      endAll({ state: "cut-off", problem: explainInterrupted() });
    },
  };
}

/** One request and the answers that it fills. */
class AnswerRun implements AnswerEvents {
  onEnd = () => {};
  readonly #deps: AnswerRunsDeps;
  /** Usage and timing of the earlier requests: a continued or summarised answer shows the sum. */
  #first: AnswerMessage;
  /** Indexed by choice. */
  readonly #answerIds: readonly string[];
  readonly #rollBack: RollBack;
  readonly #card: ModelCard | undefined;
  readonly #isPlayMoney: boolean;
  /** Tool calls by index of the choice. */
  readonly #calls = new Map<number, readonly ModelToolCall[]>();
  readonly #abort = new AbortController();
  readonly #startMs = performance.now();
  #hasEnded = false;
  /** Estimated, of the last request. */
  #sentTokens = 0;

  constructor(deps: AnswerRunsDeps, first: AnswerMessage, answerIds: readonly string[], rollBack: RollBack) {
    this.#deps = deps;
    this.#first = first;
    this.#answerIds = answerIds;
    this.#rollBack = rollBack;
    this.#card = deps.cardOf(first.model);
    this.#isPlayMoney = deps.session.active?.kind === "sandbox";
  }

  /** Sends the request and applies its answers to the conversation. Never rejects. */
  async send(): Promise<void> {
    const { session, onAnswered } = this.#deps;
    try {
      const source = (this.#deps.sourceOf ?? sourceOfAnswer)(this.#deps.chat, this.#first.id);
      const client = await session.client(source);
      const ask = async () => {
        const request = await this.#request(client, source.task);
        this.#sentTokens = promptTokensOf(request);
        const end = await askForAnswer(client, request, this.#abort.signal, this);
        return { request, end };
      };
      let { request, end } = await ask();
      if (end === "done" && source.task && this.#onlyReasoned()) {
        this.#first = this.#answerOf(this.#first.id) ?? this.#first;
        ({ request, end } = await ask());
      }
      if (this.#hasEnded) return;
      if (end !== "done")
        return this.#finish({
          state: "cut-off",
          problem: explainTruncated(errorContextOf(this.#deps.session)),
        });
      const cited = await this.#citations();
      if (this.#hasEnded) return;
      this.#finish({ state: "done", ...cited });
      onAnswered();
      this.#reportCalls((request.tools ?? []).map((tool) => tool.function.name));
      if (source.task && this.#calls.size === 0) this.#deps.onTaskEnded?.(this.#first.id);
    } catch (error) {
      // An aborted request still rejects; ignore that.
      if (!this.#hasEnded) this.#fail(error);
    }
  }

  /**
   * True if a round of a task ended with reasoning alone, and another request costs nothing. Such a model is asked for its
   * answer once; for one that costs something, the user decides.
   */
  #onlyReasoned(): boolean {
    const answer = this.#answerOf(this.#first.id);
    const isFree = this.#card?.inputUsd === 0 && this.#card.outputUsd === 0;
    if (this.#hasEnded || !answer || !isFree || this.#calls.size > 0) return false;
    return hasOnlyReasoning(answer) && (answer.finishReason ?? "stop") === "stop";
  }

  /** The sources that a whole answer cites, and notes on them. Several answers to one request are not checked. */
  async #citations(): Promise<AnswerPatch> {
    const answer = this.#answerOf(this.#first.id);
    if (!answer || this.#answerIds.length > 1) return {};
    const { chat, blobs } = this.#deps;
    return checkCitations(answer, chat.tree.pathTo(answer.id), blobs);
  }

  async #request(client: Client, task: SpendTask | undefined): Promise<ChatRequest> {
    await this.#deps.settled();
    const base = await readRequestBase(this.#deps, this.#first.model);
    if (task) {
      await this.#summarise(client, task, base);
      const told = await toTellIn(this.#deps, this.#first, base);
      if (Object.keys(told).length > 0) for (const id of this.#answerIds) this.#patch(id, told);
    }
    const request = await requestFor(this.#deps, this.#first, this.#answerIds.length, base);
    refuseWithoutTools(request, this.#card);
    if (!task) return request;
    const bounded = await withinCap(this.#deps.session, client, request, task);
    const predictedUsd = predictCost(this.#deps.chat.tree.pathTo(this.#first.id), request, this.#card);
    this.#patch(this.#first.id, {
      ...(predictedUsd === undefined ? {} : { predictedUsd }),
      ...(bounded.mostUsd === undefined ? {} : { reservedUsd: bounded.mostUsd }),
    });
    return bounded.request;
  }

  /** Summarises the older messages if the context is nearly full. The cost is part of the answer's. */
  async #summarise(client: Client, task: SpendTask, base: RequestBase): Promise<void> {
    const due = await dueSummaryFor(this.#deps, this.#first, base);
    if (!due || this.#hasEnded) return;
    const put = (text: string) => {
      for (const id of this.#answerIds) this.#patch(id, { summary: { ...due.summary, text } });
    };
    put("");
    let text = "";
    const { request } = await withinCap(this.#deps.session, client, due.request, task);
    this.#sentTokens = promptTokensOf(request);
    const end = await askForAnswer(client, request, this.#abort.signal, {
      onText: (_, part, more) => {
        if (part === "text") text += more;
      },
      onTextWasReasoning: () => {
        text = "";
      },
      onPatch: (choice, { usage, resendAtMs = null }) =>
        this.onPatch(choice, { resendAtMs, ...(usage ? { usage } : {}) }),
      onCalls: () => {},
    });
    if (this.#hasEnded) return;
    this.#first = this.#answerOf(this.#first.id) ?? this.#first;
    if (text.trim() === "" || end !== "done") throw noSummary();
    put(text.trim());
  }

  /** Aborts the request. */
  end(change: AnswerPatch): void {
    this.#abort.abort();
    this.#finish(change);
  }

  onText(choice: number, part: AnswerPart, text: string): void {
    const answer = this.#answerOf(this.#answerIds[choice]);
    if (this.#hasEnded || !answer) return;
    if (answer.state === "waiting") this.#patch(answer.id, { state: "streaming", resendAtMs: null });
    this.#deps.chat.change({ op: "append", id: answer.id, part, at: answer[part].length, text }, false);
  }

  onTextWasReasoning(choice: number): void {
    const answer = this.#answerOf(this.#answerIds[choice]);
    if (this.#hasEnded || !answer) return;
    // A continued answer keeps the text of its earlier request.
    const { length } = choice === 0 ? this.#first.text : "";
    const patch = {
      text: answer.text.slice(0, length),
      reasoning: answer.reasoning + answer.text.slice(length),
    };
    this.#deps.chat.change({ op: "patch", id: answer.id, patch });
  }

  onPatch(choice: number | undefined, change: AnswerPatch): void {
    if (this.#hasEnded) return;
    const ids = choice === undefined ? this.#answerIds : this.#answerIds.slice(choice, choice + 1);
    const { usage, timing, sources, ...others } = change;
    const before = this.#first;
    const whole = {
      ...others,
      // The numbers of the text are those of the sources that the question brought.
      ...(sources && !before.sources?.some(({ stored }) => stored) ? { sources } : {}),
      ...(usage ? { usage: sumOfUsage(before.usage, this.#priced(usage)) } : {}),
      ...(timing ? { timing: { ...timing, ...before.timing } } : {}),
    };
    for (const id of ids) this.#patch(id, whole);
  }

  onCalls(choice: number, calls: readonly ModelToolCall[]): void {
    this.#calls.set(choice, calls);
  }

  #reportCalls(offered: readonly string[]): void {
    for (const [choice, calls] of this.#calls) {
      const id = this.#answerIds[choice];
      if (id !== undefined) this.#deps.onCalls(id, calls, offered);
    }
  }

  #close(): void {
    this.#hasEnded = true;
    this.onEnd();
  }

  #finish(change: AnswerPatch): void {
    this.#close();
    const { totalMs: beforeMs = 0 } = this.#first.timing;
    const totalMs = Math.round(beforeMs + performance.now() - this.#startMs);
    for (const id of this.#answerIds) {
      const answer = this.#answerOf(id);
      if (!answer || !isRunning(answer)) continue;
      const timing = { ...answer.timing, totalMs };
      this.#patch(id, { resendAtMs: null, ...change, ...checked(answer), timing });
    }
  }

  #fail(error: unknown): void {
    this.#deps.report(error);
    this.#deps.onRefused(this.#first.model, error, this.#sentTokens);
    const problem = withToolHelp(
      explain(error, errorContextOf(this.#deps.session)),
      error,
      this.#card?.name ?? this.#first.model,
    );
    if (spendTaskOf(this.#deps.chat, this.#first.id)) this.#deps.onStopped?.(problem.sentence);
    const hasText = this.#answerIds.some((id) => {
      const answer = this.#answerOf(id);
      return answer !== undefined && answer.text + answer.reasoning + (answer.summary?.text ?? "") !== "";
    });
    if (hasText) this.#finish({ state: "cut-off", problem });
    else if (this.#rollBack(problem, error)) this.#close();
    else this.#finish({ state: "failed", problem });
  }

  #answerOf(id: string | undefined): AnswerMessage | undefined {
    const message = id === undefined ? undefined : this.#deps.chat.tree.get(id);
    return message?.role === "assistant" ? message : undefined;
  }

  #patch(id: string, patch: AnswerPatch): void {
    const { chat } = this.#deps;
    if (chat.tree.get(id)) chat.change({ op: "patch", id, patch });
  }

  #priced(usage: AnswerUsage): AnswerUsage {
    const sum = priced(usage, this.#card);
    return this.#isPlayMoney ? { ...sum, isPlayMoney: true } : sum;
  }
}

/** The service, for the words of an error. */
export function errorContextOf({ active }: Pick<Session, "active">): ErrorContext {
  return active ? { service: active.name, kind: active.kind } : { service: "The service" };
}

function noSummary(): ApiError {
  return new ApiError(
    "malformed-response",
    "the model wrote no whole summary of the older messages, and its context is nearly full",
    { endpoint: "chat.stream" },
  );
}

/** Checks the text of an answer against its schema. An answer with tool calls has no text to check. */
function checked({ schema, text }: AnswerMessage): AnswerPatch {
  return schema === undefined || text === "" ? {} : { schemaErrors: schemaErrors(schema, text) };
}
