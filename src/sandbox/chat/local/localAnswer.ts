import { type Members, membersOf } from "../../../shared/members.ts";
import { isTokenCount } from "../../../shared/money/believable.ts";
import { NoAnswer } from "../../local/askServer.ts";
import type { LocalModel } from "../../local/localModels.ts";
import type { ServiceCall, State } from "../../state/state.ts";
import { type ChatBody, messageText } from "../ask.ts";
import { countTokens } from "../reply/tokens.ts";
import { echoedParameters } from "../webSearch.ts";

/** Converts a local server's answer to the form of the service (spec E10, wire.md section 5). */
export interface LocalAnswer {
  /** The events for one event of the server. Throws NoAnswer with the server's message if it is an error. */
  chunks(event: unknown): readonly string[];
  /** The last events. `isDone`: the server sent [DONE]. Throws NoAnswer if the answer is incomplete. */
  end(isDone: boolean): readonly string[];
  whole(completion: unknown): object;
}

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

export function createLocalAnswer(state: State, call: ServiceCall, { model }: LocalModel): LocalAnswer {
  const body = call.input as ChatBody;
  const head = {
    id: `chatcmpl-${state.ids.hex(32)}`,
    created: Math.floor(state.now() / 1000),
    model: model.record.id,
  };
  const isVenice = state.dialect.id === "venice";
  const priced = isVenice ? { cost: { usd: 0, diem: 0 } } : {};
  let usage: Usage | undefined;
  let written = "";
  let isFinished = false;
  const chunk = (members: object) => JSON.stringify({ ...head, object: "chat.completion.chunk", ...members });
  const used = () => usageOf(usage ?? estimate(body, written));
  return {
    chunks(event) {
      throwError(event);
      const { choices, usage: reported } = membersOf(event);
      if (isUsage(reported)) usage = reported;
      const [choice] = Array.isArray(choices) ? (choices as Choice[]) : [];
      if (!choice) return [];
      const delta = spoken(choice.delta ?? {});
      written += [delta.content, delta.reasoning_content].filter((text) => typeof text === "string").join("");
      const finish_reason = choice.finish_reason ?? null;
      isFinished ||= finish_reason !== null;
      return [chunk({ choices: [{ index: 0, delta, finish_reason }] })];
    },
    end(isDone) {
      if (!isFinished && !isDone) throw new NoAnswer("broke off");
      const isAsked = body.stream_options?.include_usage ?? isVenice;
      return [...(isAsked ? [chunk({ choices: [], usage: used(), ...priced })] : []), "[DONE]"];
    },
    whole(completion) {
      const { choices, usage: reported } = membersOf(completion);
      const [choice] = choices as Choice[];
      const said = spoken(choice?.message ?? {});
      const { content = null, reasoning_content = null, tool_calls = [], function_call } = said;
      written = `${content ?? ""}${reasoning_content ?? ""}`;
      if (isUsage(reported)) usage = reported;
      const called = function_call ? { function_call } : { tool_calls };
      const message = { role: "assistant", content, reasoning_content, ...called };
      const finish_reason = choice?.finish_reason ?? "stop";
      return {
        ...head,
        object: "chat.completion",
        choices: [{ index: 0, finish_reason, stop_reason: null, logprobs: null, message }],
        usage: used(),
        ...priced,
        prompt_logprobs: null,
        [state.dialect.parametersMember]: echoedParameters(body.service_parameters ?? {}, []),
      };
    },
  };
}

/** Servers use several names for the reasoning. */
function spoken(said: Members): Members {
  const { role, content, refusal, reasoning_content, reasoning, tool_calls, function_call } = said;
  const thought = reasoning_content ?? reasoning;
  return {
    ...(role === undefined ? {} : { role }),
    ...(content === undefined ? {} : { content }),
    ...(refusal === undefined ? {} : { refusal }),
    ...(typeof thought === "string" ? { reasoning_content: thought } : {}),
    ...(function_call ? { function_call } : {}),
    ...(Array.isArray(tool_calls) && tool_calls.length > 0 ? { tool_calls } : {}),
  };
}

function throwError(event: unknown): void {
  const { error } = membersOf(event);
  if (error === undefined || error === null) return;
  const words = typeof error === "string" ? error : membersOf(error).message;
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
