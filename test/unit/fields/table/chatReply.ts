import type { Place, Places } from "../place.ts";

const inChat: Place = { shown: "Chat" };
const joins: Place = { automatic: "joins the parts of a streamed answer" };
const sentBack: Place = { automatic: "sent back with the next question; some models refuse it without" };

const call: Places = {
  "tool_calls.index": joins,
  "tool_calls.id": { automatic: "names the call in the result that is sent back" },
  "tool_calls.type": { automatic: "the form of the call" },
  "tool_calls.function.name": inChat,
  "tool_calls.function.arguments": inChat,
  "tool_calls.custom.name": inChat,
  "tool_calls.custom.input": inChat,
  "function_call.name": inChat,
  "function_call.arguments": inChat,
};

const said: Places = {
  role: { automatic: "always assistant" },
  content: inChat,
  reasoning_content: inChat,
  reasoning: inChat,
  refusal: inChat,
  reasoning_encrypted: sentBack,
  reasoning_details: sentBack,
  thought_signature: sentBack,
  ...call,
};

function below(path: string, places: Places): Places {
  return Object.fromEntries(Object.entries(places).map(([name, place]) => [`${path}.${name}`, place]));
}

const citation: Places = { title: inChat, url: inChat, content: inChat, date: inChat };

const head: Places = {
  id: inChat,
  object: { automatic: "a constant" },
  created: inChat,
  model: inChat,
  "choices.index": { automatic: "the answer that a part belongs to" },
  "choices.finish_reason": inChat,
  "choices.stop_reason": inChat,
  "choices.logprobs": inChat,
};

const tail: Places = {
  "usage.prompt_tokens": inChat,
  "usage.completion_tokens": inChat,
  "usage.total_tokens": { unused: "the sum of both" },
  "usage.prompt_tokens_details.cached_tokens": inChat,
  "usage.prompt_tokens_details.cache_creation_input_tokens": {
    automatic: "priced apart, and part of the cost",
  },
  "usage.completion_tokens_details.reasoning_tokens": inChat,
  "cost.usd": inChat,
  "cost.diem": inChat,
  ...below("service_parameters.web_search_citations", citation),
  ...below("search_results", citation),
};

const asDelta: Place = { automatic: "of a server that does not stream: read like choices.delta" };

/** An event of a streamed answer. */
export const chatReply: Places = {
  ...head,
  ...below("choices.delta", said),
  ...below("choices.message", Object.fromEntries(Object.keys(said).map((name) => [name, asDelta]))),
  ...tail,
  prompt_logprobs: inChat,
};

const completion: Place = { automatic: "the suggestion at the cursor, cut to fit" };
const onBill: Place = { automatic: "the cost is in the dashboard, as one of inline completions" };
const notRead: Place = { unused: "a suggestion at the cursor is its text alone" };

/** The answer to an inline completion, which alone is not streamed. */
export const wholeReply: Places = {
  ...Object.fromEntries(
    Object.keys({ ...head, ...below("choices.message", said), ...tail }).map((path) => [path, notRead]),
  ),
  "choices.message.content": completion,
  ...Object.fromEntries(
    Object.keys(tail)
      .filter((path) => /^(usage|cost)\./.test(path))
      .map((path) => [path, onBill]),
  ),
  prompt_logprobs: notRead,
};
