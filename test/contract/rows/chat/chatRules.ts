import type { DialectId } from "../../../../src/api/dialect/dialect.ts";
import { type SuffixSwitch, suffixSwitches } from "../../../../src/shared/chat/chatParameters.ts";
import type { Rule, Rules } from "../../suite/suite.ts";

const between = (low: number, high: number): Rule => ({
  good: [low, high],
  bad: [low - 0.01, high + 0.01, "1", null],
});
const flag: Rule = { good: [true, false], bad: ["true", 1, null] };
const text: Rule = { good: ["x"], bad: [7, null] };
const positive: Rule = { good: [1, 2], bad: [0, -1, 1.5, "1", null] };
const user = { role: "user", content: "hi" };
const tool = { type: "function", function: { name: "find", parameters: { type: "object" } } };
const call = { id: "c", type: "function", function: { name: "find", arguments: "{}" } };
const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };
const echo = { model: "echo" };
const suffixValues: Partial<Record<SuffixSwitch, string>> = { enable_web_search: "on", character_slug: "x" };

const messageOf = (content: unknown, members: object = {}) => ({ role: "user", content, ...members });
const words = { type: "text", text: "hi" };
const audio = (format: string) => ({ type: "input_audio", input_audio: { data: "AA==", format } });
const lasting = { type: "text", text: "hi", cache_control: { type: "ephemeral", ttl: "1h" } };
const partsOfTool = [
  user,
  { role: "assistant", content: null, tool_calls: [call] },
  { role: "tool", content: [words], tool_call_id: "c" },
];
const level: Rule = { good: ["low", "medium", "high", "auto"], bad: ["loud", 1] };
const others: Rule = {
  good: [[], [{ model: "guide" }]],
  bad: [[{}], [{ model: "" }], ["guide"], "guide", Array.from({ length: 11 }, () => ({ model: "guide" }))],
};
const texts = { good: [{}, { any: "thing" }], bad: ["x", [1]] };

/** Messages that only one dialect accepts (wire.md section 11). */
const ofVenice = [[messageOf([lasting])]];
const ofStandard = [
  partsOfTool,
  [messageOf([{ type: "text", text: "" }])],
  [user, { role: "assistant", content: null }, user],
];

/** spec E10's table, row by row, completed from wire.md sections 2, 5 and 11. */
export function chatRules(dialect: DialectId): Rules {
  const { messages, ...rest } = common;
  const isVenice = dialect === "venice";
  const [own, foreign] = isVenice ? [ofVenice, ofStandard] : [ofStandard, ofVenice];
  const refused = ({ good, bad }: Rule): Rule => ({ good: [], bad: [...good, ...bad] });
  const values = [{ run: 3 }, { any: { thing: [1] } }, { nothing: null }];
  return {
    ...rest,
    messages: {
      good: [...messages.good, ...own],
      bad: [...messages.bad, ...foreign, ...(isVenice ? [[messageOf([audio("webm")])]] : [])],
      unfit: [...messages.unfit, ...(isVenice ? [] : [[messageOf([audio("webm")])]])],
    },
    verbosity: isVenice ? level : refused(level),
    fallbacks: isVenice ? others : refused(others),
    metadata: {
      good: [...texts.good, ...(isVenice ? [] : values)],
      bad: [...texts.bad, ...(isVenice ? values : [])],
    },
  };
}

const common = {
  messages: {
    good: [
      [user],
      [{ role: "system", content: "be brief" }, { role: "developer", content: "dev" }, user],
      [
        {
          role: "user",
          content: [{ type: "text", text: "hi", cache_control: { type: "ephemeral" } }],
          name: "ann",
        },
      ],
      [
        user,
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", content: "4", tool_call_id: "c" },
      ],
      [
        user,
        { role: "assistant", content: null, tool_calls: [{ ...call, extra_content: { a: { b: "c" } } }] },
        { role: "tool", content: "4", tool_call_id: "c" },
      ],
      [
        user,
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c", type: "custom", custom: { name: "find", input: "any text" } }],
        },
        { role: "tool", content: "not run", tool_call_id: "c" },
      ],
      [
        { role: "system", content: [words] },
        user,
        { role: "assistant", content: [words], thought_signature: "s", reasoning_encrypted: true },
        user,
      ],
      [
        user,
        { role: "assistant", content: "a", reasoning_content: "b", reasoning_details: [{ x: 1 }] },
        user,
      ],
      [
        {
          role: "user",
          content: [{ type: "file", file: { file_data: "data:text/plain;base64,AA==", filename: "a.txt" } }],
        },
      ],
    ],
    bad: [
      [],
      "hi",
      [{ role: "wizard", content: "hi" }],
      [{ role: "user" }],
      [{ role: "user", content: [] }],
      [{ role: "user", content: [{ type: "smell", smell: "rose" }] }],
      [{ role: "user", content: [{ type: "image_url", image_url: { url: "ftp://x/y.png" } }] }],
      [{ role: "tool", content: "4" }],
      [{ ...user, mood: "good" }],
      [{ role: "system", content: [image] }, user],
      [{ role: "developer", content: [audio("wav")] }, user],
      [user, { role: "assistant", content: [image] }, user],
      [messageOf([{ ...words, cache_control: { type: "lasting" } }])],
    ],
    unfit: [
      [{ role: "user", content: [image] }],
      [messageOf([audio("wav")])],
      [{ role: "user", content: [{ type: "video_url", video_url: { url: "https://x/y.mp4" } }] }],
    ],
  },
  model: {
    good: [
      "guide",
      "default",
      "gpt-4o",
      "guide:enable_web_search=on",
      "guide:disable_thinking=true&character_slug=x",
      ...suffixSwitches.map((name) => `guide:${name}=${suffixValues[name] ?? "true"}`),
    ],
    bad: ["", 7, null],
    unfit: ["guide:enable_magic=true", "guide:enable_web_search=perhaps", "guide:disable_thinking=on"],
  },
  frequency_penalty: between(-2, 2),
  presence_penalty: between(-2, 2),
  repetition_penalty: { good: [0, 1, 3], bad: [-0.01, "1"] },
  logprobs: { ...flag, beside: echo },
  top_logprobs: { good: [0, 5], bad: [-1, 1.5, "1"], beside: { ...echo, logprobs: true } },
  max_completion_tokens: positive,
  max_tokens: { good: [0, -5, 10], bad: [1.5, "10"] },
  max_temp: between(0, 2),
  min_temp: between(0, 2),
  min_p: between(0, 1),
  n: positive,
  prompt_cache_key: text,
  prompt_cache_retention: { good: ["default", "extended", "24h"], bad: ["48h", 24] },
  reasoning: {
    good: [{}, { effort: "high", summary: "auto" }, { summary: "concise" }, { summary: "detailed" }],
    bad: [{ effort: "extreme" }, { summary: "long" }, { depth: 1 }, "high"],
  },
  reasoning_effort: {
    good: ["none", "minimal", "low", "medium", "high", "xhigh", "max"],
    bad: ["extreme", 1],
  },
  seed: positive,
  stop: {
    good: [null, "x", ["a", "b", "c", "d"]],
    bad: [["a", "b", "c", "d", "e"], [], 7],
  },
  stop_token_ids: { good: [[1, 2]], bad: [["1"], 1] },
  stream_options: {
    good: [{}, { include_usage: true }],
    bad: [{ include_usage: "yes" }, { chunks: 1 }, true],
  },
  temperature: between(0, 2),
  top_k: { good: [0, 40], bad: [-1, 0.5] },
  top_p: between(0, 1),
  user: text,
  store: flag,
  text: { good: [{}, { verbosity: "low" }, { verbosity: "high" }], bad: [{ verbosity: "loud" }, "low"] },
  include: { good: [[], ["usage"]], bad: [[1], "usage"] },
  service_parameters: {
    good: [
      {},
      { enable_web_search: "off" },
      { enable_web_search: "on", enable_web_citations: true, enable_web_scraping: true },
      { enable_web_search: "auto", include_search_results_in_stream: true },
      { character_slug: "captain", strip_thinking_response: true, disable_thinking: true, enable_e2ee: true },
      {
        return_search_results_as_documents: true,
        include_venice_system_prompt: false,
        enable_x_search: true,
      },
    ],
    bad: [
      { enable_web_search: "sometimes" },
      { enable_web_search: true },
      { disable_thinking: "yes" },
      { magic: 1 },
      [],
    ],
  },
  parallel_tool_calls: flag,
  response_format: {
    good: [
      { type: "text" },
      { type: "json_object" },
      { type: "json_schema", json_schema: { name: "a", strict: true, schema: { type: "object" } } },
    ],
    bad: [{ type: "yaml" }, { type: "json_schema" }, "json"],
  },
  tool_choice: {
    good: ["auto", "none", "required", { type: "function", function: { name: "find" } }],
    bad: ["always", { type: "function" }, 1],
    beside: { tools: [tool] },
  },
  tools: {
    good: [null, [], [tool]],
    bad: [[{ type: "retrieval" }], [{ type: "function", function: {} }], [{ ...tool, cost: 1 }], "find"],
  },
} satisfies Rules;
