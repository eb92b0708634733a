import {
  type CompletionQuestion,
  completionRules,
  readCompletionPrompt,
} from "../../../shared/chat/completionPrompt.ts";
import { membersOf } from "../../../shared/members.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";
import { askServer, serverAnswerText } from "../../local/askServer.ts";
import type { LocalModel } from "../../local/localModels.ts";
import { type ChatBody, messageText } from "../ask.ts";
import { codeFamilyOf } from "./codeFamilies.ts";

/** Text between a prefix and a suffix, as the server wrote it. */
export interface FilledIn {
  readonly text: string;
  readonly finishReason: string;
  readonly usage: unknown;
}

/** A completion that a server may fill in: the place, and the limits of the request. */
interface Gap extends CompletionQuestion {
  readonly max_tokens: number | undefined;
  readonly temperature: number | undefined;
  readonly stop: readonly string[];
}

/** A request to a server of models, and where its answer has the text. */
interface FillRequest {
  readonly path: string;
  readonly body: object;
  readonly read: (reply: unknown) => FilledIn | undefined;
}

/** The editor waits for a completion, but a model may be loaded for it. */
const idleMs = 120_000;
const mostBytes = 1_000_000;
/** After this time a model that could not fill in is tried once more: its server may have been updated. */
const triedAgainMs = 30 * 60_000;
const mostRemembered = 200;

/**
 * Completions of code between a prefix and a suffix, for models that were trained for it. They answer it better and
 * faster than a chat about the code. A model that can't is remembered, and its completions are asked for as chats.
 */
export class FillIns {
  readonly #now: () => number;
  /** When a model was found to fill nothing in, by its id. */
  readonly #unable = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Undefined if this is no completion, or has to be asked for as a chat. Throws NoAnswer or the signal's reason. */
  async fill(body: ChatBody, local: LocalModel, signal: AbortSignal): Promise<FilledIn | undefined> {
    const { id } = local.model.record;
    if ((this.#unable.get(id) ?? Number.NEGATIVE_INFINITY) + triedAgainMs > this.#now()) return undefined;
    const gap = gapIn(body);
    const request = gap && requestFor(gap, local);
    if (!request) return undefined;
    const url = `${local.server.url}${request.path}`;
    const reply = await askServer({ url, body: request.body, signal, idleMs });
    const text = await serverAnswerText(reply, mostBytes);
    const filled = reply.status === 200 ? request.read(parseJson(text)) : undefined;
    if (filled) return filled;
    // The chat that follows tells of a server that is too busy or broken.
    if (reply.status < 500 || reply.status === 501 || /not support|infill|fim/i.test(text)) this.#forgo(id);
    return undefined;
  }

  #forgo(id: string): void {
    this.#unable.delete(id);
    this.#unable.set(id, this.#now());
    if (this.#unable.size > mostRemembered)
      for (const oldest of [...this.#unable.keys()].slice(0, 1)) this.#unable.delete(oldest);
  }
}

/** The place of a request that the editor's completions made; undefined for any other. */
function gapIn({
  messages,
  max_completion_tokens,
  max_tokens,
  temperature,
  stop,
  tools,
}: ChatBody): Gap | undefined {
  const [rules, asked] = messages;
  if (!rules || !asked || messages.length !== 2 || tools?.length || messageText(rules) !== completionRules)
    return undefined;
  const question = readCompletionPrompt(messageText(asked));
  if (!question) return undefined;
  const stops = typeof stop === "string" ? [stop] : (stop ?? []);
  return { ...question, max_tokens: max_completion_tokens ?? max_tokens, temperature, stop: stops };
}

function requestFor(gap: Gap, { name, product, facts }: LocalModel): FillRequest | undefined {
  const { max_tokens, temperature, stop, before, after } = gap;
  if (product === "llama.cpp") return infillOf(gap);
  const limits = { max_tokens, temperature, stream: false };
  if (product === "ollama" && facts.inserts === true) {
    // Without a suffix it would answer as a chat.
    const body = { model: name, prompt: before, suffix: after === "" ? "\n" : after, stop, ...limits };
    return { path: "/v1/completions", body, read: ofCompletions };
  }
  const family = codeFamilyOf(name);
  if (!family) return undefined;
  const prompt = family.prompt(gap);
  const stops = [...stop, ...family.stops];
  if (product !== "ollama")
    return {
      path: "/v1/completions",
      body: { model: name, prompt, stop: stops.slice(0, mostStops), ...limits },
      read: ofCompletions,
    };
  // Its `/v1/completions` would put the tokens into the template of a chat.
  const options = { num_predict: max_tokens, temperature, stop: stops };
  return {
    path: "/api/generate",
    body: { model: name, prompt, raw: true, stream: false, options },
    read: ofGenerate,
  };
}

/** Several servers refuse more. */
const mostStops = 4;

/** llama.cpp knows the tokens of its model. */
function infillOf({ before, after, excerpts, max_tokens, temperature, stop }: Gap): FillRequest {
  const body = {
    input_prefix: before,
    input_suffix: after,
    input_extra: excerpts.map(({ name, text }) => ({ filename: name, text })),
    prompt: "",
    n_predict: max_tokens,
    temperature,
    stop,
    stream: false,
    cache_prompt: true,
  };
  return { path: "/infill", body, read: ofInfill };
}

function ofCompletions(reply: unknown): FilledIn | undefined {
  const { choices, usage } = membersOf(reply);
  const { text, finish_reason } = membersOf(Array.isArray(choices) ? choices[0] : undefined);
  if (typeof text !== "string") return undefined;
  return { text, finishReason: finish_reason === "length" ? "length" : "stop", usage };
}

function ofGenerate(reply: unknown): FilledIn | undefined {
  const { response, done_reason, prompt_eval_count, eval_count } = membersOf(reply);
  if (typeof response !== "string") return undefined;
  const usage = { prompt_tokens: prompt_eval_count, completion_tokens: eval_count };
  return { text: response, finishReason: done_reason === "length" ? "length" : "stop", usage };
}

function ofInfill(reply: unknown): FilledIn | undefined {
  const { content, stop_type, tokens_evaluated, tokens_predicted } = membersOf(reply);
  if (typeof content !== "string") return undefined;
  const usage = { prompt_tokens: tokens_evaluated, completion_tokens: tokens_predicted };
  return { text: content, finishReason: stop_type === "limit" ? "length" : "stop", usage };
}
