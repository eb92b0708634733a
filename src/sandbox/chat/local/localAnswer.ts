import { type Members, membersOf } from "../../../shared/members.ts";
import { isTokenCount } from "../../../shared/money/believable.ts";
import { NoAnswer } from "../../local/askServer.ts";
import type { LocalModel } from "../../local/localModels.ts";
import type { ServiceCall, State } from "../../state/state.ts";
import { type ChatBody, messageText } from "../ask.ts";
import { countTokens } from "../reply/tokens.ts";
import { echoedParameters } from "../webSearch.ts";
import { AnswerText, type OfferedTool } from "./answerText.ts";

interface Choice {
  readonly delta?: Members;
  readonly message?: Members;
  readonly finish_reason?: unknown;
}

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly prompt_tokens_details?: unknown;
}

/** The tools that a request offers. In an answer in a given form, what looks like a call is the answer. */
function offeredTools({ tools, tool_choice, response_format }: ChatBody): readonly OfferedTool[] {
  if (tool_choice === "none" || (response_format && response_format.type !== "text")) return [];
  return (tools ?? []).flatMap((tool) => {
    const { name, parameters } = membersOf(membersOf(tool).function);
    return typeof name === "string" ? [{ name, parameters }] : [];
  });
}

/** Converts a local server's answer to the form of the service (spec E10, wire.md section 5). */
export class LocalAnswer {
  readonly #state: State;
  readonly #body: ChatBody;
  readonly #head: { readonly id: string; readonly created: number; readonly model: string };
  readonly #priced: object;
  readonly #texts: AnswerText;
  #usage: Usage | undefined;
  #written = "";
  #isFinished = false;
  #hasCalls = false;

  constructor(state: State, call: ServiceCall, { model }: LocalModel) {
    this.#state = state;
    this.#body = call.input as ChatBody;
    this.#head = {
      id: `chatcmpl-${state.ids.hex(32)}`,
      created: Math.floor(state.now() / 1000),
      model: model.record.id,
    };
    this.#priced = this.#isVenice ? { cost: { usd: 0, diem: 0 } } : {};
    this.#texts = new AnswerText(offeredTools(this.#body));
  }

  /** The events for one event of the server. Throws NoAnswer with the server's message if it is an error. */
  chunks(event: unknown): readonly string[] {
    throwError(event);
    const { choices, usage: reported } = membersOf(event);
    if (isUsage(reported)) this.#usage = reported;
    const [choice] = Array.isArray(choices) ? (choices as Choice[]) : [];
    if (!choice) return [];
    const { content, ...others } = spoken(choice.delta ?? {});
    this.#written += [content, others.reasoning_content].filter((text) => typeof text === "string").join("");
    this.#hasCalls ||= others.tool_calls !== undefined;
    const text = typeof content === "string" ? this.#texts.add(content) : content;
    const delta = { ...(content === undefined ? {} : { content: text }), ...others };
    const reason = choice.finish_reason ?? null;
    if (reason === null) return [this.#choice(delta, null)];
    this.#isFinished = true;
    const last = withRest(delta, this.#rest());
    return [this.#choice(last, finishOf(reason, this.#hasCalls))];
  }

  /** The last events. `isDone`: the server sent [DONE]. Throws NoAnswer if the answer is incomplete. */
  end(isDone: boolean): readonly string[] {
    if (!this.#isFinished && !isDone) throw new NoAnswer("broke off");
    const isAsked = this.#body.stream_options?.include_usage ?? this.#isVenice;
    const delta = this.#rest();
    const isMore = Object.keys(delta).length > 0 || !this.#isFinished;
    return [
      ...(isMore ? [this.#choice(delta, finishOf("stop", this.#hasCalls))] : []),
      ...(isAsked ? [this.#chunk({ choices: [], usage: this.#used, ...this.#priced })] : []),
      "[DONE]",
    ];
  }

  whole(completion: unknown): object {
    const { choices, usage: reported } = membersOf(completion);
    const [choice] = choices as Choice[];
    const said = spoken(choice?.message ?? {});
    const { content: given = null, reasoning_content = null, tool_calls: named = [], function_call } = said;
    this.#written = `${given ?? ""}${reasoning_content ?? ""}`;
    this.#hasCalls = said.tool_calls !== undefined || function_call !== undefined;
    const text = typeof given === "string" ? this.#texts.add(given) : "";
    const { content: more = "", tool_calls = named } = this.#rest();
    const content = typeof given === "string" ? text + more : given;
    if (isUsage(reported)) this.#usage = reported;
    const called = function_call ? { function_call } : { tool_calls };
    const message = { role: "assistant", content, reasoning_content, ...called };
    const finish_reason = finishOf(choice?.finish_reason ?? "stop", this.#hasCalls);
    return {
      ...this.#head,
      object: "chat.completion",
      choices: [{ index: 0, finish_reason, stop_reason: null, logprobs: null, message }],
      usage: this.#used,
      ...this.#priced,
      prompt_logprobs: null,
      [this.#state.dialect.parametersMember]: echoedParameters(this.#body.service_parameters ?? {}, []),
    };
  }

  get #isVenice(): boolean {
    return this.#state.dialect.id === "venice";
  }

  get #used(): object {
    return usageOf(this.#usage ?? estimate(this.#body, this.#written));
  }

  #choice(delta: Members, finish_reason: unknown): string {
    return this.#chunk({ choices: [{ index: 0, delta, finish_reason }] });
  }

  #chunk(members: object): string {
    return JSON.stringify({ ...this.#head, object: "chat.completion.chunk", ...members });
  }

  /** What is left of the text, and the calls in it, as members of the last delta. */
  #rest(): Members {
    const { text, calls } = this.#texts.end(this.#hasCalls);
    const tool_calls = calls.map(({ name, arguments: given }, index) => ({
      index,
      id: `call_${this.#state.ids.hex(24)}`,
      type: "function",
      function: { name, arguments: given },
    }));
    this.#hasCalls ||= calls.length > 0;
    return { ...(text === "" ? {} : { content: text }), ...(calls.length === 0 ? {} : { tool_calls }) };
  }
}

/** Several servers end an answer with calls by `stop`. */
function finishOf(reason: unknown, hasCalls: boolean): unknown {
  return hasCalls && reason === "stop" ? "tool_calls" : reason;
}

function withRest(delta: Members, { content = "", ...calls }: Members): Members {
  const text = `${typeof delta.content === "string" ? delta.content : ""}${content}`;
  return { ...delta, ...(text === "" ? {} : { content: text }), ...calls };
}

/** Servers use several names for the reasoning. */
function spoken(said: Members): Members {
  const { role, content, refusal, tool_calls, function_call } = said;
  const { reasoning_content, reasoning, thinking, reasoning_text } = said;
  const thought = [reasoning_content, reasoning, thinking, reasoning_text].find(
    (one) => typeof one === "string",
  );
  return {
    ...(role === undefined ? {} : { role }),
    ...(content === undefined ? {} : { content }),
    ...(refusal === undefined ? {} : { refusal }),
    ...(thought === undefined ? {} : { reasoning_content: thought }),
    ...(function_call ? { function_call } : {}),
    ...(Array.isArray(tool_calls) && tool_calls.length > 0 ? { tool_calls } : {}),
  };
}

function throwError(event: unknown): void {
  const { error, object, message } = membersOf(event);
  if (object !== "error" && (error === undefined || error === null)) return;
  const words = typeof error === "string" ? error : (membersOf(error).message ?? message);
  throw new NoAnswer(`failed (${typeof words === "string" ? words : "no reason given"})`);
}

/** The sandbox counts tokens if the server doesn't. */
function estimate(body: ChatBody, written: string): Usage {
  const prompt_tokens = body.messages.reduce((sum, message) => sum + countTokens(messageText(message)), 0);
  return { prompt_tokens, completion_tokens: countTokens(written) };
}

function usageOf({ prompt_tokens, completion_tokens, prompt_tokens_details: details }: Usage): object {
  const { cached_tokens: cached } = membersOf(details);
  const cached_tokens = isTokenCount(cached) && cached <= prompt_tokens ? cached : 0;
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    prompt_tokens_details: { cached_tokens },
    completion_tokens_details: null,
  };
}

function isUsage(value: unknown): value is Usage {
  const { prompt_tokens, completion_tokens } = membersOf(value);
  return Number.isInteger(prompt_tokens) && Number.isInteger(completion_tokens);
}
