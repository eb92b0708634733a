import type { ChatMessage, ToolCall } from "../../../api/endpoints/chat/chatRequest.ts";
import { estimateJsonTokens } from "../../../shared/chat/tokenEstimate.ts";
import { sentToolArguments } from "../../../shared/chat/toolArguments.ts";
import { isMembers } from "../../../shared/members.ts";
import { isStreamLine } from "../../../shared/text/html/bodyWords.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";
import { isLocalModel } from "../../../shared/web/modelServer.ts";
import type { Reply } from "../../http/reply.ts";
import {
  askServer,
  NoAnswer,
  type ServerAnswer,
  serverAnswerText as wholeText,
} from "../../local/askServer.ts";
import type { LocalModel } from "../../local/localModels.ts";
import { badField, Refusal } from "../../refusal.ts";
import type { ServiceCall, State } from "../../state/state.ts";
import { type ChatBody, messageText, partsOf } from "../ask.ts";
import { type ReadDocument, withDocumentText } from "./documentParts.ts";
import type { FilledIn, FillIns } from "./fillIn.ts";
import { LocalAnswer } from "./localAnswer.ts";
import { errorWords, serverWords } from "./serverWords.ts";

/** Idle time limit in milliseconds. Loading a model from disk can take minutes. */
const answerIdleMs = 600_000;
const mostAnswerBytes = 32_000_000;

/** The requested model of a server on this machine. Undefined for the sandbox's own models. */
export async function findLocalModel(
  { localModels }: State,
  call: ServiceCall,
): Promise<LocalModel | undefined> {
  const { model } = call.input as ChatBody;
  const known = localModels.find(model);
  // After a reload a request can come before the first listing.
  if (known || !isLocalModel(model)) return known;
  const { problems } = await localModels.scan(call.signal);
  const found = localModels.find(model);
  const server = localModels.serverOf(model);
  if (found || !server) return found;
  const why = problems.find((problem) => problem.includes(server.url)) ?? `${server.name} does not list it.`;
  throw new Refusal(
    503,
    `The model ${model} runs on this machine, but ${why} Start it, or choose another model`,
  );
}

export interface LocalChatDeps {
  readonly readDocument: ReadDocument;
  readonly fillIns: FillIns;
}

/** Forwards a chat, or a completion of code, to the server of a local model. It is free. */
export async function completeLocally(
  state: State,
  call: ServiceCall,
  local: LocalModel,
  { readDocument, fillIns }: LocalChatDeps,
): Promise<Reply> {
  const body = call.input as ChatBody;
  const messages = await withDocumentText(body.messages, readDocument, call.signal);
  const { server } = local;
  const broken = (error: unknown): Refusal => {
    call.signal.throwIfAborted();
    if (!(error instanceof NoAnswer)) throw error;
    return new Refusal(503, `${whereOf(server)} ${error.message}`);
  };
  const question = toQuestion({ ...body, messages }, local, call.streamed);
  try {
    const { signal } = call;
    const filled = call.streamed ? undefined : await fillIns.fill(body, local, signal);
    if (filled) return filledReply(new LocalAnswer(state, call, local), filled);
    await refuseSilentCut(state, local, question, signal);
    const url = `${server.url}/v1/chat/completions`;
    const reply = await askServer({ url, body: question, signal, idleMs: answerIdleMs });
    if (reply.status !== 200) throw await refusalOf(reply, local);
    state.localModels.renew(server);
    const answer = new LocalAnswer(state, call, local);
    if (call.streamed) return await toEvents(reply, answer, local, call);
    return { status: 200, headers: {}, body: { kind: "json", value: await toWhole(reply, answer, local) } };
  } catch (error) {
    throw error instanceof Refusal ? error : broken(error);
  }
}

function filledReply(answer: LocalAnswer, { text, finishReason, usage }: FilledIn): Reply {
  const choices = [{ message: { role: "assistant", content: text }, finish_reason: finishReason }];
  return { status: 200, headers: {}, body: { kind: "json", value: answer.whole({ choices, usage }) } };
}

/** A request that is smaller fits each size that a server runs a model with. */
const surelyFits = 1200;
/** Tokens that are left for an answer at least. */
const answerRoom = 256;

/** Ollama drops the beginning of a prompt that is too long, with the instructions in it, and says nothing. */
async function refuseSilentCut(
  { localModels }: State,
  local: LocalModel,
  { messages, tools }: Question,
  signal: AbortSignal,
): Promise<void> {
  const tokens = estimateJsonTokens([messages, tools]);
  if (tokens <= surelyFits) return;
  const limit = await localModels.silentLimit(local, signal);
  if (limit === undefined || tokens + answerRoom <= limit) return;
  const { name, server, facts } = local;
  const wanted = 2 ** Math.ceil(Math.log2(tokens + 8 * answerRoom));
  const most = facts.trainedTokens ?? Number.POSITIVE_INFINITY;
  const raise =
    limit < most
      ? `Set “Context length” in the settings of ${server.name}, or start it with OLLAMA_CONTEXT_LENGTH=${Math.min(wanted, most)}.`
      : "The model holds no more.";
  throw new Refusal(
    400,
    `${server.name} runs ${name} with a context length of ${limit} tokens, and this request has about ${tokens}: it would drop the beginning of it without a word. ${raise}`,
    { code: "context_length_exceeded" },
  );
}

type Question = ReturnType<typeof toQuestion>;

/** The request with the members that all such servers support. */
function toQuestion(body: ChatBody, local: LocalModel, stream: boolean) {
  if ((body.n ?? 1) > 1) throw badField(["n"], "A model on this machine gives one answer at a time");
  const limit = body.max_completion_tokens ?? body.max_tokens;
  const { temperature, top_p, frequency_penalty, presence_penalty, seed, stop } = body;
  const { tools, tool_choice, response_format } = body;
  return {
    model: local.name,
    messages: body.messages.map(toMessage),
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    ...(limit !== undefined && limit > 0 ? { max_tokens: limit } : {}),
    // JSON leaves out undefined members.
    ...{ temperature, top_p, frequency_penalty, presence_penalty, seed, stop },
    ...(tools && tools.length > 0 ? { tools, tool_choice } : { tools: undefined }),
    response_format,
    ...reasoningMembers(body, local),
  };
}

/** Only for a model that reasons: others refuse it. */
function reasoningMembers(
  { reasoning_effort, reasoning, service_parameters }: ChatBody,
  { product, facts }: LocalModel,
): object {
  if (facts.reasoning !== true) return {};
  if (service_parameters?.disable_thinking === true)
    return product === "ollama"
      ? { reasoning_effort: "none" }
      : { chat_template_kwargs: { enable_thinking: false } };
  const effort = reasoning_effort ?? reasoning?.effort;
  return effort === undefined ? {} : { reasoning_effort: effort };
}

function toMessage(message: ChatMessage): object {
  const parts = partsOf(message);
  const odd = parts.find(({ type }) => type !== "image_url");
  if (odd) throw badField(["messages"], `A model on this machine accepts text and images, not ${odd.type}`);
  const { role, name, tool_calls, tool_call_id } = message as ChatMessage & Readonly<Record<string, unknown>>;
  return {
    role: role === "developer" ? "system" : role,
    content: parts.length > 0 ? message.content : messageText(message),
    name,
    tool_calls: Array.isArray(tool_calls) ? tool_calls.map(withValidArguments) : tool_calls,
    tool_call_id,
  };
}

/**
 * Such servers parse the arguments, and refuse the whole conversation if they are no JSON. They know no custom calls, which a
 * model elsewhere may have made before in the conversation.
 */
function withValidArguments(call: ToolCall): ToolCall {
  if (call.type === "custom" && "custom" in call) {
    const { name, input } = call.custom as { readonly name: string; readonly input: string };
    const given = parseJson(input);
    const text = isMembers(given) ? input : JSON.stringify({ input });
    return { id: call.id, type: "function", function: { name, arguments: text } };
  }
  if (call.type !== "function" || !("function" in call)) return call;
  const made = call.function as { readonly name: string; readonly arguments?: unknown };
  const text = typeof made.arguments === "string" ? made.arguments : "";
  return { ...call, function: { ...made, arguments: sentToolArguments(text) } } as ToolCall;
}

/** The server's own message and status: for example an unknown model or no support for tools. */
async function refusalOf(reply: ServerAnswer, { server }: LocalModel): Promise<Refusal> {
  const text = await wholeText(reply, mostAnswerBytes);
  const said = errorWords(text) ?? `it answered HTTP ${reply.status}`;
  return new Refusal(statusOf(reply.status, said), `${server.name}: ${said}`);
}

/** Servers name a prompt that is too long by several statuses, 500 among them. */
function statusOf(status: number, said: string): number {
  if (isTooLong(said)) return 400;
  return [400, 404, 413, 422, 429].includes(status) ? status : 503;
}

function isTooLong(said: string): boolean {
  return /context[ _](length|size|window)|prompt is too long/i.test(said);
}

/** The server's name and address. The name may be the address. */
function whereOf({ name, url }: LocalModel["server"]): string {
  return name === new URL(url).host ? url : `${name} at ${url}`;
}

async function toWhole(reply: ServerAnswer, answer: LocalAnswer, { server }: LocalModel): Promise<object> {
  const text = await wholeText(reply, mostAnswerBytes);
  try {
    return answer.whole(JSON.parse(text));
  } catch {
    throw new Refusal(503, `${whereOf(server)} sent a reply that is not a chat completion`);
  }
}

async function toEvents(
  reply: ServerAnswer,
  answer: LocalAnswer,
  local: LocalModel,
  call: ServiceCall,
): Promise<Reply> {
  if (!reply.contentType.includes("event-stream")) return wholeAsEvents(reply, answer, local);
  const batches = async function* () {
    let hasBegun = false;
    try {
      for await (const chunks of streamedChunks(reply, answer, local)) {
        hasBegun = true;
        yield chunks;
      }
    } catch (error) {
      call.signal.throwIfAborted();
      // The headers are sent, so the error is sent as an event (wire.md section 5).
      yield [errorEvent(error, local, hasBegun), "[DONE]"];
    }
  };
  return { status: 200, headers: {}, body: { kind: "events", batches: batches() } };
}

/** The chunks of a stream, and its end. Of a whole answer in place of events, the chunks that it would have had. */
async function* streamedChunks(
  reply: ServerAnswer,
  answer: LocalAnswer,
  { server }: LocalModel,
): AsyncGenerator<readonly string[]> {
  const body = new StreamBody();
  let isDone = false;
  for await (const data of body.eventsIn(reply.pieces)) {
    isDone = data === "[DONE]";
    if (isDone) break;
    const chunks = answer.chunks(parsedEvent(data));
    if (chunks.length > 0) yield chunks;
  }
  const value = completionIn(body.other);
  if (value) yield wholeChunks(value, answer);
  else if (body.other !== "") throw new Refusal(503, `${whereOf(server)} ${notAStream("text", body.other)}`);
  yield answer.end(isDone || value !== undefined);
}

function errorEvent(error: unknown, { server }: LocalModel, hasBegun: boolean): string {
  const why = String((error as Error).message);
  const when = hasBegun ? "in the middle of the answer" : "before the answer began";
  const message = error instanceof Refusal ? why : `${server.name} ${why} ${when}`;
  const code = isTooLong(why) ? "context_length_exceeded" : "upstream_error";
  return JSON.stringify({ error: { message, type: "server_error", code } });
}

function parsedEvent(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    const said = serverWords(data);
    throw new NoAnswer(`sent an event that is not JSON${said === "" ? "" : ` (${said})`}`);
  }
}

/** A server that ignores `stream` sends one complete answer. Anything else is its error, in its words. */
async function wholeAsEvents(
  reply: ServerAnswer,
  answer: LocalAnswer,
  { server }: LocalModel,
): Promise<Reply> {
  const text = await wholeText(reply, mostAnswerBytes);
  const value = completionIn(text);
  if (value === undefined) {
    const what = reply.contentType.split(";")[0] || "something";
    throw new Refusal(503, `${whereOf(server)} ${notAStream(what, text)}`);
  }
  const chunks = wholeChunks(value, answer);
  const batches = async function* () {
    yield [...chunks, ...answer.end(true)];
  };
  return { status: 200, headers: {}, body: { kind: "events", batches: batches() } };
}

/** `answered with text/html, not with a stream: “Sign in”`. */
function notAStream(what: string, text: string): string {
  const said = serverWords(text);
  return `answered with ${what}, not with a stream${said === "" ? "" : `: ${said}`}`;
}

function wholeChunks(completion: Completion, answer: LocalAnswer): readonly string[] {
  const choices = completion.choices.map(({ message, ...choice }) => ({ ...choice, delta: message }));
  return answer.chunks({ ...completion, choices });
}

interface Completion {
  readonly choices: readonly Readonly<Record<string, unknown>>[];
}

function completionIn(text: string): Completion | undefined {
  const value = parseJson(text) as { readonly choices?: unknown } | null | undefined;
  return Array.isArray(value?.choices) ? (value as Completion) : undefined;
}

const mostEventLength = 4_000_000;

/** The body of a reply that calls itself an event stream. */
class StreamBody {
  /** What is in it in place of events; empty as soon as there is one. */
  other = "";
  #hasEvent = false;
  /** The event that comes is the server's error, whatever its data look like. */
  #isError = false;

  /** The data of each event. */
  async *eventsIn(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const piece of pieces) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > mostEventLength) throw new NoAnswer("sent an event that is too long");
      for (const line of lines) yield* this.#dataOf(line);
    }
    yield* this.#dataOf(rest);
  }

  *#dataOf(line: string): Generator<string> {
    if (line.startsWith("event:")) this.#isError = line.slice(6).trim() === "error";
    // Several servers write their error as a bare line.
    const data = line.startsWith("data:") ? line.slice(5).trim() : undefined;
    const bare = data === undefined && this.#hasEvent && line.startsWith('{"error"') ? line.trim() : data;
    if (bare !== undefined) {
      if (this.#isError) throw new NoAnswer(`failed (${serverWords(bare) || "no reason given"})`);
      this.#hasEvent = true;
      this.other = "";
      yield bare;
    } else if (!this.#hasEvent && !isStreamLine(line) && this.other.length < mostEventLength)
      this.other += `${line}\n`;
  }
}
