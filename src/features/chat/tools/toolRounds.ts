import type { ToolInput } from "../../../session/tools/serviceTool.ts";
import type { ToolCallCard } from "../../../shared/chatMessages.ts";
import type { LiveChat } from "../liveChat.ts";
import type { ChatTool, ModelToolCall } from "./tool.ts";
import { boundedToolText, callTool, readToolInput } from "./toolBox.ts";
import { distinguished, isOver, isSame, refused, replaced, toCard } from "./toolCards.ts";

/** The user's decision about a call. `review` runs it and shows the result before the model gets it. */
type ToolDecision = Approval | "skip";
type Approval = "once" | "review" | "conversation" | "always";

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
  /** All calls of an answer are done, so the model can continue. */
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
  return new ToolCalls(deps);
}

class ToolCalls implements ToolRounds {
  readonly #deps: ToolRoundsDeps;
  readonly #running = new Map<string, AbortController>();
  readonly #permits: Permits;
  readonly #inTurn = createTurnTaking();
  /** The tools that each request named. For requests before a reload, only the chat's selection is known. */
  readonly #offers = new Map<string, readonly string[]>();

  constructor(deps: ToolRoundsDeps) {
    this.#deps = deps;
    this.#permits = createPermits(deps);
  }

  begin(answerId: string, asked: readonly ModelToolCall[], offered: readonly string[]): void {
    this.#offers.set(answerId, offered);
    this.#put(
      answerId,
      distinguished(asked).map((call) => this.#cardOf(answerId, call)),
    );
    void this.#runApproved(answerId);
    this.#nextWhenDone(answerId);
  }

  decide(answerId: string, callId: string, decision: ToolDecision): void {
    const call = this.#find(answerId, callId);
    if (call?.state !== "asks") return;
    const card = this.#cardOf(answerId, call);
    const ready = this.#readyOf(call);
    if (decision === "skip") this.#change(answerId, callId, { state: "refused" });
    // The card differs from the one that the user saw: a file can contain any card.
    else if (!isSame(call, card)) this.#put(answerId, replaced(this.#callsOf(answerId), call, card));
    else if (ready) this.#runApprovedOne(answerId, callId, ready, decision);
    // A running call and one to be reviewed are not done, so this has no effect for them.
    this.#nextWhenDone(answerId);
  }

  give(answerId: string, callId: string, result: string): void {
    if (this.#find(answerId, callId)?.state !== "review") return;
    this.#change(answerId, callId, { state: "done", result: boundedToolText(result) });
    this.#nextWhenDone(answerId);
  }

  stop(): void {
    for (const abort of this.#running.values()) abort.abort();
    this.#running.clear();
    for (const node of this.#deps.chat.tree.nodes) {
      const waits = node.role === "assistant" && (node.calls ?? []).some((call) => !isOver(call));
      if (waits) this.#put(node.id, (node.calls ?? []).map(refused));
    }
  }

  #runApprovedOne(answerId: string, callId: string, ready: Ready, decision: Approval): void {
    if (!ready.tool.run) {
      this.#change(answerId, callId, { state: "review", result: "" });
      return;
    }
    void this.#run(answerId, callId, ready, decision === "review");
    if (decision === "conversation" || decision === "always")
      void this.#permits.give(ready, decision).then(() => this.#runApproved(answerId));
  }

  async #run(answerId: string, callId: string, { tool, input }: Ready, isReviewed: boolean): Promise<void> {
    const abort = new AbortController();
    // Services number the calls of each answer from the start.
    const key = `${answerId} ${callId}`;
    this.#running.set(key, abort);
    this.#change(answerId, callId, { state: "runs" });
    const { isError, text } = await this.#inTurn(tool, () => callTool(tool, input, abort.signal));
    // The call was stopped meanwhile, which has already set its state.
    if (this.#running.get(key) !== abort) return;
    this.#running.delete(key);
    const over = isError ? "failed" : "done";
    this.#change(answerId, callId, { state: isReviewed ? "review" : over, result: text });
    this.#nextWhenDone(answerId);
  }

  /** Runs approved calls. If an answer has many calls, the user decides about each. */
  async #runApproved(answerId: string): Promise<void> {
    const calls = this.#callsOf(answerId);
    if (calls.length > mostUnasked) return;
    for (const { id } of calls) {
      const shown = this.#find(answerId, id);
      const ready = shown && this.#readyOf(shown);
      if (!ready?.tool.run || !(await this.#permits.isGiven(ready))) continue;
      const now = this.#find(answerId, id);
      // The user may have decided meanwhile, and a file can contain any card.
      if (now?.state === "asks" && isSame(now, this.#cardOf(answerId, now)))
        void this.#run(answerId, id, ready, false);
    }
  }

  #nextWhenDone(answerId: string): void {
    const calls = this.#callsOf(answerId);
    if (calls.length === 0 || !calls.every(isOver)) return;
    const { chat, next } = this.#deps;
    if (roundsBefore(chat, answerId) < maxRounds) next(answerId);
    else
      chat.set({
        notice: `The model called tools ${maxRounds} times in a row. Press Continue to proceed.`,
      });
  }

  #cardOf(answerId: string, call: ModelToolCall): ToolCallCard {
    const { chat, tools } = this.#deps;
    return toCard(call, tools(), this.#offers.get(answerId) ?? chat.state.settings.tools ?? []);
  }

  #readyOf({ name, arguments: text }: ToolCallCard): Ready | undefined {
    const tool = this.#deps.tools().find((one) => one.name === name);
    const input = tool && readToolInput(tool, text);
    return tool && input !== undefined && typeof input !== "string" ? { tool, input } : undefined;
  }

  #callsOf(answerId: string): readonly ToolCallCard[] {
    const message = this.#deps.chat.tree.get(answerId);
    return (message?.role === "assistant" && message.calls) || [];
  }

  #find(answerId: string, callId: string): ToolCallCard | undefined {
    return this.#callsOf(answerId).find(({ id }) => id === callId);
  }

  #put(answerId: string, calls: readonly ToolCallCard[]): void {
    this.#deps.chat.change({ op: "patch", id: answerId, patch: { calls } });
  }

  #change(answerId: string, callId: string, change: Partial<ToolCallCard>): void {
    const calls = this.#callsOf(answerId);
    if (calls.length === 0) return;
    this.#put(
      answerId,
      calls.map((call) => (call.id === callId ? { ...call, ...change } : call)),
    );
  }
}

type Permits = ReturnType<typeof createPermits>;

/** Approvals for more than one call, in a conversation or a workspace. */
function createPermits({ chat, approvals, connectionId }: ToolRoundsDeps) {
  const here = new Set<string>();
  /** One key for each scope of a call; none if the call can't be approved for longer. */
  const keysOf = async ({ tool, input }: Ready): Promise<readonly string[]> => {
    const { name, price, scopes } = tool;
    // Without a fingerprint a change would not be noticed, so the tool can't be approved.
    const fingerprint = await tool.fingerprint().catch(() => undefined);
    if (!fingerprint) return [];
    const each = scopes ? scopes(input) : [undefined];
    return each.map((scope) => JSON.stringify([connectionId(), name, fingerprint, price, scope]));
  };
  const hereKey = (key: string, conversationId: string | null) => `${conversationId} ${key}`;
  return {
    async isGiven(ready: Ready): Promise<boolean> {
      if (!approvals.mayRunUnasked(ready.tool)) return false;
      const { conversationId } = chat.state;
      const keys = await keysOf(ready);
      const isKnown = (key: string) => here.has(hereKey(key, conversationId)) || approvals.isGiven(key);
      return keys.length > 0 && keys.every(isKnown);
    },
    async give(ready: Ready, decision: "conversation" | "always"): Promise<void> {
      const { conversationId } = chat.state;
      for (const key of await keysOf(ready)) {
        if (decision === "always") approvals.give(key);
        else here.add(hereKey(key, conversationId));
      }
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

/** The number of consecutive answers with calls up to this one. */
function roundsBefore({ tree }: LiveChat, answerId: string): number {
  const path = tree.pathTo(answerId);
  return path.length - 1 - path.findLastIndex((message) => message.role === "user" || !message.calls?.length);
}
