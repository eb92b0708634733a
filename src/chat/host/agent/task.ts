import type { ChatRequest } from "../../../api/endpoints/chat/chatRequest.ts";
import type { SpendSource, SpendTask } from "../../../api/money/charge.ts";
import { upperUsd } from "../../../api/money/upperPrice.ts";
import type { Client, Session } from "../../../session/session.ts";
import type { TaskSpend } from "../../../session/spend/spendBook.ts";
import { upperPricesOf } from "../../../session/spend/spendEntry.ts";
import type { ModelCard } from "../../../shared/chat/chatModels.ts";
import { estimateJsonTokens } from "../../../shared/chat/tokenEstimate.ts";
import { Counted } from "../../../shared/money/budgetRule.ts";
import { defaultTaskLimits, type TaskLimits } from "../../protocol/agentModes.ts";
import { type AnswerMessage, isQuestion, type Message } from "../../protocol/chatMessages.ts";
import type { ChatSettings } from "../../protocol/chatSettings.ts";
import type { LiveChat } from "../conversation/liveChat.ts";
import { priced, tokensOfAnswer } from "../conversation/spending.ts";

/** A question in a mode that acts, with all answers to it so far. */
export interface ChatTask {
  /** Id of the question. */
  readonly id: string;
  /** The number of answers, and so of the last round. */
  readonly round: number;
  /** Unix time in milliseconds of the first request. */
  readonly startedAtMs: number;
  /** Prompt and answers of all rounds. */
  readonly tokens: number;
  /** The last round after which the user let it go on. */
  readonly agreed: number;
}

/** The task at the end of a path; undefined in the mode `ask`. */
export function taskOf(path: readonly Message[], { mode = "ask" }: ChatSettings): ChatTask | undefined {
  return mode === "ask" ? undefined : lastTask(path);
}

function lastTask(path: readonly Message[]): ChatTask | undefined {
  const at = path.findLastIndex(isQuestion);
  const question = path[at];
  if (!question) return undefined;
  const answers = path
    .slice(at + 1)
    .filter((message): message is AnswerMessage => message.role === "assistant");
  const tokens = answers.reduce((sum, answer) => sum + tokensOfAnswer(answer), 0);
  const [first] = answers;
  return {
    id: question.id,
    round: answers.length,
    startedAtMs: first?.startedAtMs ?? Date.now(),
    tokens,
    agreed: answers.findLastIndex(({ isContinued }) => isContinued) + 1,
  };
}

export function limitsOf({ task }: ChatSettings): TaskLimits {
  return { ...defaultTaskLimits, ...task };
}

/**
 * The task of an answer as the ledger and the spend gate know it. Its limits are read when a call is admitted, because the
 * user may lower them while it waits. A limit that is reached now refuses nothing: the user has let this round go on.
 */
export function spendTaskOf(chat: Pick<LiveChat, "tree" | "state">, answerId: string): SpendTask | undefined {
  const task = taskOf(chat.tree.pathTo(answerId), chat.state.settings);
  if (!task) return undefined;
  const { latest, reached } = limitsNow(chat, answerId);
  const isReached = reached() !== undefined;
  return {
    id: task.id,
    round: task.round,
    get capUsd() {
      return limitsOf(latest()).capUsd;
    },
    refusal: () => (isReached ? undefined : reached()),
  };
}

/** The settings of the chat of an answer whenever they are read, and the limit that its task has reached then. */
function limitsNow(chat: Pick<LiveChat, "tree" | "state">, answerId: string) {
  const { conversationId } = chat.state;
  let { settings } = chat.state;
  const latest = () => {
    // Another conversation has limits of its own.
    if (chat.state.conversationId === conversationId) settings = chat.state.settings;
    return settings;
  };
  const reached = () => {
    const now = lastTask(chat.tree.pathTo(answerId));
    return now && reachedLimit({ ...now, round: now.round - 1 }, latest(), Date.now());
  };
  return { latest, reached };
}

/** Who makes the calls for an answer: the question before it, and its task if it has one. */
export function sourceOfAnswer(
  chat: Pick<LiveChat, "tree" | "state">,
  answerId: string,
): SpendSource & { readonly kind: "chat" } {
  const task = spendTaskOf(chat, answerId);
  const turn = chat.tree.pathTo(answerId).findLast(isQuestion)?.id;
  return { kind: "chat", ...(task ? { task } : {}), ...(turn === undefined ? {} : { turn }) };
}

/**
 * The same for a call of another agent. Its question is a task, whatever mode the user chooses meanwhile. It makes its
 * calls without asking whether it may go on, so a limit that is reached refuses each of them.
 */
export function sourceOfAgentCall(
  chat: Pick<LiveChat, "tree" | "state">,
  answerId: string,
): SpendSource | undefined {
  const task = lastTask(chat.tree.pathTo(answerId));
  if (!task) return undefined;
  const { latest, reached } = limitsNow(chat, answerId);
  const { id, round } = task;
  return {
    kind: "chat",
    turn: id,
    task: {
      id,
      round,
      get capUsd() {
        return limitsOf(latest()).capUsd;
      },
      refusal: reached,
    },
  };
}

/** The reason that a task may not have another round; undefined if it may. */
export function reachedLimit(task: ChatTask, settings: ChatSettings, nowMs: number): string | undefined {
  const { rounds, minutes, tokens } = limitsOf(settings);
  if (task.round >= task.agreed + rounds)
    return `the task has had ${task.round === 1 ? "1 round" : `${task.round} rounds`}`;
  if (nowMs - task.startedAtMs > minutes * 60_000)
    return `the task has run for ${minutes === 1 ? "a minute" : `${minutes} minutes`}`;
  if (task.tokens > tokens)
    return `the task has used ${task.tokens.toLocaleString("en")} of its ${tokens.toLocaleString("en")} tokens`;
  return undefined;
}

/** Consecutive answers with tool calls in the mode Ask, after which the user must confirm. */
const maxRounds = 25;

/** A limit that keeps the model from going on after the calls of an answer. */
export interface ReachedLimit {
  readonly reason: string;
  readonly nextStep: string;
}

export function limitAfter(
  { tree, state }: Pick<LiveChat, "tree" | "state">,
  answerId: string,
): ReachedLimit | undefined {
  const path = tree.pathTo(answerId);
  const task = taskOf(path, state.settings);
  if (task) {
    const limit = reachedLimit(task, state.settings, Date.now());
    const nextStep = "Raise the limit in the settings of this chat, and press Continue to go on.";
    return limit === undefined ? undefined : { reason: `T${limit.slice(1)}.`, nextStep };
  }
  const last = path.findLastIndex((message) => message.role === "user" || !message.calls?.length);
  if (path.length - 1 - last < maxRounds) return undefined;
  const reason = `The model called tools ${maxRounds} times in a row.`;
  return { reason, nextStep: "Press Continue to proceed." };
}

/** Tokens of the first answer of a task: a few calls. */
const usualAnswerTokens = 300;

/** USD that the next round of a task is expected to cost by the rounds before; undefined without listed prices. */
export function predictCost(
  path: readonly Message[],
  request: ChatRequest,
  card: ModelCard | undefined,
): number | undefined {
  const start = path.findLastIndex(isQuestion) + 1;
  const usages = path
    .slice(start, -1)
    .flatMap((message) => (message.role === "assistant" && message.usage ? [message.usage] : []));
  const [last, sum] = [usages.at(-1), usages.reduce((total, usage) => total + usage.completionTokens, 0)];
  const promptTokens = promptTokensOf(request);
  const cachedShare = last && last.promptTokens > 0 ? (last.cachedTokens ?? 0) / last.promptTokens : 0;
  const { costUsd } = priced(
    {
      promptTokens,
      cachedTokens: Math.floor(promptTokens * cachedShare),
      completionTokens: usages.length > 0 ? Math.ceil(sum / usages.length) : usualAnswerTokens,
    },
    card,
  );
  return costUsd;
}

/** Tokens of a prompt, estimated. */
export function promptTokensOf({ messages, tools }: ChatRequest): number {
  return estimateJsonTokens([messages, tools]);
}

/** With fewer tokens an answer is of no use, so it is refused. */
const fewestTokens = 256;

/** A request of a task, and USD that it may cost at most. */
export interface BoundedRequest {
  readonly request: ChatRequest;
  readonly mostUsd: number | undefined;
}

/** USD that are left of the cap, and of the share of the subagent. */
function leftOf({ capUsd, subagent }: SpendTask, whole: TaskSpend): number {
  const left = (limitUsd: number, { spent, claimed }: TaskSpend) =>
    limitUsd - Counted.of(spent).plus(claimed).toNumber();
  const ofTask = left(capUsd, whole);
  const { ofSubagent } = whole;
  return subagent && ofSubagent ? Math.min(ofTask, left(subagent.capUsd, ofSubagent)) : ofTask;
}

/**
 * Limits the length of an answer to what is left of the cap, so that a long answer does not stop the task early. If not
 * even a short answer fits, the request is unchanged and the spend gate refuses it with the reason.
 */
export async function withinCap(
  session: Pick<Session, "spend">,
  client: Client,
  request: ChatRequest,
  task: SpendTask,
): Promise<BoundedRequest> {
  const call = { endpoint: "chat.stream", price: { by: "tokens" } } as const;
  const models = await client.prices.models(request.model);
  const prices = await upperPricesOf(client.prices, { ...call, input: request }, models);
  const upper = (change: Partial<ChatRequest>) =>
    upperUsd({ ...call, input: { ...request, ...change } }, prices);
  const whole = upper({});
  if (whole === 0) return { request, mostUsd: whole };
  const [one, thousand] = [1, 1001].map((tokens) => upper({ max_completion_tokens: tokens }));
  const leftUsd = leftOf(task, await (await session.spend()).taskSpend(client.connection, task));
  if (whole !== undefined && whole <= leftUsd) return { request, mostUsd: whole };
  if (one === undefined || thousand === undefined || thousand <= one) return { request, mostUsd: whole };
  const perToken = (thousand - one) / 1000;
  const tokens = Math.floor((leftUsd - one) / perToken);
  if (tokens < fewestTokens) return { request, mostUsd: whole };
  const bounded = { ...request, max_completion_tokens: tokens };
  return { request: bounded, mostUsd: upper(bounded) };
}
