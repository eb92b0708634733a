import type { Area } from "../mutant.ts";
import { contract, contractRows, unit } from "../select.ts";

const chat = "src/sandbox/chat";
const request = "src/api/endpoints/chat/chatRequest.ts";
const reply = "src/api/endpoints/chat/chatReply.ts";
const answer = "src/api/stream/chatAnswer.ts";
const parameters = "src/shared/chat/chatParameters.ts";

export const chatArea: Area = {
  tests: [
    unit(
      "api/{endpoints/plainChunk,errors/errors.codes}",
      "api/stream/{chatAnswer,toolCallMerger}",
      "chat/host/answer/{answerStream.anyStream,answerRuns.long,answerStream.otherForms}",
    ),
    contractRows("^chat\\."),
    contract("money"),
    contract("charges", "^chat\\."),
  ],
  mutants: [
    {
      does: "five stop sequences are accepted",
      file: parameters,
      find: "maxStops = 4",
      replace: "maxStops = 5",
    },
    {
      does: "a seed may be 0",
      file: parameters,
      find: "seed: { min: 1,",
      replace: "seed: { min: 0,",
    },
    {
      does: "top_k may be negative",
      file: parameters,
      find: "top_k: { min: 0,",
      replace: "top_k: { min: -1,",
    },
    {
      does: "frequency_penalty may be 3",
      file: parameters,
      find: "frequency_penalty: { min: -2, max: 2 }",
      replace: "frequency_penalty: { min: -2, max: 3 }",
    },
    {
      does: "min_p may be 2",
      file: parameters,
      find: "min_p: { min: 0, max: 1 }",
      replace: "min_p: { min: 0, max: 2 }",
    },
    {
      does: "messages may be empty",
      file: request,
      find: "z.array(ChatMessage).min(1)",
      replace: "z.array(ChatMessage)",
    },
    {
      does: "reasoning effort xhigh is unknown",
      file: parameters,
      find: '"high", "xhigh", "max"',
      replace: '"high", "max"',
    },
    {
      does: "web search has no automatic mode",
      file: parameters,
      find: '["off", "on", "auto"]',
      replace: '["off", "on"]',
    },
    {
      does: "images may have any URL",
      file: request,
      find: 'z.string().regex(/^(https:\\/\\/|data:)/, "must be an https or data URL")',
      replace: "z.string()",
    },
    {
      does: "a choice without an index has index 0",
      file: reply,
      find: "index: one.index ?? place",
      replace: "index: one.index ?? 0",
    },
    {
      does: "a chunk requires a delta",
      file: reply,
      find: "delta: delta ?? message ?? nothing",
      replace: "delta: (delta ?? message) as ReplyMessage",
    },
    {
      does: "only the first part of a text is read",
      file: reply,
      find: 'text: parts.map(({ text }) => text ?? "").join(""),',
      replace: 'text: parts[0]?.text ?? "",',
    },
    {
      does: "a refusal uses the shortcut past the schema",
      file: "src/api/endpoints/chat/plainChunk.ts",
      find: "    isNothing(delta.refusal) &&\n",
      replace: "",
    },
    {
      does: "members of a tool call are not echoed",
      file: "src/api/stream/toolCallMerger.ts",
      find: "    keep(this.#others, rest);\n",
      replace: "",
    },
    {
      does: "a custom tool call is read as a function call",
      file: "src/api/stream/toolCallMerger.ts",
      find: "const isCustom = this.#custom.isThere && !this.#function.isThere;",
      replace: "const isCustom = false as boolean;",
    },
    {
      does: "each chunk copies the earlier details",
      file: answer,
      find: "draft.details.push(detail);",
      replace: "draft.details = [...draft.details, detail];",
    },
    {
      does: "half of oversized details is kept",
      file: answer,
      find: "    draft.details = [];\n",
      replace: "",
    },
    {
      does: "stored answer members are sent without validation",
      file: "src/chat/host/answer/answerRequest.ts",
      find: "AnswerEcho.parse(stored)",
      replace: "stored as ReturnType<typeof AnswerEcho.parse>",
    },
    {
      does: "an event named error is a normal event",
      file: "src/api/stream/sse.ts",
      find: 'event.event === "error" ? errorData(event.data) : event.data',
      replace: "event.data",
    },
    {
      does: "max_tokens wins over max_completion_tokens",
      file: `${chat}/ask.ts`,
      find: "body.max_completion_tokens ?? old",
      replace: "Math.min(old, body.max_completion_tokens ?? old)",
    },
    {
      does: "max_tokens of 0 ends the answer at once",
      file: `${chat}/ask.ts`,
      find: "body.max_tokens > 0 ?",
      replace: "body.max_tokens >= 0 ?",
    },
    {
      does: "the service's own prompt is always counted",
      file: `${chat}/ask.ts`,
      find: "switches.include_venice_system_prompt === false ? 0 : ownPromptTokens",
      replace: "ownPromptTokens",
    },
    {
      does: "a feature suffix wins over the body",
      file: `${chat}/ask.ts`,
      find: "{ ...suffix, ...body.service_parameters }",
      replace: "{ ...body.service_parameters, ...suffix }",
    },
    {
      does: "models without vision accept images",
      file: `${chat}/ask.ts`,
      find: '[parts.has("image_url"), can.supportsVision,',
      replace: '[parts.has("image_url"), true,',
    },
    {
      does: "prompts are cached from 900 tokens on",
      file: `${chat}/promptCache.ts`,
      find: "const leastTokens = 1024;",
      replace: "const leastTokens = 900;",
    },
    {
      does: "the prompt cache never expires",
      file: `${chat}/promptCache.ts`,
      find: "now() < (stored.get(digest) ?? 0)",
      replace: "kept.has(digest)",
    },
    {
      does: "prompts of all keys share a cache",
      file: `${chat}/ask.ts`,
      find: "JSON.stringify([key?.id, record.id,",
      replace: "JSON.stringify([record.id,",
    },
    {
      does: "a retention of 24h lasts five minutes",
      file: `${chat}/ask.ts`,
      find: ' || body.prompt_cache_retention === "24h"',
      replace: "",
    },
    {
      does: "a search inside a chat is free",
      file: `${chat}/reply/complete.ts`,
      find: "citations.length > 0 ? [chat, search] : [chat]",
      replace: "[chat]",
    },
    {
      does: "a cancelled answer is charged completely",
      file: `${chat}/reply/complete.ts`,
      find: "written += batch.length;",
      replace: "written = 1e9;",
    },
    {
      does: "a complete answer is not charged",
      file: `${chat}/reply/complete.ts`,
      find: '    cost.charge();\n    return { status: 200, headers, body: { kind: "json"',
      replace: '    return { status: 200, headers, body: { kind: "json"',
    },
    {
      does: "standard reports costs, too",
      file: `${chat}/reply/complete.ts`,
      find: 'dialect.id === "venice" ? { cost:',
      replace: "dialect.id ? { cost:",
    },
    {
      does: "standard sends usage without a request",
      file: `${chat}/reply/chunks.ts`,
      find: 'asked ?? ask.dialect === "venice"',
      replace: "asked ?? true",
    },
    {
      does: "sources are sent without a request",
      file: `${chat}/reply/chunks.ts`,
      find: "ask.switches.include_search_results_in_stream\n",
      replace: "ask.switches\n",
    },
    {
      does: "only the first choice is charged",
      file: `${chat}/reply/usage.ts`,
      find: "scripts.reduce((total, script) => total + pick(script), 0)",
      replace: "scripts.slice(0, 1).reduce((total, script) => total + pick(script), 0)",
    },
    {
      does: "stripped reasoning is free",
      file: `${chat}/script.ts`,
      find: "tokens: reasoningTokens + countTokens(said.text)",
      replace:
        "tokens: (ask.switches.strip_thinking_response ? 0 : reasoningTokens) + countTokens(said.text)",
    },
    {
      does: "reasoning.effort wins over reasoning_effort",
      file: `${chat}/guide/guide.ts`,
      find: "body.reasoning_effort ?? body.reasoning?.effort",
      replace: "body.reasoning?.effort ?? body.reasoning_effort",
    },
    {
      does: "tool_choice none is ignored",
      file: `${chat}/tools.ts`,
      find: '!message || body.tool_choice === "none"',
      replace: "!message",
    },
    {
      does: "parallel_tool_calls false is ignored",
      file: `${chat}/tools.ts`,
      find: "body.parallel_tool_calls === false ? chosen.slice(0, 1) : chosen",
      replace: "chosen",
    },
    {
      does: "the wrong stop sequence is named",
      file: `${chat}/script.ts`,
      find: ".sort((a, b) => a.index - b.index)[0]",
      replace: ".sort((a, b) => b.index - a.index)[0]",
    },
  ],
};
