import { randomUUID } from "node:crypto";
import type { Session } from "../../../session/session.ts";
import type { Attachment } from "../../../shared/chat/chatAttachments.ts";
import type { ModelCard } from "../../../shared/chat/chatModels.ts";
import { maxAnswersAtOnce } from "../../../shared/chat/chatParameters.ts";
import type { Explanation } from "../../../shared/errorActions.ts";
import { Counted } from "../../../shared/money/budgetRule.ts";
import { spendText } from "../../../shared/money/moneyText.ts";
import { limitText } from "../../../shared/money/statedPrice.ts";
import { type AnswerMessage, isRunning } from "../../protocol/chatMessages.ts";
import { uselessInMode, withItsAgent } from "../../protocol/chatUsable.ts";
import { withDocumentHelp } from "../attachments/content/documentHelp.ts";
import { sourcesOf } from "../conversation/citedSources.ts";
import { nextDraft } from "../conversation/draft.ts";
import type { LiveChat } from "../conversation/liveChat.ts";
import { answerIn } from "../conversation/messageTree.ts";
import { sumSpent } from "../conversation/spending.ts";
import type { FormerService } from "../model/formerService.ts";
import { readBeginningTokens } from "./answerRequest.ts";
import { type AnswerRuns, type AnswerRunsDeps, createAnswerRuns, type RollBack } from "./answerRuns.ts";
import { type ContextWindow, createContextWindow, tooManyImages } from "./contextWindow.ts";
import { createLearnedContext } from "./learnedContext.ts";
import { runsByAgent } from "./runsByAgent.ts";

export interface AnswersDeps extends Omit<AnswerRunsDeps, "context" | "onRefused"> {
  readonly chat: LiveChat;
  readonly session: Pick<Session, "active" | "client" | "spend">;
  readonly cardOf: (model: string) => ModelCard | undefined;
  /** Asks the user; resolves to true if the user agrees. */
  readonly confirm: (question: string, yes: string) => Promise<boolean>;
  readonly mayReceive: FormerService["mayReceive"];
  /** Adds the messages that wait for the next round of a task to the conversation: see `QuestionQueue`. */
  readonly join: (answerId: string, canTake: (attachments: readonly Attachment[]) => boolean) => string;
  /** Runs of other agents; absent where none can be started. */
  readonly agentRuns?: AnswerRuns;
  /** These models are about to be asked. */
  readonly onAsked: (models: readonly string[]) => void;
}

/** Questions and their answers. No question is sent while an answer is running. */
export interface Answers {
  /** A task is between two rounds: its next request is about to be sent. */
  readonly isGoingOn: boolean;
  /**
   * Sends a question with its attachments. `revision` is that of the draft, which is cleared; without it the draft
   * stays. All selected models answer. Resolves to true if the question was sent.
   */
  send(text: string, options: QuestionOptions): Promise<boolean>;
  /** Sends a changed version of a question. The old version stays as a branch. */
  edit(questionId: string, text: string): Promise<void>;
  /** Requests another answer, by this model or the selected one. The old answer stays as a branch. */
  regenerate(answerId: string, model?: string): Promise<void>;
  /** Continues an answer that was cut off. */
  continueAnswer(answerId: string): Promise<void>;
  /** Sends the results of an answer's tool calls, so the model continues, if it still may when all questions are answered. */
  sendResults(answerId: string, mayGoOn: () => boolean): Promise<boolean>;
  /** Lets a task whose last answer this is go on with what the editor has to tell, as above. */
  sendNote(answerId: string, note: string, mayGoOn: () => boolean): Promise<boolean>;
  /** Updates the size of the next request in the state; called after each change. */
  updateContext(): void;
  /** Aborts all requests. No event of theirs is shown after this returns. */
  stop(): void;
  /** Aborts all requests and marks their answers as cut off. */
  dispose(): void;
}

interface QuestionOptions {
  readonly revision?: number | undefined;
  /** Used in place of the draft's attachments. */
  readonly attachments?: readonly Attachment[];
  /** The id of a queued question, by which all windows see that it is sent. */
  readonly id?: string;
}

export function createAnswers(deps: AnswersDeps): Answers {
  const learned = createLearnedContext(deps.cardOf);
  const known = { ...deps, cardOf: learned.cardOf };
  const context = createContextWindow({ ...known, readBeginning: () => readBeginningTokens(deps) });
  const own = createAnswerRuns({ ...known, context, onRefused: learned.take });
  return new ChatAnswers(known, context, runsByAgent({ chat: deps.chat, own, agents: deps.agentRuns }));
}

/** A model that the service chooses by trait (spec E10: a trait is accepted as a model). */
const anyModel = "default";
const never = () => false;
const oneAnswers =
  "In the modes Plan and Agent only the first model answers, because several would change the same files.";

class ChatAnswers implements Answers {
  readonly #deps: AnswersDeps;
  readonly #chat: LiveChat;
  readonly #context: ContextWindow;
  readonly #runs: AnswerRuns;
  /** What the user is asked about when this changes is not sent: it may be of another conversation. */
  #stops = 0;
  /** The tasks that are between two rounds. */
  #goingOn = 0;

  constructor(deps: AnswersDeps, context: ContextWindow, runs: AnswerRuns) {
    this.#deps = deps;
    this.#chat = deps.chat;
    this.#context = context;
    this.#runs = runs;
  }

  async send(text: string, options: QuestionOptions): Promise<boolean> {
    const { revision, attachments = this.#chat.state.attachments, id } = options;
    if (this.#runs.areRunning || text.trim() === "" || attachments.some(({ pending }) => pending))
      return false;
    // In a new chat, a queued question would still be in the queue of the old one.
    if (!(await this.#mayReceive(this.#chat.leafId, id === undefined))) return false;
    const { compareIds } = this.#chat.state;
    const models = [this.#model, ...(this.#acts ? [] : compareIds)];
    if (!this.#canTake(models, attachments)) return false;
    // No await between this check and the start of the request: another call may start one meanwhile.
    if (!(await this.#isAffordable(models)) || this.#runs.areRunning) return false;
    if (id !== undefined && this.#chat.tree.get(id)) return true;
    this.#deps.onAsked(models);
    const attached = attachments.length > 0 ? { attachments } : {};
    if (revision !== undefined) this.#clearDraft(revision, attachments.length > 0);
    const before = this.#chat.leafId;
    const question = { role: "user", id: id ?? randomUUID(), text, ...attached } as const;
    this.#chat.add(question, before);
    const rollBack = (explained: Explanation, error: unknown) => {
      const { active } = this.#deps.session;
      const explanation = withDocumentHelp(explained, error, {
        attachments,
        service: active?.name ?? "The service",
        isPlayMoney: active?.kind === "sandbox",
      });
      // If the prompt is in use or an answer is running, the question stays with its failed answer.
      const { draft, attachments: others } = this.#chat.state;
      if (draft.text.trim() !== "" || others.length > 0 || models.length > 1) return false;
      this.#chat.remove([question.id], before);
      this.#chat.set({
        draft: nextDraft(this.#chat.state.draft, text, Date.now()),
        ...attached,
        problem: { explanation },
      });
      return true;
    };
    this.#start(question.id, models, this.#answersEach(models), () => rollBack, this.#agent);
    if (this.#acts && compareIds.length > 0) this.#chat.set({ notice: { text: oneAnswers } });
    return true;
  }

  async edit(questionId: string, text: string): Promise<void> {
    const question = this.#chat.tree.get(questionId);
    if (this.#runs.areRunning || question?.role !== "user" || text.trim() === "") return;
    const { attachments, parentId } = question;
    const models = [this.#model];
    if (!this.#canTake(models, attachments)) return;
    if (!(await this.#mayReceive(parentId, false))) return;
    if (!(await this.#isAffordable(models)) || this.#runs.areRunning) return;
    this.#deps.onAsked(models);
    const id = randomUUID();
    this.#chat.add({ role: "user", id, text, ...(attachments ? { attachments } : {}) }, parentId);
    this.#start(id, models, this.#answersEach(models), () => never, this.#agent);
  }

  async regenerate(answerId: string, model = this.#model): Promise<void> {
    const old = this.#chat.tree.get(answerId);
    if (this.#runs.areRunning || old?.role !== "assistant") return;
    const question = old.parentId === null ? undefined : this.#chat.tree.get(old.parentId);
    if (question?.role === "user" && !this.#canTake([model], question.attachments)) return;
    if (!(await this.#mayReceive(question?.parentId ?? null, false))) return;
    if (!(await this.#isAffordable([model])) || this.#runs.areRunning) return;
    this.#deps.onAsked([model]);
    const before = this.#chat.leafId;
    const rollBackOf = (answers: readonly AnswerMessage[]) => (explanation: Explanation) => {
      this.#chat.remove(
        answers.map(({ id }) => id),
        before,
      );
      this.#chat.set({ problem: { explanation, answerId } });
      return true;
    };
    // A summary that was paid for is not written twice.
    const { summary } = old;
    this.#start(old.parentId, [model], 1, rollBackOf, {
      ...this.#agent,
      ...(summary?.text ? { summary } : {}),
    });
  }

  async continueAnswer(answerId: string): Promise<void> {
    const answer = answerIn(this.#chat.tree, answerId);
    if (this.#runs.areRunning || !answer || isRunning(answer)) return;
    if (!(await this.#mayReceive(answerId, false))) return;
    if (!(await this.#isAffordable([answer.model])) || this.#runs.areRunning) return;
    if (answer.calls?.length) return this.#start(answer.id, [answer.model], 1, () => never, agentIn(answer));
    this.#chat.set({ problem: null });
    const startedAtMs = Date.now();
    const patch = { state: "streaming", startedAtMs, problem: null, finishReason: null } as const;
    this.#chat.change({ op: "patch", id: answerId, patch });
    this.#runs.start([answer], never);
  }

  get isGoingOn(): boolean {
    return this.#goingOn > 0;
  }

  sendResults(answerId: string, mayGoOn: () => boolean): Promise<boolean> {
    return this.#goOn(answerId, mayGoOn, {});
  }

  sendNote(answerId: string, note: string, mayGoOn: () => boolean): Promise<boolean> {
    return this.#goOn(answerId, mayGoOn, { editorNote: note });
  }

  #goOn(
    answerId: string,
    mayGoOn: () => boolean,
    members: Pick<AnswerMessage, "editorNote">,
  ): Promise<boolean> {
    this.#goingOn += 1;
    return this.#startRound(answerId, mayGoOn, members).finally(() => {
      this.#goingOn -= 1;
    });
  }

  async #startRound(
    answerId: string,
    mayGoOn: () => boolean,
    members: Pick<AnswerMessage, "editorNote">,
  ): Promise<boolean> {
    const answer = answerIn(this.#chat.tree, answerId);
    if (!answer || isRunning(answer) || !(await this.#mayReceive(answerId, false))) return false;
    if (!(await this.#isAffordable([answer.model])) || !mayGoOn()) return false;
    const lastId = this.#deps.join(answer.id, (attachments) => this.#canTake([answer.model], attachments));
    this.#start(lastId, [answer.model], 1, () => never, { ...agentIn(answer), ...members });
    return true;
  }

  updateContext(): void {
    this.#context.update();
  }

  stop(): void {
    this.#stops += 1;
    this.#runs.stop();
  }

  dispose(): void {
    this.#runs.dispose();
    this.#context.dispose();
  }

  /** The other agent that answers new questions. */
  get #agent(): Pick<AnswerMessage, "agent"> {
    return agentIn(withItsAgent(this.#chat.state.settings));
  }

  get #model(): string {
    return this.#chat.state.modelId ?? anyModel;
  }

  /** True in a mode whose answers change the same files and plan. */
  get #acts(): boolean {
    return (this.#chat.state.settings.mode ?? "ask") !== "ask";
  }

  /** A model without a known price may be the most expensive one of the list. */
  get #highestInputUsd(): number {
    const { models } = this.#chat.state;
    const cards = models.status === "ready" ? models.cards : [];
    return Math.max(0, ...cards.map(({ inputUsd = 0 }) => inputUsd));
  }

  /** The number of answers that each model gives. */
  #answersEach({ length }: readonly string[]): number {
    if (this.#acts) return 1;
    return Math.max(1, Math.min(this.#chat.state.settings.n ?? 1, Math.floor(maxAnswersAtOnce / length)));
  }

  #clearDraft(revision: number, hasAttachments: boolean): void {
    this.#chat.set({
      draft: nextDraft(this.#chat.state.draft, "", revision),
      ...(hasAttachments ? { attachments: [] } : {}),
      attachmentNotice: null,
    });
  }

  /** Adds alternative answers of the models after a message, and starts one request for each model. */
  #start(
    parentId: string | null,
    models: readonly string[],
    each: number,
    rollBackOf: (answers: readonly AnswerMessage[]) => RollBack = () => never,
    members: Pick<AnswerMessage, "agent" | "summary" | "editorNote"> = {},
  ): void {
    const { settings } = this.#chat.state;
    const schema = uselessInMode("schema", settings) === undefined ? settings.schema : undefined;
    const sources = sourcesOf(parentId === null ? [] : this.#chat.tree.pathTo(parentId));
    const shared = {
      ...(sources.length > 0 ? { sources } : {}),
      ...(models.length * each > 1 ? { togetherId: randomUUID() } : {}),
      ...(schema === undefined ? {} : { schema }),
      ...members,
    };
    const requests = models.map((model) =>
      Array.from({ length: each }, () => ({ ...newAnswer(model), ...shared })),
    );
    const [first, ...others] = requests.flat();
    if (first) this.#chat.add(first, parentId);
    for (const other of others) if (first) this.#chat.addAlternative(other, first.id);
    this.#chat.set({ problem: null });
    for (const answers of requests) this.#runs.start(answers, rollBackOf(answers));
  }

  /** False if the question has more pictures than one of the models takes: a notice says so. Earlier ones are the service's to judge. */
  #canTake(models: readonly string[], attachments: readonly Attachment[] = []): boolean {
    const problem = tooManyImages(attachments, models.map(this.#deps.cardOf));
    if (problem !== undefined) this.#chat.set({ attachmentNotice: problem });
    return problem === undefined;
  }

  /** True if nothing was stopped meanwhile, and the service may get the messages up to `lastId`, or the user agrees. */
  async #mayReceive(lastId: string | null, isNewQuestion: boolean): Promise<boolean> {
    const { conversationId } = this.#chat.state;
    const stops = this.#stops;
    if (!(await this.#deps.mayReceive(lastId, isNewQuestion))) return false;
    // A new chat, which the user may choose, stops the former one.
    return stops === this.#stops || conversationId !== this.#chat.state.conversationId;
  }

  /** True if nothing was stopped meanwhile, and the budget allows the estimated cost of the next answers or the user agrees. */
  async #isAffordable(models: readonly string[]): Promise<boolean> {
    const { session, cardOf, confirm } = this.#deps;
    const { settings, spent } = this.#chat.state;
    if (settings.budgetUsd === undefined) return true;
    const { tokens } = this.#context.read();
    if (models.every((model) => isFree(cardOf(model)))) return true;
    const perMillion = models.map((model) => cardOf(model)?.inputUsd ?? this.#highestInputUsd);
    const next = perMillion.reduce((sum, usd) => sum + (usd * tokens) / 1e6, 0);
    // The budget also applies in the sandbox, so users can try it. Play money is counted separately.
    const isPlayMoney = session.active?.kind === "sandbox";
    const sum = sumSpent(spent, isPlayMoney);
    const counted = Counted.of(sum).toNumber();
    if (counted < settings.budgetUsd && counted + next <= settings.budgetUsd) return true;
    const stops = this.#stops;
    const agrees = await confirm(
      `This conversation has cost ${spendText(sum)}${isPlayMoney ? " play money" : ""} of its budget of ${limitText(settings.budgetUsd, sum)}. The next answer exceeds it.`,
      "Send Anyway",
    );
    return agrees && stops === this.#stops;
  }
}

function isFree(card: ModelCard | undefined): boolean {
  return card?.inputUsd === 0 && card.outputUsd === 0;
}

function agentIn({ agent }: Pick<AnswerMessage, "agent">): Pick<AnswerMessage, "agent"> {
  return agent === undefined ? {} : { agent };
}

export function newAnswer(model: string): AnswerMessage {
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
