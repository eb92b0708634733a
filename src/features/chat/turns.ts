import { randomUUID } from "node:crypto";
import type { Attachment } from "../../shared/chatAttachments.ts";
import { type AnswerMessage, isRunning } from "../../shared/chatMessages.ts";
import { maxAnswersAtOnce } from "../../shared/chatParameters.ts";
import type { QuestionDraft } from "../../shared/chatState.ts";
import type { Explanation } from "../../shared/errorActions.ts";
import { formatUsd } from "../../shared/formatUsd.ts";
import { type AnswerRunsDeps, createAnswerRuns } from "./answerRuns.ts";
import type { FormerService } from "./formerService.ts";

export interface TurnsDeps extends AnswerRunsDeps {
  /** Asks the user; resolves to true if the user agrees. */
  readonly confirm: (question: string, yes: string) => Promise<boolean>;
  readonly mayHear: FormerService["mayReceive"];
  /** Estimated tokens of the next question with all that is sent with it. */
  readonly promptTokens: () => number;
  readonly onAsked: (models: readonly string[]) => void;
}

/** Questions and their answers. No question is sent while an answer is running. */
export interface Turns {
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
  /** Sends the results of an answer's tool calls, so the model continues. */
  goRound(answerId: string): Promise<void>;
  /** Shows the newest path through this message. */
  showBranch(messageId: string): void;
  /** Aborts all requests. No event of theirs is shown after this returns. */
  stop(): void;
  /** Aborts all requests and marks their answers as cut off. */
  dispose(): void;
}

interface QuestionOptions {
  readonly revision?: number | undefined;
  /** Used in place of the draft's attachments. */
  readonly attachments?: readonly Attachment[];
}

/** A model that the service chooses by trait (spec E10: a trait is accepted as a model). */
const anyModel = "default";
const never = () => false;

export function createTurns(deps: TurnsDeps): Turns {
  const { chat, cardOf, confirm, mayHear: mayReceive, promptTokens, onAsked } = deps;
  const runs = createAnswerRuns(deps);

  const chosenModel = () => chat.state.modelId ?? anyModel;
  const answerOf = (id: string | undefined): AnswerMessage | undefined => {
    const message = id === undefined ? undefined : chat.tree.get(id);
    return message?.role === "assistant" ? message : undefined;
  };
  /** Adds alternative answers of the models to a question; returns one list per request. */
  const addAnswers = (questionId: string | null, models: readonly string[], each: number) => {
    const { schema } = chat.state.settings;
    const shared = {
      ...(models.length * each > 1 ? { togetherId: randomUUID() } : {}),
      ...(schema === undefined ? {} : { schema }),
    };
    const requests = models.map((model) =>
      Array.from({ length: each }, () => ({ ...newAnswer(model), ...shared })),
    );
    const [first, ...others] = requests.flat();
    if (first) chat.add(first, questionId);
    for (const other of others) if (first) chat.addAlternative(other, first.id);
    chat.set({ problem: null });
    return requests;
  };
  /** True if the budget allows the estimated cost of the next answers, or the user agrees. */
  const isAffordable = async (models: readonly string[]): Promise<boolean> => {
    const { settings, spent } = chat.state;
    if (settings.budgetUsd === undefined) return true;
    const tokens = promptTokens();
    const next = models.reduce((sum, model) => sum + ((cardOf(model)?.inputUsd ?? 0) * tokens) / 1e6, 0);
    // The budget also applies in the sandbox, so users can try it. Play money is counted separately.
    const isPlayMoney = deps.session.active?.kind === "sandbox";
    const usd = isPlayMoney ? spent.playUsd : spent.usd;
    if (usd < settings.budgetUsd && usd + next <= settings.budgetUsd) return true;
    return confirm(
      `This conversation has cost ${formatUsd(usd, isPlayMoney)} of its budget of ${formatUsd(settings.budgetUsd)}. The next answer exceeds it.`,
      "Send Anyway",
    );
  };
  const answersEach = ({ length }: readonly string[]) =>
    Math.max(1, Math.min(chat.state.settings.n ?? 1, Math.floor(maxAnswersAtOnce / length)));
  const startRound = ({ id, model }: AnswerMessage) => {
    for (const answers of addAnswers(id, [model], 1)) runs.start(answers, never);
  };
  return {
    async send(text, { revision, attachments = chat.state.attachments }) {
      if (runs.areRunning || text.trim() === "" || attachments.some(({ pending }) => pending)) return false;
      if (!(await mayReceive(chat.leafId, true))) return false;
      const models = [chosenModel(), ...chat.state.compareIds];
      if (!(await isAffordable(models)) || runs.areRunning) return false;
      onAsked(models);
      const before = chat.leafId;
      const id = randomUUID();
      const along = attachments.length > 0 ? { attachments } : {};
      if (revision !== undefined)
        chat.set({
          draft: nextDraft(chat.state.draft, "", revision),
          ...(attachments.length > 0 ? { attachments: [] } : {}),
          attachmentNotice: null,
        });
      chat.add({ role: "user", id, text, ...along }, before);
      const rollBack = (explanation: Explanation) => {
        // If the prompt is in use or an answer is running, the question stays with its failed answer.
        const inUse = chat.state.draft.text.trim() !== "" || chat.state.attachments.length > 0;
        if (inUse || models.length > 1) return false;
        chat.remove([id], before);
        const draft = nextDraft(chat.state.draft, text, Date.now());
        chat.set({ draft, ...along, problem: { explanation } });
        return true;
      };
      for (const answers of addAnswers(id, models, answersEach(models))) runs.start(answers, rollBack);
      return true;
    },
    async edit(questionId, text) {
      const question = chat.tree.get(questionId);
      if (runs.areRunning || question?.role !== "user" || text.trim() === "") return;
      const { attachments } = question;
      const models = [chosenModel()];
      if (!(await mayReceive(question.parentId, false))) return;
      if (!(await isAffordable(models)) || runs.areRunning) return;
      onAsked(models);
      const id = randomUUID();
      chat.add({ role: "user", id, text, ...(attachments ? { attachments } : {}) }, question.parentId);
      for (const answers of addAnswers(id, models, answersEach(models))) runs.start(answers, never);
    },
    async regenerate(answerId, model = chosenModel()) {
      const old = chat.tree.get(answerId);
      if (runs.areRunning || old?.role !== "assistant") return;
      const question = old.parentId === null ? undefined : chat.tree.get(old.parentId);
      if (!(await mayReceive(question?.parentId ?? null, false))) return;
      if (!(await isAffordable([model])) || runs.areRunning) return;
      onAsked([model]);
      const before = chat.leafId;
      for (const answers of addAnswers(old.parentId, [model], 1))
        runs.start(answers, (explanation) => {
          chat.remove(
            answers.map(({ id }) => id),
            before,
          );
          chat.set({ problem: { explanation, answerId } });
          return true;
        });
    },
    async continueAnswer(answerId) {
      const answer = answerOf(answerId);
      if (runs.areRunning || !answer || isRunning(answer)) return;
      if (!(await mayReceive(answerId, false))) return;
      if (!(await isAffordable([answer.model])) || runs.areRunning) return;
      if (answer.calls?.length) return startRound(answer);
      chat.set({ problem: null });
      const patch = {
        state: "streaming",
        startedAtMs: Date.now(),
        problem: null,
        finishReason: null,
      } as const;
      chat.change({ op: "patch", id: answerId, patch });
      runs.start([answer], never);
    },
    async goRound(answerId) {
      const answer = answerOf(answerId);
      if (!answer || isRunning(answer) || !(await mayReceive(answerId, false))) return;
      if (await isAffordable([answer.model])) startRound(answer);
    },
    showBranch(messageId) {
      if (chat.tree.get(messageId)) chat.show(chat.tree.newestLeaf(messageId));
    },
    stop: () => runs.stop(),
    dispose: () => runs.dispose(),
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

/** A draft with a higher revision than any that the host or the view has. */
export function nextDraft({ revision }: QuestionDraft, text: string, seen: number): QuestionDraft {
  return { text, revision: Math.max(revision, seen) + 1 };
}
