import { json, type Reply } from "../http/reply.ts";
import type { Call, Handler, State } from "../state.ts";
import { toEvents } from "./chunks.ts";
import { type Answer, compose } from "./compose.ts";
import { logprobOf } from "./logprobs.ts";
import { paced } from "./pace.ts";
import type { Script } from "./script.ts";
import { tokensOf } from "./tokens.ts";
import { costOf, usageOf } from "./usage.ts";

/** POST /chat/completions, whole or as events (spec E10, wire.md section 5). */
export const completeChat: Handler = (state, call) => {
  const answer = compose(state, call);
  state.rates.spend(call.scope, usageOf(answer.ask, answer.scripts).total_tokens);
  const headers = deprecationHeaders(answer);
  if (call.streamed) return streamed(state, call, answer, headers);
  const { body } = json(completion(state, answer));
  return { status: 200, headers, body: { ...body, mayCompress: true } as Reply["body"] };
};

function streamed(state: State, call: Call, answer: Answer, headers: Record<string, string>): Reply {
  const { before, paced: rest, after } = toEvents(answer, state.dialect.parametersMember);
  const batches = async function* () {
    yield before;
    yield* paced(rest, state.tokensPerSecond, call.signal);
    yield after;
  };
  const whole = () => completion(state, answer);
  return { status: 200, headers, body: { kind: "events", batches: batches(), whole } };
}

function completion({ dialect }: State, answer: Answer): object {
  const { id, created, ask, scripts, citations, parameters } = answer;
  const usage = usageOf(ask, scripts);
  return {
    id,
    object: "chat.completion",
    created,
    model: ask.model.record.id,
    choices: scripts.map((script, index) => choiceOf(script, index, answer)),
    usage,
    ...costOf(ask, usage, citations.length > 0),
    prompt_logprobs: null,
    [dialect.parametersMember]: parameters,
  };
}

function choiceOf(script: Script, index: number, { ask }: Answer): object {
  const { logprobs, top_logprobs = 0 } = ask.body;
  const entries = () => [...tokensOf(script.content)].map((token) => logprobOf(token, top_logprobs));
  return {
    index,
    finish_reason: script.finish,
    stop_reason: script.stopReason,
    logprobs: logprobs ? { content: entries() } : null,
    message: {
      role: "assistant",
      content: script.content,
      reasoning_content: script.reasoning === "" ? null : script.reasoning,
      tool_calls: script.calls,
    },
  };
}

/** venice warns of models that go away (wire.md section 8). */
function deprecationHeaders({ ask }: Answer): Record<string, string> {
  const { deprecation } = ask.model.record.model_spec;
  if (ask.dialect === "standard" || !deprecation) return {};
  return {
    "x-venice-model-deprecation-warning": `Use ${deprecation.replacementModelId}`,
    "x-venice-model-deprecation-date": deprecation.removesAt,
  };
}
