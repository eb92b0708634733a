import { randomUUID } from "node:crypto";
import type { AnswerMessage, ToolCallCard } from "../../../shared/chatMessages.ts";
import { visibleLine } from "../../../shared/visibleText.ts";
import type { ModelToolCall } from "../answering.ts";
import type { LiveChat } from "../liveChat.ts";
import type { ChatTool, ToolInput } from "./tool.ts";
import { boundedToolText, callTool, readToolInput } from "./toolBox.ts";

/** The user's decision about a call. `review` runs it and shows the result before the model gets it. */
type ToolDecision = "once" | "review" | "conversation" | "always" | "skip";

/** What need not ask any more in this workspace. */
export interface Approvals {
  /** Whether the settings let an approved tool run without a word at all. */
  mayRunUnasked(tool: ChatTool): boolean;
  isGiven(key: string): boolean;
  give(key: string): void;
}

export interface ToolRoundsDeps {
  readonly chat: LiveChat;
  readonly tools: () => readonly ChatTool[];
  readonly approvals: Approvals;
  /** Who is asked and paid: what was approved for one connection asks again with another. */
  readonly connectionId: () => string | undefined;
  /** Has the model go on from an answer whose calls are all over. */
  readonly next: (answerId: string) => void;
}

/** The calls that models ask for: each is shown, approved, run and bounded, then the model goes on. */
export interface ToolRounds {
  /** `offered` are the tools that the request of this answer named: no other one runs. */
  begin(answerId: string, calls: readonly ModelToolCall[], offered: readonly string[]): void;
  decide(answerId: string, callId: string, decision: ToolDecision): void;
  /** The result as a person wrote or changed it. */
  give(answerId: string, callId: string, result: string): void;
  /** Refuses what still asks, and ends what runs. */
  stop(): void;
}

/** Answers that ask for calls, one after the other, before a person has to say that it may go on. */
const maxRounds = 25;
/** Calls of one answer that may run without a word; of an answer with more, each asks. */
const mostUnasked = 8;

/** A tool and a call of it that can be made. */
interface Ready {
  readonly tool: ChatTool;
  readonly input: ToolInput;
}

export function createToolRounds(deps: ToolRoundsDeps): ToolRounds {
  const { chat, tools, next } = deps;
  const running = new Map<string, AbortController>();
  const permits = createPermits(deps);
  const inTurn = createTurnTaking();
  /** What each request named; of requests before the last reload only the chat's own choice is known. */
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
        notice: `The model asked for tools ${maxRounds} times in a row. Press Continue to let it go on.`,
      });
  };
  const run = async (answerId: string, callId: string, { tool, input }: Ready, isReviewed: boolean) => {
    const abort = new AbortController();
    // Services count calls anew in each answer.
    const key = `${answerId} ${callId}`;
    running.set(key, abort);
    set(answerId, callId, { state: "runs" });
    const { isError, text } = await inTurn(tool, () => callTool(tool, input, abort.signal));
    // Stopped meanwhile: that has said all.
    if (running.get(key) !== abort) return;
    running.delete(key);
    const over = isError ? "failed" : "done";
    set(answerId, callId, { state: isReviewed ? "review" : over, result: text });
    goOnWhenOver(answerId);
  };
  /** Runs what was approved before; what many calls of one answer would do is for a person to look at. */
  const runApproved = async (answerId: string) => {
    const calls = answerOf(answerId)?.calls ?? [];
    if (calls.length > mostUnasked) return;
    for (const { id } of calls) {
      const shown = callOf(answerOf(answerId), id);
      const ready = shown && readyOf(shown);
      if (!ready?.tool.run || !(await permits.isGiven(ready))) continue;
      const now = callOf(answerOf(answerId), id);
      // A person may have said something meanwhile, and a file can hold any card.
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
      // The card as it has to be now is another one than a person read: a file can hold any card.
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

/** What was allowed for more than one call, in a conversation or in a workspace. */
function createPermits({ chat, approvals, connectionId }: ToolRoundsDeps) {
  const here = new Set<string>();
  const keyOf = async ({ tool, input }: Ready): Promise<string | undefined> => {
    const { name, price, scope } = tool;
    // What can't be told apart from what it was can't be approved either.
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

/** Calls that cost money are made one by one: each is counted before the next one is admitted. */
function createTurnTaking() {
  let last: Promise<unknown> = Promise.resolve();
  return <Value>({ price }: ChatTool, work: () => Promise<Value>): Promise<Value> => {
    if (price === undefined) return work();
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}

/** A call as a person is asked about it, or as it fails where it can't be made. */
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
      "A custom tool, which can't be run here",
      `${name} was called as a custom tool, and this client has function tools alone.`,
    );
  if (!tool) return failed(name, `There is no tool ${name}.`);
  const { title, price, says, scope } = tool;
  if (!offered.includes(name))
    return failed(title, `This chat was not given the tool ${name}: nothing was done.`);
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

/** A word on a call is a word on that one alone: of two with one id the second gets another. */
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

/** Answers with calls in a row that end with this one. */
function roundsBefore({ tree }: LiveChat, answerId: string): number {
  const path = tree.pathTo(answerId);
  return path.length - 1 - path.findLastIndex((message) => message.role === "user" || !message.calls?.length);
}
