import { randomUUID } from "node:crypto";
import { type ErrorContext, explain, explainTruncated } from "../../platform/errorMessage.ts";
import type { Session } from "../../session/session.ts";
import type { Attachment } from "../../shared/chatAttachments.ts";
import { maxAnswersAtOnce } from "../../shared/chatParameters.ts";
import {
  type AnswerMessage,
  type AnswerPatch,
  type AnswerUsage,
  type Draft,
  isRunning,
  type ModelCard,
} from "../../shared/chatState.ts";
import type { Explanation } from "../../shared/errorActions.ts";
import { formatUsd } from "../../shared/formatUsd.ts";
import { type AnswerEvents, askForAnswer } from "./answering.ts";
import type { OutgoingPath } from "./attachments/outgoing.ts";
import { toChatRequest } from "./chatRequest.ts";
import type { LiveChat } from "./liveChat.ts";
import { priced } from "./spending.ts";

export interface TurnsDeps {
  readonly chat: LiveChat;
  readonly session: Pick<Session, "active" | "client">;
  readonly report: (error: unknown) => void;
  /** What of a path the model is sent. */
  readonly outgoing: OutgoingPath;
  readonly cardOf: (model: string) => ModelCard | undefined;
  /** Asks the person; resolves to whether to go on. */
  readonly confirm: (question: string, yes: string) => Promise<boolean>;
  readonly onAsked: (models: readonly string[]) => void;
}

/** Questions and their answers: no new question while one is answered. */
export interface Turns {
  /**
   * Sends what was typed, with what goes along; `revision` is the draft's, which is empty from then on; without one the
   * draft stays. All models that are chosen answer.
   */
  send(text: string, options: SendOptions): Promise<void>;
  /** Asks a question in other words; the old wording stays, with all that follows it, as a branch. */
  edit(questionId: string, text: string): Promise<void>;
  /** Has a question answered once more, by this model or the chosen one; the answer it had stays as a branch. */
  answerAnew(answerId: string, model?: string): Promise<void>;
  /** Has an answer that broke off go on where it ended. */
  goOn(answerId: string): Promise<void>;
  /** Shows the newest path through this message. */
  showBranch(messageId: string): void;
  /** Ends all running answers, on the wire too; nothing of them is shown after this returns. */
  stop(): void;
  /** Lets go of the running answers as they are. */
  dispose(): void;
}

export interface SendOptions {
  readonly revision?: number | undefined;
  /** In place of the draft's. */
  readonly attachments?: readonly Attachment[];
}

/** One request and the answers that it fills. */
interface Running {
  /** By the number of the choice. */
  readonly answerIds: readonly string[];
  /** What the first had used before: an answer that goes on costs what both requests do. */
  readonly used: AnswerUsage | undefined;
  readonly card: ModelCard | undefined;
  readonly abort: AbortController;
  readonly startMs: number;
  /** Undoes the turn after a failure before anything came; false where that can't be. */
  readonly takeBack: (explanation: Explanation) => boolean;
}

/** Any model that the service holds fit, by trait (spec E10: a model may be named by one). */
const anyModel = "default";
const never = () => false;

export function createTurns(deps: TurnsDeps): Turns {
  const { chat, session, report, outgoing, cardOf, confirm, onAsked } = deps;
  const running = new Set<Running>();

  const chosenModel = () => chat.state.modelId ?? anyModel;
  const answerOf = (id: string | undefined): AnswerMessage | undefined => {
    const message = id === undefined ? undefined : chat.tree.get(id);
    return message?.role === "assistant" ? message : undefined;
  };
  const errorContext = (): ErrorContext => {
    const { active } = session;
    return active ? { service: active.name, kind: active.kind } : { service: "The service" };
  };

  /** Adds the answers that the models are to give to a question, next to each other; one list for each request. */
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
    for (const other of others) if (first) chat.addBeside(other, first.id);
    chat.set({ problem: null });
    onAsked(models);
    return requests;
  };
  /** Whether the conversation may cost what the next answers will, as far as that can be told. */
  const isAffordable = async (models: readonly string[]): Promise<boolean> => {
    const { settings, spent, context } = chat.state;
    if (settings.budgetUsd === undefined) return true;
    const tokens = context?.tokens ?? 0;
    const next = models.reduce((sum, model) => sum + ((cardOf(model)?.inputUsd ?? 0) * tokens) / 1e6, 0);
    if (spent.usd + next <= settings.budgetUsd) return true;
    return confirm(
      `This conversation has cost ${formatUsd(spent.usd)} of its budget of ${formatUsd(settings.budgetUsd)}. The next answer takes it beyond.`,
      "Send All the Same",
    );
  };
  /** Has one request fill these answers. */
  const run = async (answers: readonly AnswerMessage[], takeBack: Running["takeBack"]) => {
    const [first] = answers;
    if (!first) return;
    const mine: Running = {
      answerIds: answers.map(({ id }) => id),
      used: first.usage,
      card: cardOf(first.model),
      abort: new AbortController(),
      startMs: performance.now(),
      takeBack,
    };
    running.add(mine);
    try {
      const client = await session.client();
      const { model } = first;
      const request = toChatRequest({
        model,
        card: cardOf(model),
        settings: chat.state.settings,
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
    } catch (error) {
      // After a stop the dead request complains: nobody asks for that any more.
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
      const whole = change.usage
        ? { ...change, usage: sumOf(mine.used, priced(change.usage, mine.card)) }
        : change;
      for (const id of ids) patch(id, whole);
    },
  });
  const patch = (id: string, change: AnswerPatch) => {
    if (chat.tree.get(id)) chat.change({ op: "patch", id, patch: change });
  };
  const finish = (mine: Running, change: AnswerPatch) => {
    running.delete(mine);
    const totalMs = Math.round(performance.now() - mine.startMs);
    for (const id of mine.answerIds) {
      const answer = answerOf(id);
      if (answer && isRunning(answer))
        patch(id, { resendAtMs: null, ...change, timing: { ...answer.timing, totalMs } });
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
    if (mine.takeBack(problem)) running.delete(mine);
    else finish(mine, { state: "failed", problem });
  };
  const answersEach = ({ length }: readonly string[]) =>
    Math.max(1, Math.min(chat.state.settings.n ?? 1, Math.floor(maxAnswersAtOnce / length)));
  return {
    async send(text, { revision, attachments = chat.state.attachments }) {
      if (running.size > 0 || text.trim() === "" || attachments.some(({ pending }) => pending)) return;
      const models = [chosenModel(), ...chat.state.compareIds];
      if (!(await isAffordable(models)) || running.size > 0) return;
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
      const takeBack = (explanation: Explanation) => {
        // The box is in use again, or others answer: then the question stays where it is, with its failed answer.
        const inUse = chat.state.draft.text.trim() !== "" || chat.state.attachments.length > 0;
        if (inUse || models.length > 1) return false;
        chat.remove([id], before);
        const draft = nextDraft(chat.state.draft, text, Date.now());
        chat.set({ draft, ...along, problem: { explanation } });
        return true;
      };
      for (const answers of addAnswers(id, models, answersEach(models))) void run(answers, takeBack);
    },
    async edit(questionId, text) {
      const question = chat.tree.get(questionId);
      if (running.size > 0 || question?.role !== "user" || text.trim() === "") return;
      const { attachments } = question;
      const models = [chosenModel()];
      if (!(await isAffordable(models)) || running.size > 0) return;
      const id = randomUUID();
      chat.add({ role: "user", id, text, ...(attachments ? { attachments } : {}) }, question.parentId);
      for (const answers of addAnswers(id, models, answersEach(models))) void run(answers, never);
    },
    async answerAnew(answerId, model = chosenModel()) {
      const old = chat.tree.get(answerId);
      if (running.size > 0 || old?.role !== "assistant") return;
      if (!(await isAffordable([model])) || running.size > 0) return;
      const before = chat.leafId;
      for (const answers of addAnswers(old.parentId, [model], 1))
        void run(answers, (explanation) => {
          chat.remove(
            answers.map(({ id }) => id),
            before,
          );
          chat.set({ problem: { explanation, answerId } });
          return true;
        });
    },
    async goOn(answerId) {
      const answer = answerOf(answerId);
      if (running.size > 0 || !answer || isRunning(answer)) return;
      if (!(await isAffordable([answer.model])) || running.size > 0) return;
      chat.set({ problem: null });
      patch(answerId, { state: "streaming", problem: null });
      void run([answer], never);
    },
    showBranch(messageId) {
      if (chat.tree.get(messageId)) chat.show(chat.tree.newestLeaf(messageId));
    },
    stop() {
      for (const mine of running) {
        mine.abort.abort();
        finish(mine, { state: "stopped" });
      }
    },
    dispose() {
      for (const mine of running) mine.abort.abort();
      running.clear();
    },
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

function sumOf(before: AnswerUsage | undefined, more: AnswerUsage): AnswerUsage {
  if (!before) return more;
  const names = new Set([...Object.keys(before), ...Object.keys(more)]) as Set<keyof AnswerUsage>;
  const sums = [...names].map((name) => {
    const [one = 0, other = 0] = [before[name], more[name]];
    return [name, typeof one === "number" && typeof other === "number" ? one + other : one || other];
  });
  return Object.fromEntries(sums) as AnswerUsage;
}

/** A draft that wins over what either side has seen. */
export function nextDraft({ revision }: Draft, text: string, seen: number): Draft {
  return { text, revision: Math.max(revision, seen) + 1 };
}
