import type { ChatRequest } from "../../../api/endpoints/chat/chatRequest.ts";
import { type LoggedMessage, summaryBlock, summaryRules } from "../../../shared/chat/taskSummary.ts";
import { estimateTokens } from "../../../shared/chat/tokenEstimate.ts";
import { type AnswerSummary, isQuestion, type Message } from "../../protocol/chatMessages.ts";

/** A summary that a task needs before its next request. */
export interface DueSummary {
  /** Asks for the text. */
  readonly request: ChatRequest;
  readonly summary: AnswerSummary;
}

/** The path as it is sent: the last summary stands for the messages up to its end. */
export function summarisedPath(path: readonly Message[]): readonly Message[] {
  const summary = lastSummary(path);
  const end = summary ? path.findIndex(({ id }) => id === summary.throughId) : -1;
  if (!summary || end < 0) return path;
  const [older, rest] = [path.slice(0, end + 1), path.slice(end + 1)];
  const block = summaryBlock(summary.text);
  const [next, ...others] = rest;
  if (isQuestion(next)) return [{ ...next, text: `${block}\n\n${next.text}` }, ...others];
  const question = older.findLast(isQuestion);
  return question ? [{ ...question, text: `${question.text}\n\n${block}` }, ...rest] : path;
}

function lastSummary(path: readonly Message[]): AnswerSummary | undefined {
  return path.map(summaryOf).findLast((summary) => summary !== undefined);
}

/** A summary without text is being written, or failed. */
function summaryOf(message: Message): AnswerSummary | undefined {
  return message.role === "assistant" && message.summary?.text ? message.summary : undefined;
}

/** A task is summarised once its request fills this share of the room of a prompt. */
const fullShare = 0.8;

export function isNearlyFull(tokens: number, room: number): boolean {
  return tokens > room * fullShare;
}

/** Share of the room for the newest messages, which are sent as they are. */
const keptShare = 0.3;
/** Share of the room for the log that is summarised. The rest holds its rules and what was estimated too low. */
const logShare = 0.6;
/** The most tokens of a summary, with its reasoning; less in a small context. */
const summaryTokens = 8000;
const summaryShare = 0.15;

/** Sizes of a request, in tokens. */
export interface RequestSizes {
  /** For the prompt of the model. */
  readonly room: number;
  /** Sent besides the messages: the system prompt and the tools. */
  readonly fixed: number;
  readonly tokensOf: (message: Message) => number;
  /** The path with its results as they are sent. */
  readonly asSent: (path: readonly Message[]) => readonly Message[];
}

/**
 * The summary that is due before the last answer of a path is requested; undefined if the messages fit, or if none can
 * be summarised. The question, the results of the last round and the newest messages are never summarised.
 */
export function dueSummary(
  path: readonly Message[],
  { room, fixed, tokensOf, asSent }: RequestSizes,
): DueSummary | undefined {
  const answer = path.at(-1);
  if (answer?.role !== "assistant" || answer.summary?.text) return undefined;
  const sent = asSent(summarisedPath(path)).slice(0, -1);
  const sizes = sent.map(tokensOf);
  const whole = sizes.reduce((sum, tokens) => sum + tokens, fixed);
  if (!isNearlyFull(whole, room)) return undefined;
  const from = firstKept(sizes, room * keptShare);
  const older = sent.slice(0, from);
  const last = older.at(-1);
  if (!last || !older.some(({ role }) => role === "assistant")) return undefined;
  const request = {
    model: answer.model,
    messages: [
      { role: "system", content: summaryRules },
      { role: "user", content: logOf(older, room * logShare) },
    ],
    max_completion_tokens: Math.min(summaryTokens, Math.floor(room * summaryShare)),
    stream_options: { include_usage: true },
    service_parameters: { include_venice_system_prompt: false },
  } satisfies ChatRequest;
  const messageCount = path.findIndex(({ id }) => id === last.id) + 1;
  return { request, summary: { text: "", throughId: last.id, messageCount } };
}

/** The index of the first message that is kept: the last one always is. */
function firstKept(sizes: readonly number[], room: number): number {
  let sum = 0;
  for (let at = sizes.length - 1; at >= 0; at--) {
    sum += sizes[at] ?? 0;
    if (sum > room) return Math.min(at + 1, sizes.length - 1);
  }
  return 0;
}

/** Characters of one text or result in the log: the longest that fit. */
const lengths = [8000, 4000, 2000, 1000, 400, 100];
/** Characters of a question, which may hold an earlier summary. */
const questionLength = 24_000;

/** The log of the messages, within a number of tokens. Long texts are cut in their middle first, then the whole. */
function logOf(messages: readonly Message[], maxTokens: number): string {
  let log = "";
  for (const length of lengths) {
    log = messages.map((message) => JSON.stringify(logged(message, length))).join("\n");
    if (estimateTokens(log) <= maxTokens) return log;
  }
  return shortened(log, Math.floor(maxTokens));
}

function logged(message: Message, length: number): LoggedMessage {
  if (message.role === "user") return { from: "user", text: shortened(message.text, questionLength) };
  const { text, calls = [] } = message;
  const cut = calls.map(({ name, arguments: given, result = "" }) => ({
    name,
    arguments: shortened(given, length),
    result: shortened(result, length),
  }));
  return { from: "model", text: shortened(text, length), ...(cut.length > 0 ? { calls: cut } : {}) };
}

function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = Math.floor(length / 2);
  return `${text.slice(0, half)} … ${(text.length - 2 * half).toLocaleString("en")} characters left out … ${text.slice(-half)}`;
}
