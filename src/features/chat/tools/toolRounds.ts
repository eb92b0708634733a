import { randomUUID } from "node:crypto";
import type { AnswerMessage, ToolCallCard } from "../../../shared/chatMessages.ts";
import { visibleLine } from "../../../shared/visibleText.ts";
import type { ModelToolCall } from "../answering.ts";
import type { LiveChat } from "../liveChat.ts";
import type { ChatTool, ToolInput } from "./tool.ts";
import { boundedToolText, callTool, readToolInput } from "./toolBox.ts";

/** The user's decision about a call. `review` runs it and shows the result before the model gets it. */
type ToolDecision = "once" | "review" | "conversation" | "always" | "skip";

/** Permanent approvals of this workspace. */
export interface Approvals {
  /** True if the settings allow an approved tool to run without asking. */
  mayRunUnasked(tool: ChatTool): boolean;
  isGiven(key: string): boolean;
  give(key: string): void;
}

export interface ToolRoundsDeps {
  readonly chat: LiveChat;
  readonly tools: () => readonly ChatTool[];
  readonly approvals: Approvals;
  /** Approvals are bound to the connection, because it receives the data and is billed. */
  readonly connectionId: () => string | undefined;
  /** Continues with the model after all calls of an answer are done. */
  readonly next: (answerId: string) => void;
}

/** Tool calls of models: each is shown, approved, run and its result cut; then the model continues. */
export interface ToolRounds {
  /** `offered` are the tools that the request of this answer named; no other tool runs. */
  begin(answerId: string, calls: readonly ModelToolCall[], offered: readonly string[]): void;
  decide(answerId: string, callId: string, decision: ToolDecision): void;
  /** Sets the result that the user wrote or changed. */
  give(answerId: string, callId: string, result: string): void;
  /** Refuses pending calls and aborts running ones. */
  stop(): void;
}

/** Consecutive answers with tool calls, after which the user must confirm. */
const maxRounds = 25;
/** Calls per answer that may run without asking; if there are more, each one asks. */
const mostUnasked = 8;

/** A tool with a valid call. */
interface Ready {
  readonly tool: ChatTool;
  readonly input: ToolInput;
}

export function createToolRounds(deps: ToolRoundsDeps): ToolRounds {
  const { chat, tools, next } = deps;
  const running = new Map<string, AbortController>();
  const permits = createPermits(deps);
  const inTurn = createTurnTaking();
  /** The tools that each request named. For requests before a reload, only the chat's selection is known. */
  const offers = new Map<string, readonly string[]>();
  const answerOf = (id: string): AnswerMessage | undefined => {
    const message = chat.tree.get(id);
    return message?.role === "assistant" ? message : undefined;
  };
  const cardOf = (answerId: string, asked: ModelToolCall) =>
    toCard(asked, tools(), offers.get(answerId) ?? chat.state.settings.tools ?? []);
  const readyOf = ({ name, arguments: text }: ToolCallCard): Ready | undefined => {
    const tool = tools().find((one) => one.name === name);
    const input = tool && readToolInput(tool, text);
    return tool && input !== undefined && typeof input !== "string" ? { tool, input } : undefined;
  };
  const put = (answerId: string, calls: readonly ToolCallCard[]) =>
    chat.change({ op: "patch", id: answerId, patch: { calls } });
  const set = (answerId: string, callId: string, change: Partial<ToolCallCard>) => {
    const calls = answerOf(answerId)?.calls;
    if (!calls) return;
    put(
      answerId,
      calls.map((call) => (call.id === callId ? { ...call, ...change } : call)),
    );
  };
  const goOnWhenOver = (answerId: string) => {
    const calls = answerOf(answerId)?.calls ?? [];
    if (calls.length === 0 || !calls.every(isOver)) return;
    if (roundsBefore(chat, answerId) < maxRounds) next(answerId);
    else
      chat.set({
        notice: `The model called tools ${maxRounds} times in a row. Press Continue to proceed.`,
      });
  };
  const run = async (answerId: string, callId: string, { tool, input }: Ready, isReviewed: boolean) => {
    const abort = new AbortController();
    // Services number the calls of each answer from the start.
    const key = `${answerId} ${callId}`;
    running.set(key, abort);
    set(answerId, callId, { state: "runs" });
    const { isError, text } = await inTurn(tool, () => callTool(tool, input, abort.signal));
    // The call was stopped meanwhile, which has already set its state.
    if (running.get(key) !== abort) return;
    running.delete(key);
    const over = isError ? "failed" : "done";
    set(answerId, callId, { state: isReviewed ? "review" : over, result: text });
    goOnWhenOver(answerId);
  };
  /** Runs approved calls. If an answer has many calls, the user decides about each. */
  const runApproved = async (answerId: string) => {
    const calls = answerOf(answerId)?.calls ?? [];
    if (calls.length > mostUnasked) return;
    for (const { id } of calls) {
      const shown = callOf(answerOf(answerId), id);
      const ready = shown && readyOf(shown);
      if (!ready?.tool.run || !(await permits.isGiven(ready))) continue;
      const now = callOf(answerOf(answerId), id);
      // The user may have decided meanwhile, and a file can contain any card.
      if (now?.state === "asks" && isSame(now, cardOf(answerId, now))) void run(answerId, id, ready, false);
    }
  };
  return {
    begin(answerId, asked, offered) {
      offers.set(answerId, offered);
      put(
        answerId,
        distinguished(asked).map((call) => cardOf(answerId, call)),
      );
      void runApproved(answerId);
      goOnWhenOver(answerId);
    },
    decide(answerId, callId, decision) {
      const call = callOf(answerOf(answerId), callId);
      if (call?.state !== "asks") return;
      const card = cardOf(answerId, call);
      if (decision === "skip") set(answerId, callId, { state: "refused" });
      // The card differs from the one that the user saw: a file can contain any card.
      else if (!isSame(call, card)) put(answerId, replaced(answerOf(answerId), call, card));
      const ready = readyOf(call);
      if (decision === "skip" || !isSame(call, card) || !ready) return goOnWhenOver(answerId);
      if (!ready.tool.run) return set(answerId, callId, { state: "review", result: "" });
      void run(answerId, callId, ready, decision === "review");
      if (decision === "conversation" || decision === "always")
        void permits.give(ready, decision).then(() => runApproved(answerId));
    },
    give(answerId, callId, result) {
      if (callOf(answerOf(answerId), callId)?.state !== "review") return;
      set(answerId, callId, { state: "done", result: boundedToolText(result) });
      goOnWhenOver(answerId);
    },
    stop() {
      for (const abort of running.values()) abort.abort();
      running.clear();
      for (const node of chat.tree.nodes) {
        const waits = node.role === "assistant" && (node.calls ?? []).some((call) => !isOver(call));
        if (waits) put(node.id, (node.calls ?? []).map(refused));
      }
    },
  };
}

/** Approvals for more than one call, in a conversation or a workspace. */
function createPermits({ chat, approvals, connectionId }: ToolRoundsDeps) {
  const here = new Set<string>();
  const keyOf = async ({ tool, input }: Ready): Promise<string | undefined> => {
    const { name, price, scope } = tool;
    // Without a fingerprint a change would not be noticed, so the tool can't be approved.
    const fingerprint = await tool.fingerprint().catch(() => undefined);
    return fingerprint && JSON.stringify([connectionId(), name, fingerprint, price, scope?.(input)]);
  };
  const hereKey = (key: string, conversationId: string | null) => `${conversationId} ${key}`;
  return {
    async isGiven(ready: Ready): Promise<boolean> {
      if (!approvals.mayRunUnasked(ready.tool)) return false;
      const { conversationId } = chat.state;
      const key = await keyOf(ready);
      return key !== undefined && (here.has(hereKey(key, conversationId)) || approvals.isGiven(key));
    },
    async give(ready: Ready, decision: "conversation" | "always"): Promise<void> {
      const { conversationId } = chat.state;
      const key = await keyOf(ready);
      if (key === undefined) return;
      if (decision === "always") approvals.give(key);
      else here.add(hereKey(key, conversationId));
    },
  };
}

/** Billed calls run one after the other, so each is counted before the next one is admitted. */
function createTurnTaking() {
  let last: Promise<unknown> = Promise.resolve();
  return <Value>({ price }: ChatTool, work: () => Promise<Value>): Promise<Value> => {
    if (price === undefined) return work();
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}

/** The card of a call that asks, or that failed because the call is invalid. */
function toCard(
  { id, name, arguments: text, isCustom, echo }: ModelToolCall,
  tools: readonly ChatTool[],
  offered: readonly string[],
): ToolCallCard {
  const asked = { id, name, arguments: text, ...(isCustom ? { isCustom } : {}), ...(echo ? { echo } : {}) };
  const tool = tools.find((one) => one.name === name);
  const failed = (title: string, says: string, result = says): ToolCallCard => ({
    ...asked,
    title: visibleLine(title),
    says: visibleLine(says),
    state: "failed",
    result,
  });
  if (isCustom)
    return failed(
      name,
      "A custom tool, which is not supported",
      `${name} was called as a custom tool, but this client supports only function tools.`,
    );
  if (!tool) return failed(name, `There is no tool ${name}.`);
  const { title, price, says, scope } = tool;
  if (!offered.includes(name))
    return failed(title, `The tool ${name} is not selected in this chat, so it was not run.`);
  const input = readToolInput(tool, text);
  if (typeof input === "string") return failed(title, title, input);
  return {
    ...asked,
    title: visibleLine(title),
    says: visibleLine(says(input)),
    ...(price === undefined ? {} : { price: visibleLine(price) }),
    ...(scope ? { scope: visibleLine(scope(input)) } : {}),
    state: "asks",
  };
}

function isSame(shown: ToolCallCard, card: ToolCallCard): boolean {
  return (["title", "says", "price", "scope", "state"] as const).every((name) => card[name] === shown[name]);
}

function replaced(answer: AnswerMessage | undefined, old: ToolCallCard, card: ToolCallCard): ToolCallCard[] {
  return (answer?.calls ?? []).map((one) => (one === old ? card : one));
}

function refused(call: ToolCallCard): ToolCallCard {
  return isOver(call) ? call : { ...call, state: "refused" };
}

/** An approval is for one call: of two calls with the same id, the second gets a new one. */
function distinguished(asked: readonly ModelToolCall[]): ModelToolCall[] {
  const seen = new Set<string>();
  return asked.map((call) => {
    const id = seen.has(call.id) ? randomUUID() : call.id;
    seen.add(id);
    return { ...call, id };
  });
}

function callOf(answer: AnswerMessage | undefined, callId: string): ToolCallCard | undefined {
  return answer?.calls?.find(({ id }) => id === callId);
}

function isOver({ state }: ToolCallCard): boolean {
  return state === "done" || state === "failed" || state === "refused";
}

/** The number of consecutive answers with calls up to this one. */
function roundsBefore({ tree }: LiveChat, answerId: string): number {
  const path = tree.pathTo(answerId);
  return path.length - 1 - path.findLastIndex((message) => message.role === "user" || !message.calls?.length);
}
