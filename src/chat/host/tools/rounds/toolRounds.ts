import { optionalMember } from "../../../../shared/members.ts";
import { toolsOfMode } from "../../../protocol/agentModes.ts";
import {
  type AnswerMessage,
  type AnswerPatch,
  isCallOver,
  type ToolCallCard,
} from "../../../protocol/chatMessages.ts";
import { unansweredQuestion } from "../../../protocol/userQuestion.ts";
import { limitAfter, sourceOfAnswer, taskOf } from "../../agent/task.ts";
import { refuseUnread } from "../../agent/userPlan.ts";
import type { LiveChat } from "../../conversation/liveChat.ts";
import type { ChatHooks } from "../hooks/chatHooks.ts";
import { readCall, toolOfCall } from "../input/readCall.ts";
import { RunningCall, type StoppedCall } from "../own/runningCall.ts";
import {
  createPermits,
  type LastingApproval,
  type Permits,
  type PermitsDeps,
  type Ready,
} from "../permits.ts";
import { type CallResult, KeptResults, type KeptResultsDeps } from "../results/keptResults.ts";
import { boundedToolText } from "../results/resultText.ts";
import type { CallContext, ChatTool, ModelToolCall } from "../tool.ts";
import { createTurnTaking, effectOf, mayBegin, type OrderedCall } from "./callOrder.ts";
import { type EndReason, inTime, notRunText, withheldText } from "./earlyEnd.ts";
import { distinguished, halted, isOpen, isSame, replaced, skipped, toCard } from "./toolCards.ts";

/** The user's decision about a call. `review` runs it and shows the result before the model gets it. */
type ToolDecision = Approval | "skip";
type Approval = "once" | "review" | LastingApproval;

export interface ToolRoundsDeps extends PermitsDeps {
  readonly chat: LiveChat;
  /** Whose approvals count, if not those of this chat. */
  readonly approvedIn?: PermitsDeps["chat"];
  readonly results: {
    /** Where results are stored that are too long for the log. */
    readonly blobs: KeptResultsDeps["blobs"];
    /** How many tokens of one result the model is sent, in a round with `count` calls. */
    maxTokens(model: string, count: number): number;
  };
  readonly tools: () => readonly ChatTool[];
  readonly hooks?: Pick<ChatHooks, "around" | "haltOf"> | undefined;
  /** Who makes the calls of an answer, if not the task of this chat itself. */
  readonly sourceOf?: typeof sourceOfAnswer;
  /** A call of a task waits for the user's decision, or a limit has stopped the task. */
  readonly onWaiting?: (summary: string) => void;
  /** All calls of an answer are done, so the model can continue, if no limit is reached until its request is sent. */
  readonly next: (answerId: string, mayGoOn: () => boolean) => void;
  /** They are done, and a limit keeps the model from continuing. */
  readonly onLimit?: () => void;
}

/** Tool calls of models: each is shown, approved, run in its turn and its result cut; then the model continues. */
export interface ToolRounds {
  /** `offered` are the tools that the request of this answer named; no other tool runs. */
  begin(answerId: string, calls: readonly ModelToolCall[], offered: readonly string[]): void;
  /** `reason` is that of a skip, for the model. */
  decide(answerId: string, callId: string, decision: ToolDecision, reason?: string): void;
  /** Whether a waiting call may use the network. It asks on, whatever was allowed before. */
  chooseNetwork(answerId: string, callId: string, network: boolean): void;
  /** Sets the result that the user wrote or changed. */
  give(answerId: string, callId: string, result: string): void;
  /** The user lets a task go on: its limit of rounds counts from this answer. */
  goOn(answerId: string): void;
  /** Refuses pending calls and aborts running ones. Resolves once no file is being changed. */
  stop(): Promise<void>;
  /**
   * Resolves once stopped commands and edits have ended, so that all is known of them: at once if none is ending, and after
   * some seconds in any case.
   */
  settled(): Promise<void>;
  /** Aborts running calls; the user can still decide about the others. Resolves once no file is being changed. */
  leave(): Promise<void>;
  /** Aborts running calls, and starts no more. The promise resolves once no file is being changed; undefined if none is. */
  dispose(): Promise<void> | undefined;
}

/** Calls per answer that may run without asking; if there are more, each one asks. */
const mostUnasked = { ask: 8, plan: 32, agent: 32 };

export function createToolRounds(deps: ToolRoundsDeps): ToolRounds {
  return new ToolCalls(deps);
}

class ToolCalls implements ToolRounds {
  readonly #deps: ToolRoundsDeps;
  readonly #running = new Map<string, RunningCall>();
  /** The user's decisions about calls that wait for their turn. */
  readonly #decided = new Map<string, Approval>();
  /** The calls whose cards say what their tools have looked up. */
  readonly #prepared = new Set<string>();
  /** The waiting calls about which the user has chosen something, but not decided. */
  readonly #touched = new Set<string>();
  /** Running calls that have changed all that they will. */
  readonly #written = new Set<string>();
  /** The waiting calls that the user was told about. */
  readonly #announced = new Set<string>();
  /** Calls that change files: what they have changed must get into their conversation. */
  readonly #edits = new Set<Promise<unknown>>();
  /** Stopped commands and edits that have not ended yet. */
  readonly #ending = new Set<Promise<void>>();
  #isClosed = false;
  readonly #permits: Permits;
  /** Why hooks want the user to decide about calls. */
  readonly #hookQuestions = new Map<string, string>();
  readonly #results: KeptResults;
  readonly #inTurn = createTurnTaking();
  /** The tools that each request named. For requests before a reload, only the chat's selection is known. */
  readonly #offers = new Map<string, readonly string[]>();

  constructor(deps: ToolRoundsDeps) {
    this.#deps = deps;
    this.#permits = createPermits({ ...deps, chat: deps.approvedIn ?? deps.chat });
    this.#results = new KeptResults({ chat: deps.chat, blobs: deps.results.blobs });
  }

  begin(answerId: string, asked: readonly ModelToolCall[], offered: readonly string[]): void {
    this.#offers.set(answerId, offered);
    this.#put(
      answerId,
      distinguished(asked).map((call) => this.#cardOf(answerId, call)),
    );
    void this.#advance(answerId);
    this.#nextWhenDone(answerId);
  }

  decide(answerId: string, callId: string, decision: ToolDecision, reason = ""): void {
    const call = this.#find(answerId, callId);
    if (call?.state !== "asks") return;
    const ready = this.#readyOf(call);
    // While its tool still looks up what it says, or after a reload of the window.
    if (decision !== "skip" && ready?.tool.prepare && !this.#prepared.has(keyOf(answerId, callId))) {
      void this.#prepare(answerId, callId).then(() => {
        const now = this.#find(answerId, callId);
        // Otherwise the user has not seen what it says now.
        if (now && isSame(now, call)) this.decide(answerId, callId, decision);
      });
      return;
    }
    const card = this.#cardOf(answerId, call);
    if (decision === "skip") this.#change(answerId, callId, skipped(reason));
    // The card differs from the one that the user saw: a file can contain any card.
    else if (!isSame(call, card)) this.#put(answerId, replaced(this.#callsOf(answerId), call, card));
    else if (ready) this.#approve(answerId, callId, ready, decision);
    void this.#advance(answerId);
    // A running call and one to be reviewed are not done, so this has no effect for them.
    this.#nextWhenDone(answerId);
  }

  chooseNetwork(answerId: string, callId: string, network: boolean): void {
    const call = this.#find(answerId, callId);
    if (call?.state !== "asks" || call.network === undefined) return;
    this.#touched.add(keyOf(answerId, callId));
    const card = this.#cardOf(answerId, { ...call, network });
    this.#put(answerId, replaced(this.#callsOf(answerId), call, card));
  }

  give(answerId: string, callId: string, result: string): void {
    if (this.#find(answerId, callId)?.state !== "review") return;
    // The user may have taken something out of the whole.
    this.#setResult(answerId, callId, "done", { result: boundedToolText(result) });
    void this.#advance(answerId);
    this.#nextWhenDone(answerId);
  }

  goOn(answerId: string): void {
    const { tree, state } = this.#deps.chat;
    if (taskOf(tree.pathTo(answerId), state.settings)) this.#patch(answerId, { isContinued: true });
  }

  stop(): Promise<void> {
    return this.#end("stopped");
  }

  async settled(): Promise<void> {
    if (this.#ending.size > 0) await inTime(Promise.all(this.#ending));
  }

  leave(): Promise<void> {
    return this.#end("left");
  }

  dispose(): Promise<void> | undefined {
    this.#isClosed = true;
    const ended = this.#end("closed");
    return this.#edits.size > 0 ? ended : undefined;
  }

  /** Aborts running calls, and refuses those that have not begun if the user has stopped the chat. */
  async #end(reason: Exclude<EndReason, "late">): Promise<void> {
    const stopped = new Map([...this.#running].map(([key, call]) => [key, call.stop(reason)]));
    for (const { hasEffects, whenOver } of this.#running.values()) {
      if (!hasEffects) continue;
      const ending = whenOver.finally(() => this.#ending.delete(ending));
      this.#ending.add(ending);
    }
    this.#running.clear();
    this.#decided.clear();
    for (const { id, ...node } of this.#deps.chat.tree.nodes) {
      const calls = (node.role === "assistant" && node.calls) || [];
      const ended = calls.map((call) => this.#ended(call, reason, stopped.get(keyOf(id, call.id))));
      if (ended.some((call, index) => call !== calls[index])) this.#put(id, ended);
    }
    // A save can hang, as a formatter does: then the file keeps its pending hunks, but no rewind knows of them.
    await inTime(Promise.allSettled(this.#edits));
  }

  #ended(
    call: ToolCallCard,
    reason: Exclude<EndReason, "late">,
    stopped: StoppedCall | undefined,
  ): ToolCallCard {
    if (call.state === "runs") return stopped ? { ...call, ...stopped } : call;
    if (reason !== "stopped") return call.state === "waits" ? { ...call, state: "asks" } : call;
    if (call.state === "review" && this.#readyOf(call)?.tool.run) {
      const { whole: _, pictures: __, ...withheld } = call;
      return { ...withheld, state: "stopped", result: withheldText };
    }
    const result = call.asked ? unansweredQuestion : notRunText(reason);
    return isCallOver(call) ? call : { ...call, state: "refused", result };
  }

  /** The user has approved a call: it begins in its turn. */
  #approve(answerId: string, callId: string, ready: Ready, decision: Approval): void {
    this.#decided.set(keyOf(answerId, callId), decision);
    this.#change(answerId, callId, { state: "waits" });
    if (decision !== "once" && decision !== "review")
      void this.#permits.give(ready, decision).then(() => this.#advance(answerId));
  }

  /** Changes and plans of a call are stored with its answer, so that branches and rewinds have their own. */
  #contextOf(answerId: string, callId: string): Omit<CallContext, "began"> {
    const { chat, results } = this.#deps;
    const patch = (change: AnswerPatch) => this.#patch(answerId, change);
    const source = (this.#deps.sourceOf ?? sourceOfAnswer)(chat, answerId);
    return {
      source,
      ...(source.task ? { conversation: chat.state.conversationId } : {}),
      results: {
        find: (handle) => this.#results.find(handle),
        maxTokens: results.maxTokens(this.#answerOf(answerId)?.model ?? "", this.#callsOf(answerId).length),
        addPicture: async (bytes, { mediaType, tokens }) => {
          const blob = await results.blobs.put(bytes, mediaType.replace(/^.*\//, ""));
          const { pictures = [] } = this.#find(answerId, callId) ?? {};
          const picture = { blob, mediaType, bytes: bytes.byteLength, tokens };
          this.#change(answerId, callId, { pictures: [...pictures, picture] });
        },
      },
      changed: (changes) => patch({ changes: [...(this.#answerOf(answerId)?.changes ?? []), ...changes] }),
      written: () => {
        this.#written.add(keyOf(answerId, callId));
        void this.#advance(answerId);
      },
      subagent: (subagent) => this.#change(answerId, callId, { subagent }),
      planned: (plan) => {
        refuseUnread(chat.tree.pathTo(answerId));
        patch({ plan });
      },
    };
  }

  async #run(answerId: string, callId: string, ready: Ready, decision: Approval | undefined): Promise<void> {
    const { tool, input, notes = [] } = ready;
    const writes = tool.kind === "edit" || (tool.kind === "plan" && tool.alsoEdits?.(input));
    const watched = { ...tool, ...(writes && tool.run ? { run: this.#watched(tool.run) } : {}) };
    const call = new RunningCall({ tool: watched, input });
    const key = keyOf(answerId, callId);
    this.#running.set(key, call);
    this.#change(answerId, callId, { state: "runs" });
    const onLate = (late: StoppedCall) => {
      const state = this.#find(answerId, callId)?.state;
      if (!this.#isClosed && (state === "stopped" || state === "refused"))
        this.#change(answerId, callId, late);
    };
    const context = this.#contextOf(answerId, callId);
    const { changed } = context;
    const isDecided = decision !== undefined;
    const around = this.#deps.hooks?.around({ answerId, callId, ready, isDecided, changed });
    const startedMs = performance.now();
    const end = await this.#inTurn(tool, () => call.run(context, onLate, around));
    this.#written.delete(key);
    const ms = Math.round(performance.now() - startedMs);
    const { isError } = end;
    const text = [end.text, ...notes.map((note) => `(${note})`)].join("\n");
    const result = await this.#results.keep(text);
    // The call was stopped meanwhile, which has already set its state.
    if (this.#running.get(key) !== call) return;
    this.#running.delete(key);
    if (end.asks !== undefined) {
      this.#hookQuestions.set(key, end.asks);
      this.#change(answerId, callId, { state: "asks", question: end.asks });
      return this.#advance(answerId);
    }
    const over = isError ? "failed" : "done";
    this.#setResult(answerId, callId, decision === "review" ? "review" : over, { ...result, ms });
    if (this.#deps.hooks?.haltOf(answerId)) this.#put(answerId, halted(this.#callsOf(answerId)));
    void this.#advance(answerId);
    this.#nextWhenDone(answerId);
  }

  /** Notes a call that changes files until it has ended, which may be some time after it was aborted. */
  #watched(run: NonNullable<ChatTool["run"]>): NonNullable<ChatTool["run"]> {
    return (...given) => {
      const running = run(...given).finally(() => this.#edits.delete(running));
      this.#edits.add(running);
      return running;
    };
  }

  /** Begins the calls whose turn it is, and notes which others need no decision. If an answer has many calls, each one does. */
  async #advance(answerId: string): Promise<void> {
    this.#beginDecided(answerId);
    const calls = this.#callsOf(answerId);
    const { mode } = this.#deps.chat.state.settings;
    const most = mostUnasked[mode ?? "ask"];
    if (calls.length > most)
      this.#note(
        answerId,
        `It asked for more than ${most} calls at once, so each one waits for your decision.`,
      );
    for (const { id } of calls) await this.#prepare(answerId, id);
    for (const { id } of calls.length > most ? [] : calls) await this.#look(answerId, id);
    const waiting = this.#callsOf(answerId).find(
      ({ state, asked }) => state === "asks" || (state === "review" && asked !== undefined),
    );
    const key = keyOf(answerId, waiting?.id ?? "");
    if (!waiting || mode === undefined || this.#announced.has(key)) return;
    this.#announced.add(key);
    this.#deps.onWaiting?.(waiting.says);
  }

  /** Lets the tool of a call look up what its card says. A card that was decided about stays. */
  async #prepare(answerId: string, callId: string): Promise<void> {
    const call = this.#find(answerId, callId);
    const key = keyOf(answerId, callId);
    if (call?.state !== "asks" || this.#prepared.has(key)) return;
    const ready = this.#readyOf(call);
    if (!ready?.tool.prepare) return;
    await ready.tool.prepare(ready.input);
    this.#prepared.add(key);
    const now = this.#find(answerId, callId);
    if (now?.state !== "asks" || this.#isClosed) return;
    const card = this.#cardOf(answerId, now);
    if (!isSame(now, card)) this.#put(answerId, replaced(this.#callsOf(answerId), now, card));
  }

  #beginDecided(answerId: string): void {
    for (const { id, state } of this.#callsOf(answerId)) {
      const decision = this.#decided.get(keyOf(answerId, id));
      if (state === "waits" && decision !== undefined) this.#begin(answerId, id, decision);
    }
  }

  /** Looks whether a call may run without a decision: now, and again in its turn, because those before it may change that. */
  async #look(answerId: string, callId: string): Promise<void> {
    const shown = this.#find(answerId, callId);
    const isDecided = () => [this.#decided, this.#touched].some((some) => some.has(keyOf(answerId, callId)));
    if (!shown || !isOpen(shown) || isDecided()) return;
    const ready = this.#readyOf(shown);
    const canBegin = ready?.tool.run ?? ready?.tool.asksUser;
    if (!ready || !canBegin || this.#hookQuestions.has(keyOf(answerId, callId))) return;
    const permission = await this.#permits.permissionFor(ready);
    const now = this.#find(answerId, callId);
    // The user may have decided meanwhile, and a file can contain any card.
    if (!now || now.state !== shown.state || this.#isClosed || isDecided()) return;
    const asking = { ...now, state: "asks" } as const;
    const isGiven = permission === "given" && isSame(asking, this.#cardOf(answerId, now));
    const state = isGiven ? "waits" : "asks";
    const isOver = permission === "over" && now.isApprovalOver === undefined;
    if (state !== now.state || isOver)
      this.#change(answerId, callId, { state, ...(isOver ? { isApprovalOver: true } : {}) });
    if (state === "waits") this.#begin(answerId, callId, undefined);
  }

  /** Begins a call that may run, if it is its turn. */
  #begin(answerId: string, callId: string, decision: Approval | undefined): void {
    const calls = this.#callsOf(answerId);
    const index = calls.findIndex(({ id }) => id === callId);
    const tools = this.#deps.tools();
    const ordered = calls.map((call) => this.#orderedOf(answerId, call, tools));
    if (this.#isClosed || !mayBegin(ordered, index)) return;
    const ready = calls[index] && this.#readyOf(calls[index]);
    if (!ready) return;
    this.#decided.delete(keyOf(answerId, callId));
    if (ready.tool.run) void this.#run(answerId, callId, ready, decision);
    else this.#change(answerId, callId, { state: "review", result: "" });
  }

  #orderedOf(answerId: string, call: ToolCallCard, tools: readonly ChatTool[]): OrderedCall {
    const tool = toolOfCall(tools, call);
    const effect = tool ? effectOf(tool) : "acts";
    if (isOpen(call)) return { effect, phase: "open" };
    // A call that the user carries out has ended once its result is sent.
    const isAtWork = call.state === "runs" && !this.#written.has(keyOf(answerId, call.id));
    const isRunning = isAtWork || (call.state === "review" && tool?.run === undefined);
    return { effect, phase: isRunning ? "running" : "over" };
  }

  #nextWhenDone(answerId: string): void {
    const calls = this.#callsOf(answerId);
    if (this.#isClosed || calls.length === 0 || !calls.every(isCallOver)) return;
    if (this.#mayGoOn(answerId)) this.#deps.next(answerId, () => this.#mayGoOn(answerId));
  }

  /** False if a limit is reached, which the user is told. */
  #mayGoOn(answerId: string): boolean {
    const { chat, hooks, onLimit, onWaiting } = this.#deps;
    const limit = hooks?.haltOf(answerId) ?? limitAfter(chat, answerId);
    if (limit === undefined) return true;
    const text = `${limit.reason} ${limit.nextStep}`;
    chat.set({ notice: { text, stays: true } });
    // A notice is gone after a reload.
    this.#note(answerId, `${limit.reason} It stopped here.`);
    if (chat.state.settings.mode !== undefined) onWaiting?.(text);
    onLimit?.();
    return false;
  }

  #note(answerId: string, note: string): void {
    const { notes = [] } = this.#answerOf(answerId) ?? {};
    if (!notes.includes(note)) this.#patch(answerId, { notes: [...notes, note] });
  }

  #patch(answerId: string, patch: AnswerPatch): void {
    this.#deps.chat.change({ op: "patch", id: answerId, patch });
  }

  #cardOf(answerId: string, call: ModelToolCall): ToolCallCard {
    const { chat, tools } = this.#deps;
    const { mode = "ask", tools: chosen = [] } = chat.state.settings;
    const named = this.#offers.get(answerId);
    // The user may have changed the mode since the request.
    const offered = toolsOfMode(tools(), mode, named ?? chosen).map(({ name }) => name);
    const names = named ? offered.filter((name) => named.includes(name)) : offered;
    const question = this.#hookQuestions.get(keyOf(answerId, call.id));
    return { ...toCard(call, tools(), names), ...optionalMember("question", question) };
  }

  #readyOf(call: ToolCallCard): Ready | undefined {
    const read = readCall(this.#deps.tools(), call);
    return read && "input" in read ? read : undefined;
  }

  #callsOf(answerId: string): readonly ToolCallCard[] {
    return this.#answerOf(answerId)?.calls ?? [];
  }

  #answerOf(answerId: string): AnswerMessage | undefined {
    const message = this.#deps.chat.tree.get(answerId);
    return message?.role === "assistant" ? message : undefined;
  }

  #find(answerId: string, callId: string): ToolCallCard | undefined {
    return this.#callsOf(answerId).find(({ id }) => id === callId);
  }

  #put(answerId: string, calls: readonly ToolCallCard[]): void {
    this.#patch(answerId, { calls });
  }

  #setResult(
    answerId: string,
    callId: string,
    state: ToolCallCard["state"],
    result: CallResult & Pick<ToolCallCard, "ms">,
  ): void {
    const calls = this.#callsOf(answerId);
    const call = calls.find(({ id }) => id === callId);
    if (!call) return;
    const { whole: _, ...others } = call;
    this.#put(answerId, replaced(calls, call, { ...others, state, ...result }));
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

/** Services number the calls of each answer from the start. */
function keyOf(answerId: string, callId: string): string {
  return `${answerId} ${callId}`;
}
