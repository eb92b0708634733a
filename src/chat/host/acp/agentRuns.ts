import type { AgentPayer } from "../../../agents/agentGateway.ts";
import type { AgentPlace } from "../../../agents/agentPlaces.ts";
import type { StopReason } from "../../../agents/wire/agentMessages.ts";
import { explain, explainInterrupted } from "../../../platform/errors/errorMessage.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";
import type { BlobStore } from "../../../platform/files/blobStore.ts";
import { receiverOf } from "../../../session/connection/baseUrl.ts";
import type { Session } from "../../../session/session.ts";
import type { ModelCard } from "../../../shared/chat/chatModels.ts";
import type { AnswerMessage, AnswerPatch, UserMessage } from "../../protocol/chatMessages.ts";
import { sourceOfAgentCall } from "../agent/task.ts";
import { planToTell } from "../agent/userPlan.ts";
import { type AnswerRuns, errorContextOf, type RollBack } from "../answer/answerRuns.ts";
import type { LiveChat } from "../conversation/liveChat.ts";
import { answerIn } from "../conversation/messageTree.ts";
import { inTime } from "../tools/rounds/earlyEnd.ts";
import { AgentProcess } from "./agentProcess.ts";
import { type AgentPrompt, promptBlocks } from "./agentPrompt.ts";
import type { AgentWindow } from "./agentWindow.ts";
import { HostedTurn } from "./hostedTurn.ts";

export interface AgentRunsDeps {
  readonly chat: LiveChat;
  readonly session: Pick<Session, "active">;
  readonly window: AgentWindow;
  readonly blobs: Pick<BlobStore, "read">;
  readonly cardOf: (model: string) => ModelCard | undefined;
  /** A file that says what programs run was changed. */
  readonly onRunChanged: () => void;
  /** An answer has ended. */
  readonly onAnswered: () => void;
  /** A task has ended with this answer. */
  readonly onTaskEnded: (answerId: string) => void;
  /** A task has stopped with an error. */
  readonly onStopped: (reason: string) => void;
  /** A step waits for the user. */
  readonly onWaiting: (summary: string) => void;
  readonly report: (error: unknown) => void;
}

/** The agent of this conversation, and what it knows. */
interface Open {
  readonly process: AgentProcess;
  /** Names the conversation, receiver, model, program and folder. Another key needs a new process. */
  readonly key: string;
  readonly conversationId: string;
  /** The last answer that it has given. */
  lastId: string | undefined;
}

/** Answers of other agents: one process for the conversation, and one turn at a time. */
export class AgentRuns implements AnswerRuns {
  readonly #deps: AgentRunsDeps;
  #turn: HostedTurn | undefined;
  #abort = new AbortController();
  #open: Open | undefined;
  /** Turns that have been stopped, and processes that are ending. */
  #ending: Promise<unknown> = Promise.resolve();
  #isDisposed = false;
  /** A turn has not settled, or a process is ending. */
  #isBusy = false;

  constructor(deps: AgentRunsDeps) {
    this.#deps = deps;
  }

  get areRunning(): boolean {
    return this.#turn?.hasEnded === false;
  }

  start([answer]: readonly AnswerMessage[], rollBack: RollBack): void {
    if (!answer || this.#isDisposed) return;
    const turn = new HostedTurn(this.#deps, answer);
    const abort = new AbortController();
    this.#turn = turn;
    this.#abort = abort;
    const before = this.#ending;
    const running = before.then(() => this.#run(turn, answer, abort.signal, rollBack));
    this.#ending = running;
    this.#isBusy = true;
    void running.then(() => {
      this.#isBusy = this.#turn !== turn;
    });
  }

  stop(): void {
    this.#stop({ state: "stopped" });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#stop({ state: "cut-off", problem: explainInterrupted() });
    this.#endProcess();
  }

  /** Ends all. The promise resolves once it is known what was changed; undefined if nothing is being changed. */
  endNow(): Promise<void> | undefined {
    const isRunning = this.#isBusy;
    this.dispose();
    return isRunning ? inTime(this.#ending) : undefined;
  }

  /** Ends the agent of a conversation that is not shown any more; called after each change. */
  update(): void {
    if (this.#open && this.#open.conversationId !== this.#deps.chat.state.conversationId) this.#endProcess();
  }

  /** Decides about a step. A card for which no agent waits any more is closed. */
  decide(answerId: string, callId: string, decision: string, reason = ""): void {
    const answer = answerIn(this.#deps.chat.tree, answerId);
    if (!answer || this.#turn?.decide(answerId, callId, decision, reason)) return;
    const calls = (answer.calls ?? []).map((call) =>
      call.id === callId && call.state === "asks"
        ? { ...call, state: "refused" as const, result: obsolete }
        : call,
    );
    this.#deps.chat.change({ op: "patch", id: answerId, patch: { calls } });
  }

  /** Resolves once what was stopped has ended, so that all is known of its changes, or after some seconds. */
  async whenStopped(): Promise<void> {
    if (this.#isBusy) await inTime(this.#ending);
  }

  #stop(change: AnswerPatch): void {
    this.#turn?.end(change);
    this.#abort.abort();
  }

  #endProcess(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open) this.#ending = Promise.all([this.#ending, open.process.end()]);
  }

  /** Never rejects. */
  async #run(
    turn: HostedTurn,
    answer: AnswerMessage,
    signal: AbortSignal,
    rollBack: RollBack,
  ): Promise<void> {
    try {
      signal.throwIfAborted();
      const reason = await this.#answer(turn, answer, signal);
      await turn.settle();
      if (turn.hasEnded) return;
      const error = turn.callError ?? problemOf(turn, reason);
      if (error !== undefined) return this.#fail(turn, rollBack, error);
      turn.end({ state: "done", ...(reason === "max_tokens" ? { finishReason: "length" } : {}) });
      this.#deps.onAnswered();
      this.#deps.onTaskEnded(turn.answerId);
    } catch (error) {
      await turn.settle();
      // A turn that was stopped rejects, too.
      if (!turn.hasEnded) this.#fail(turn, rollBack, turn.callError ?? error);
    }
  }

  async #answer(turn: HostedTurn, answer: AnswerMessage, signal: AbortSignal): Promise<StopReason> {
    const { window, blobs } = this.#deps;
    const place = await window.places.find(turn.agent, signal);
    const { open, prompt } = await this.#opened(place, answer, signal);
    turn.note(await window.saveUnsaved(signal));
    const { process } = open;
    await turn.begin(window.known(process.id), signal);
    const blocks = await promptBlocks(prompt, blobs, process.session.takesPictures);
    signal.throwIfAborted();
    try {
      return await process.session.prompt(blocks, turn, signal);
    } finally {
      open.lastId = turn.answerId;
    }
  }

  /** The agent that has answered before, or a new one that is told what came before. */
  async #opened(
    place: AgentPlace,
    answer: AnswerMessage,
    signal: AbortSignal,
  ): Promise<{ readonly open: Open; readonly prompt: AgentPrompt }> {
    const { chat, session, window } = this.#deps;
    const { conversationId } = chat.state;
    const receiver = session.active && receiverOf(session.active);
    const key = JSON.stringify([conversationId, receiver, answer.model, place.program, place.folder]);
    const known = this.#open;
    if (known?.key === key && !known.process.session.hasEnded) {
      const prompt = this.#promptAfter(answer, known.lastId);
      if (prompt) return { open: known, prompt };
    }
    this.#open = undefined;
    await known?.process.end();
    const process = await AgentProcess.start(
      window,
      { place, model: answer.model, payerOf: () => this.#payer() },
      signal,
    );
    const open: Open = { process, key, conversationId, lastId: undefined };
    if (this.#isDisposed || chat.state.conversationId !== conversationId) {
      await process.end();
      throw new Refusal(`${place.agent.name} was ended with its conversation.`);
    }
    this.#open = open;
    return { open, prompt: this.#promptAnew(answer) };
  }

  /** A call belongs to the turn in which it began, also when it ends after a stop. */
  #payer(): AgentPayer | undefined {
    const turn = this.#turn;
    const source = turn?.hasEnded === false && sourceOfAgentCall(this.#deps.chat, turn.answerId);
    if (!turn || !source) return undefined;
    return {
      source,
      onBegun: (begun) => turn.onAnswerBegun(begun),
      onEnded: (ended) => turn.onAnswerEnded(ended),
    };
  }

  /** The questions since an answer; undefined if this one does not follow it. */
  #promptAfter(answer: AnswerMessage, lastId: string | undefined): AgentPrompt | undefined {
    const path = this.#deps.chat.tree.pathTo(answer.id);
    const at = path.findIndex(({ id }) => id === lastId);
    if (at < 0) return undefined;
    const asked: UserMessage[] = [];
    for (const message of path.slice(at + 1)) {
      if (message.role === "user") asked.push(message);
      else if (message.id !== answer.id) return undefined;
    }
    return { before: [], asked, told: this.#toldIn(answer) };
  }

  /** All messages: the last ones of the user are asked, and the others told. */
  #promptAnew(answer: AnswerMessage): AgentPrompt {
    const path = this.#deps.chat.tree.pathTo(answer.id);
    const isBegun = answer.text + answer.reasoning !== "" || (answer.calls ?? []).length > 0;
    const before = isBegun ? path : path.slice(0, -1);
    const at = before.findLastIndex(({ role }) => role === "assistant") + 1;
    const asked = before.slice(at).filter((message) => message.role === "user");
    return { before: before.slice(0, at), asked, told: this.#toldIn(answer) };
  }

  #toldIn(answer: AnswerMessage): readonly string[] {
    const { chat } = this.#deps;
    const path = chat.tree.pathTo(answer.id);
    const userPlan = planToTell(path, path.slice(0, -1));
    if (userPlan !== undefined) chat.change({ op: "patch", id: answer.id, patch: { userPlan } });
    return [userPlan, answer.editorNote].filter((text) => text !== undefined);
  }

  #fail(turn: HostedTurn, rollBack: RollBack, error: unknown): void {
    const { report, onStopped } = this.#deps;
    report(error);
    const problem = explain(error, errorContextOf(this.#deps.session));
    onStopped(problem.sentence);
    const isEmpty = turn.isEmpty;
    if (isEmpty && rollBack(problem, error)) turn.end({});
    else turn.end({ state: isEmpty ? "failed" : "cut-off", problem });
  }
}

const obsolete = "The agent does not wait for this any more, so nothing was done.";

/** Why a turn has no whole answer, although the agent has ended it. */
function problemOf(turn: HostedTurn, reason: StopReason): Refusal | undefined {
  const { agent } = turn;
  if (reason === "max_turn_requests")
    return new Refusal(`${agent} stopped at its own limit of requests. Press Continue to let it go on.`);
  if (reason === "cancelled")
    return new Refusal(`${agent} ended its answer. Press Continue to let it go on.`);
  if (reason === "refusal")
    return new Refusal(`${agent} refused to go on. Ask in other words, or choose another model.`);
  return turn.isEmpty
    ? new Refusal(`${agent} ended without an answer. Ask again, or choose another model.`)
    : undefined;
}
