import type { AnswerBegun, AnswerEnded } from "../../../agents/agentGateway.ts";
import type { AgentQuestion, TurnHost } from "../../../agents/agentTurn.ts";
import type { AgentCall } from "../../../agents/turnView.ts";
import { questionAbout, refusedName } from "../../../changes/engine/files/fileRisk.ts";
import type { FileChange, ProgramRun } from "../../../changes/engine/pendingChanges.ts";
import type { KnownTexts } from "../../../changes/engine/records/knownTexts.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";
import type { Session } from "../../../session/session.ts";
import type { ModelCard } from "../../../shared/chat/chatModels.ts";
import { messageOf } from "../../../shared/messageOf.ts";
import { shortened } from "../../../shared/text/shortened.ts";
import {
  type AnswerMessage,
  type AnswerPatch,
  type AnswerUsage,
  isRunning,
} from "../../protocol/chatMessages.ts";
import { refuseUnread } from "../agent/userPlan.ts";
import { newAnswer } from "../answer/answers.ts";
import { costsOf, toUsage } from "../answer/replyCollector.ts";
import type { LiveChat } from "../conversation/liveChat.ts";
import { answerIn } from "../conversation/messageTree.ts";
import { priced, sumOfUsage } from "../conversation/spending.ts";
import { notesOf } from "../tools/commands/programChanges.ts";
import { AgentCards } from "./agentCards.ts";
import type { AgentWindow } from "./agentWindow.ts";

interface HostedTurnDeps {
  readonly chat: LiveChat;
  readonly window: AgentWindow;
  readonly session: Pick<Session, "active">;
  readonly cardOf: (model: string) => ModelCard | undefined;
  readonly onRunChanged: () => void;
  readonly onWaiting: (summary: string) => void;
}

/** Steps on one answer: each change of a card stores all of them. */
const mostSteps = 20;
const maxWrittenShown = 4_000;
const asksForEach = "It asks because each edit asks in this chat.";

/** One question to an agent, as the conversation has it. Text after steps begins another answer, as a round of a task does. */
export class HostedTurn implements TurnHost {
  readonly agent: string;
  readonly #deps: HostedTurnDeps;
  readonly #cards: AgentCards;
  readonly #answerIds: string[];
  #answerId: string;
  #startMs = performance.now();
  #hasEnded = false;
  #known: KnownTexts | undefined;
  #program: ProgramRun | undefined;
  #hasTools = false;
  #callError: unknown;
  #isCollecting = false;
  #mustCollect = false;

  constructor(deps: HostedTurnDeps, { id, agent = "" }: AnswerMessage) {
    this.#deps = deps;
    this.agent = agent;
    this.#answerId = id;
    this.#answerIds = [id];
    this.#cards = new AgentCards({
      chat: deps.chat,
      answerFor: () => this.#answerForStep(),
      onWaiting: deps.onWaiting,
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The last answer so far. */
  get answerId(): string {
    return this.#answerId;
  }

  /** The error of the last call for the task; undefined if that was answered. */
  get callError(): unknown {
    return this.#callError;
  }

  /** True if nothing has come of it. */
  get isEmpty(): boolean {
    return this.#answerIds.every((id) => {
      const { text = "", reasoning = "", calls = [] } = this.#answerOf(id) ?? {};
      return text + reasoning === "" && calls.length === 0;
    });
  }

  /** From now on what programs change in the workspace is the agent's. */
  async begin(known: KnownTexts, signal: AbortSignal): Promise<void> {
    this.#known = known;
    try {
      const { programs } = await this.#deps.window.changes();
      this.#program = await programs.begin(signal, (changes) => this.#changed(changes));
    } catch (error) {
      signal.throwIfAborted();
      this.note([`What ${this.agent} changes can't be rewound: ${messageOf(error)}`]);
    }
  }

  /** Records the last changes. Resolves also if that fails. */
  async settle(): Promise<void> {
    const program = this.#program;
    this.#program = undefined;
    if (program) await this.#noted(program.end());
  }

  /** Ends it as the conversation shows it. What the agent changes until it has ended is still recorded. */
  end(change: AnswerPatch): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#cards.end(change.state === "done" ? "done" : "stopped");
    this.#finish(this.#answerId, change);
  }

  note(notes: readonly string[]): void {
    const { notes: before = [] } = this.#answerOf(this.#answerId) ?? {};
    const news = notes.filter((note) => !before.includes(note));
    if (news.length > 0) this.patch({ notes: [...before, ...news] });
  }

  patch(patch: AnswerPatch): void {
    if (this.#answerOf(this.#answerId)) this.#deps.chat.change({ op: "patch", id: this.#answerId, patch });
  }

  decide(answerId: string, callId: string, decision: string, reason: string): boolean {
    return this.#cards.decide(answerId, callId, decision, reason);
  }

  onText(part: "text" | "reasoning", text: string): void {
    if (this.#hasEnded) return;
    if (this.#answerOf(this.#answerId)?.calls?.length) this.#beginNext();
    const answer = this.#answerOf(this.#answerId);
    if (!answer) return;
    if (answer.state === "waiting") this.patch({ state: "streaming" });
    const { id } = answer;
    this.#deps.chat.change({ op: "append", id, part, at: answer[part].length, text }, false);
  }

  onCall(call: AgentCall): void {
    if (this.#hasEnded) return;
    this.#cards.take(call);
    if (call.state !== "runs") void this.#collect();
  }

  onPlan(plan: string): void {
    if (this.#hasEnded || plan === "") return;
    try {
      refuseUnread(this.#deps.chat.tree.pathTo(this.#answerId));
    } catch (error) {
      // The next question tells the agent of the user's plan.
      if (error instanceof Refusal) return;
      throw error;
    }
    this.patch({ plan });
  }

  /** A failed side request, such as one for a title, is no error of the answer: the agent answers without it. */
  onAnswerBegun({ hasTools, error }: AnswerBegun): void {
    if (this.#hasTools && !hasTools) return;
    this.#hasTools = hasTools;
    this.#callError = error;
  }

  onAnswerEnded({ model, usage, cost }: AnswerEnded): void {
    const { session, cardOf } = this.#deps;
    const one: AnswerUsage = usage
      ? priced(toUsage(usage, cost), cardOf(model))
      : { promptTokens: 0, completionTokens: 0, ...costsOf(cost), isPartial: true };
    const play = session.active?.kind === "sandbox" ? { isPlayMoney: true } : {};
    const before = this.#answerOf(this.#answerId)?.usage;
    this.patch({ usage: sumOfUsage(before, { ...one, ...play }) });
  }

  ask(question: AgentQuestion, signal: AbortSignal): Promise<string | undefined> {
    return this.#hasEnded ? Promise.resolve(undefined) : this.#cards.ask(question, signal);
  }

  async read(
    path: string,
    lines: { readonly from: number; readonly count: number | undefined } | undefined,
  ): Promise<string> {
    const text = await this.#deps.window.files.read(path);
    if (lines) return linesOf(text, lines);
    this.#known?.add(text);
    return text;
  }

  async write(path: string, text: string, signal: AbortSignal): Promise<void> {
    const name = this.#deps.window.files.nameOf(path);
    const work = async () => {
      const { writer } = await this.#deps.window.changes();
      const known = this.#known;
      const change = await writer.write(name, text, signal, known ? { known } : {});
      this.#changed([change]);
      return change.savedAfter === undefined ? `Wrote ${name}.` : `Wrote ${name}. ${unsaved}`;
    };
    const question = this.#questionAbout(name);
    if (question === undefined) return void (await work());
    const shown = JSON.stringify({ path: name, text: shortened(text, maxWrittenShown) });
    const asked = { says: `Write ${name}`, arguments: shown, question };
    if (!(await this.#cards.confirm(asked, signal, work)))
      throw new Refusal(`${name} was not written, because the user has not allowed it.`);
  }

  /** Why the user is asked before this file is written; undefined for one that is written or refused unasked. */
  #questionAbout(name: string): string | undefined {
    if (refusedName(name) !== undefined) return undefined;
    const { task } = this.#deps.chat.state.settings;
    return questionAbout(name) ?? (task?.asksBeforeEdits ? asksForEach : undefined);
  }

  #answerForStep(): string {
    const { calls = [] } = this.#answerOf(this.#answerId) ?? {};
    if (calls.length >= mostSteps) this.#beginNext();
    if (this.#answerOf(this.#answerId)?.state === "waiting") this.patch({ state: "streaming" });
    return this.#answerId;
  }

  /** Not the other way around: between two answers the chat would not be busy. */
  #beginNext(): void {
    const { chat } = this.#deps;
    const before = this.#answerOf(this.#answerId);
    if (!before) return;
    this.#cards.flush();
    const next = { ...newAnswer(before.model), agent: this.agent };
    chat.add(next, before.id);
    this.#finish(before.id, { state: "done" });
    this.#answerId = next.id;
    this.#answerIds.push(next.id);
    this.#startMs = performance.now();
  }

  #finish(id: string, change: AnswerPatch): void {
    const answer = this.#answerOf(id);
    if (!answer || !isRunning(answer)) return;
    const { totalMs = 0 } = answer.timing;
    const timing = { ...answer.timing, totalMs: Math.round(totalMs + performance.now() - this.#startMs) };
    this.#deps.chat.change({ op: "patch", id, patch: { ...change, timing } });
  }

  /** A change is stored with the answer that is written now, also after a stop, so that a rewind has it. */
  #changed(changes: readonly FileChange[]): void {
    const { changes: before = [] } = this.#answerOf(this.#answerId) ?? {};
    this.patch({ changes: [...before, ...changes] });
    if (changes.some(({ uri }) => questionAbout(uri) !== undefined)) this.#deps.onRunChanged();
  }

  /** One look at the files at a time: steps can end faster. */
  async #collect(): Promise<void> {
    this.#mustCollect = true;
    if (this.#isCollecting) return;
    this.#isCollecting = true;
    while (this.#mustCollect && this.#program) {
      this.#mustCollect = false;
      await this.#noted(this.#program.collect());
    }
    this.#isCollecting = false;
  }

  async #noted(collected: ReturnType<ProgramRun["collect"]>): Promise<void> {
    try {
      const { kept, failure } = await collected;
      this.note(notesOf({ files: [], kept, ...(failure === undefined ? {} : { failure }) }, this.agent));
    } catch (error) {
      this.note([`Which files ${this.agent} has changed is not known: ${messageOf(error)}`]);
    }
  }

  #answerOf(id: string): AnswerMessage | undefined {
    return answerIn(this.#deps.chat.tree, id);
  }
}

const unsaved = "It is not saved, because the user has unsaved text in it.";

function linesOf(
  text: string,
  { from, count }: { readonly from: number; readonly count: number | undefined },
): string {
  const lines = text.split("\n");
  return lines.slice(from - 1, count === undefined ? undefined : from - 1 + count).join("\n");
}
