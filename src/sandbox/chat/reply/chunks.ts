import type { Script, ScriptCall } from "../script.ts";
import type { ComposedAnswer } from "./compose.ts";
import { logprobOf, promptLogprobs } from "./logprobs.ts";
import { tokensOf } from "./tokens.ts";
import { usageOf } from "./usage.ts";

/** The events of a streamed answer as JSON texts (wire.md section 5). Only `paced` ones wait for the token rate. */
export interface EventScript {
  readonly before: readonly string[];
  readonly paced: Iterable<string>;
  readonly after: readonly string[];
}

/** `priced`: members with the cost of the answer. */
export function toEvents(answer: ComposedAnswer, parametersMember: string, priced: object): EventScript {
  const { ask, scripts, parameters } = answer;
  const indexes = scripts.map((_, index) => index);
  const choice = (index: number, delta: object) =>
    chunk(answer, { choices: [{ index, delta, finish_reason: null }] });
  const cited = ask.switches.include_search_results_in_stream
    ? [chunk(answer, { choices: [], [parametersMember]: parameters })]
    : [];
  const ends = scripts.map(({ finish, stopReason }, index) =>
    chunk(answer, { choices: [{ index, delta: {}, finish_reason: finish, stop_reason: stopReason }] }),
  );
  // The dialects send the sources at opposite ends (wire.md section 5).
  const first = ask.dialect === "standard" ? cited : [];
  const last = ask.dialect === "standard" ? [] : cited;
  const prompt = promptLogprobs(ask);
  const prompted = prompt ? [chunk(answer, { choices: [], prompt_logprobs: prompt })] : [];
  return {
    before: [
      ...first,
      ...prompted,
      ...indexes.map((index) => choice(index, { role: "assistant", content: "" })),
    ],
    paced: interleaved(scripts.map((script, index) => pieces(answer, script, index))),
    after: [...ends, ...last, ...usageChunk(answer, priced), "[DONE]"],
  };
}

/** `venice` always sends usage, `standard` on request. */
function usageChunk(answer: ComposedAnswer, priced: object): string[] {
  const { ask, scripts } = answer;
  const asked = ask.body.stream_options?.include_usage;
  if (!(asked ?? ask.dialect === "venice")) return [];
  return [chunk(answer, { choices: [], usage: usageOf(ask, scripts), ...priced })];
}

function chunk({ id, created, ask }: ComposedAnswer, members: object): string {
  return JSON.stringify({
    id,
    object: "chat.completion.chunk",
    created,
    model: ask.model.record.id,
    ...members,
  });
}

function* pieces(answer: ComposedAnswer, script: Script, index: number): Generator<string> {
  yield* deltas(answer, index, "reasoning_content", script.reasoning);
  yield* deltas(answer, index, "content", script.content);
  for (const [position, call] of script.calls.entries()) yield* callPieces(answer, index, position, call);
}

/** A long answer has hundreds of thousands of chunks, so everything except the token is encoded once. */
function* deltas(answer: ComposedAnswer, index: number, member: string, text: string): Generator<string> {
  const mark = "\u0000";
  const whole = chunk(answer, { choices: [{ index, delta: { [member]: mark }, finish_reason: null }] });
  const [head = "", tail = ""] = whole.split(JSON.stringify(mark));
  const { logprobs, top_logprobs = 0 } = answer.ask.body;
  for (const token of tokensOf(text)) {
    if (logprobs && member === "content") yield withLogprobs(answer, index, token, top_logprobs);
    else yield head + JSON.stringify(token) + tail;
  }
}

function withLogprobs(answer: ComposedAnswer, index: number, token: string, alternatives: number): string {
  const logprobs = { content: [logprobOf(token, alternatives)] };
  return chunk(answer, { choices: [{ index, delta: { content: token }, finish_reason: null, logprobs }] });
}

/** The first chunk has name and id. The arguments follow in fragments with the same index. */
function* callPieces(
  answer: ComposedAnswer,
  index: number,
  position: number,
  call: ScriptCall,
): Generator<string> {
  const delta = (members: object) =>
    chunk(answer, {
      choices: [{ index, delta: { tool_calls: [{ index: position, ...members }] }, finish_reason: null }],
    });
  yield delta({ id: call.id, type: call.type, function: { name: call.function.name, arguments: "" } });
  for (const token of tokensOf(call.function.arguments)) yield delta({ function: { arguments: token } });
}

/** One item of each source in turn, until all end. */
function* interleaved<T>(sources: readonly Iterator<T>[]): Generator<T> {
  let open = sources;
  while (open.length > 0) {
    const still: Iterator<T>[] = [];
    for (const source of open) {
      const { done, value } = source.next();
      if (done) continue;
      still.push(source);
      yield value;
    }
    open = still;
  }
}
