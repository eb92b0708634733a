// Services that say "OpenAI compatible" number, name and end what they send as they like. The libraries of both vendors get the
// same answer in each format, whole and streamed.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Members } from "../../../../src/shared/members.ts";
import { type FormatServer, openFormatServer } from "./formatServer.ts";

const delta = (members: Members, reason?: string): Members => ({
  choices: [{ index: 0, delta: members, ...(reason === undefined ? {} : { finish_reason: reason }) }],
});
const calls = (...list: readonly Members[]) => delta({ tool_calls: list });
const made = (text: unknown, name?: string | null) => ({
  function: { ...(name === undefined ? {} : { name }), arguments: text },
});
const [a, b] = ['{"path":"a"}', '{"path":"b"}'];
const begin = (index: number, id: string, text = "") => calls({ index, id, ...made(text, "read") });
const more = (index: number, text: string) => calls({ index, ...made(text) });
const done = delta({}, "tool_calls");

interface Answer {
  readonly text: string;
  /** The inputs of the calls of `read`. */
  readonly calls: readonly unknown[];
  readonly reason: string;
}

const both = [{ path: "a" }, { path: "b" }];
/** The chunks of one answer with one call of a, and others. */
const oneCall: Readonly<Record<string, readonly Members[]>> = {
  "id and name in each fragment": [begin(0, "x", '{"pa'), begin(0, "x", 'th":"a"}'), done],
  "a new id in each fragment": [
    begin(0, "x", '{"pa'),
    calls({ index: 0, id: "y", ...made('th":"a"}') }),
    done,
  ],
  "an id that comes late": [
    calls({ index: 0, ...made('{"pa', "read") }),
    calls({ index: 0, id: "x", ...made('th":"a"}') }),
    done,
  ],
  "fragments that repeat all": [begin(0, "x", '{"pa'), begin(0, "x", '{"path":'), begin(0, "x", a), done],
  "a name in pieces": [
    calls({ index: 0, id: "x", ...made("", "re") }),
    calls({ index: 0, ...made("", "ad") }),
    more(0, a),
    done,
  ],
  "null for what is unset": [
    begin(0, "x"),
    calls({ index: 0, id: null, type: null, ...made(a, null) }),
    done,
  ],
  "arguments that are no text": [calls({ index: 0, id: "x", ...made({ path: "a" }, "read") }), done],
  "numbers from 1": [begin(1, "x", a), done],
  "the older member": [
    delta({ function_call: { name: "read", arguments: "" } }),
    delta({ function_call: { arguments: a } }, "function_call"),
  ],
  "no reason for the end": [begin(0, "x", a)],
  "an end as of a text": [begin(0, "x", a), delta({}, "stop")],
  "an end before the call": [delta({}, "tool_calls"), begin(0, "x", a)],
};
const twoCalls: Readonly<Record<string, readonly Members[]>> = {
  "one number for all": [begin(0, "x", a), begin(0, "y", b), done],
  "one id for all": [begin(0, "x", a), begin(1, "x", b), done],
  "no ids": [calls({ index: 0, ...made(a, "read") }), calls({ index: 1, ...made(b, "read") }), done],
  "empty ids": [begin(0, "", a), begin(1, "", b), done],
  "no numbers": [calls({ id: "x", ...made(a, "read") }), calls({ id: "y", ...made(b, "read") }), done],
  "fragments that alternate": [
    begin(0, "x", '{"pa'),
    begin(1, "y", '{"pa'),
    more(0, 'th":"a"}'),
    more(1, 'th":"b"}'),
    done,
  ],
};
const inside = [begin(0, "x"), more(0, '{"pa'), more(0, 'th"')];
const rest = [more(0, ':"'), more(0, 'a"}'), done];

const cases: readonly (readonly [string, readonly Members[], Answer])[] = [
  ...Object.entries(oneCall).map(
    ([name, chunks]) => [name, chunks, { text: "", calls: [{ path: "a" }], reason: "calls" }] as const,
  ),
  ...Object.entries(twoCalls).map(
    ([name, chunks]) => [name, chunks, { text: "", calls: both, reason: "calls" }] as const,
  ),
  ["no arguments", [begin(0, "x"), done], { text: "", calls: [{}], reason: "calls" }],
  [
    "text in a call",
    [...inside, delta({ content: "So" }), ...rest],
    { text: "So", calls: [{ path: "a" }], reason: "calls" },
  ],
  [
    "reasoning in a call",
    [...inside, delta({ reasoning_content: "Hm" }), ...rest],
    { text: "", calls: [{ path: "a" }], reason: "calls" },
  ],
  [
    "text after a call",
    [begin(0, "x", '{"path":'), more(0, '"a"}'), delta({ content: "So" }), done],
    { text: "So", calls: [{ path: "a" }], reason: "calls" },
  ],
  ["no role and no end", [delta({ content: "So" })], { text: "So", calls: [], reason: "stop" }],
  ["another word for the end", [delta({ content: "So" }, "eos")], { text: "So", calls: [], reason: "stop" }],
  [
    "other words for a limit",
    [delta({ content: "So" }, "MAX_TOKENS")],
    { text: "So", calls: [], reason: "limit" },
  ],
  [
    "the end in each chunk",
    [delta({ content: "S" }, "stop"), delta({ content: "o" }, "stop")],
    { text: "So", calls: [], reason: "stop" },
  ],
  ["nothing", [], { text: "", calls: [], reason: "stop" }],
];

const reasons: Readonly<Record<string, string>> = {
  ...{ tool_calls: "calls", stop: "stop", length: "limit" },
  ...{ tool_use: "calls", end_turn: "stop", max_tokens: "limit" },
};
const parameters = { type: "object" as const, properties: { path: { type: "string" } } };

async function chatAnswer({ openai }: FormatServer, isStreamed: boolean): Promise<Answer> {
  const body = {
    model: "m",
    messages: [{ role: "user" as const, content: "Hi" }],
    tools: [{ type: "function" as const, function: { name: "read", parameters } }],
  };
  const { chat } = openai;
  const { choices } = await (isStreamed
    ? chat.completions.stream(body).finalChatCompletion()
    : chat.completions.create(body));
  const [choice] = choices;
  assert.ok(choice && choices.length === 1);
  assert.equal(choice.message.role, "assistant");
  const found = (choice.message.tool_calls ?? []).flatMap((call) => (call.type === "function" ? [call] : []));
  return {
    text: choice.message.content ?? "",
    calls: inputsOf(found.map(({ id, function: { name, arguments: text } }) => [id, name, text])),
    reason: reasons[choice.finish_reason] ?? choice.finish_reason,
  };
}

async function responsesAnswer({ openai }: FormatServer, isStreamed: boolean): Promise<Answer> {
  const tools = [{ type: "function" as const, name: "read", parameters, strict: false }];
  const body = { model: "m", input: "Hi", tools };
  const { responses } = openai;
  const response = await (isStreamed ? responses.stream(body).finalResponse() : responses.create(body));
  const found = response.output.flatMap((item) => (item.type === "function_call" ? [item] : []));
  const reason = found.length > 0 ? "calls" : response.status === "incomplete" ? "limit" : "stop";
  assert.ok(response.output.every((item) => !("status" in item) || item.status !== "in_progress"));
  return {
    text: response.output_text,
    calls: inputsOf(found.map((call) => [call.call_id, call.name, call.arguments])),
    reason,
  };
}

async function messagesAnswer({ anthropic }: FormatServer, isStreamed: boolean): Promise<Answer> {
  const body = {
    model: "m",
    max_tokens: 100,
    messages: [{ role: "user" as const, content: "Hi" }],
    tools: [{ name: "read", input_schema: parameters }],
  };
  const { messages } = anthropic;
  const { content, stop_reason } = await (isStreamed
    ? messages.stream(body).finalMessage()
    : messages.create(body));
  const found = content.flatMap((block) => (block.type === "tool_use" ? [block] : []));
  return {
    text: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
    calls: inputsOf(found.map(({ id, name, input }) => [id, name, JSON.stringify(input)])),
    reason: reasons[stop_reason ?? ""] ?? String(stop_reason),
  };
}

/** The inputs of calls, whose ids differ. */
function inputsOf(found: readonly (readonly [id: string, name: string, text: string])[]): unknown[] {
  assert.equal(new Set(found.map(([id]) => id)).size, found.length);
  assert.ok(found.every(([id, name]) => id !== "" && name === "read"));
  return found.map(([, , text]) => JSON.parse(text));
}

const formats = { chat: chatAnswer, responses: responsesAnswer, messages: messagesAnswer };

for (const [format, answerIn] of Object.entries(formats))
  test(`${format}: the libraries get one answer of each service`, async (t) => {
    const server = await openFormatServer(t);
    for (const [name, chunks, expected] of cases)
      for (const isStreamed of [false, true]) {
        server.script = chunks;
        assert.deepEqual(await answerIn(server, isStreamed), expected, `${name}, ${isStreamed}`);
      }
  });

test("an answer that the service broke off is an error in each format", async (t) => {
  const server = await openFormatServer(t);
  server.script = [delta({ content: "So" }), delta({}, "insufficient_system_resource")];
  for (const answerIn of Object.values(formats))
    for (const isStreamed of [false, true]) await assert.rejects(answerIn(server, isStreamed));
});

test("a limit inside a call makes no call without arguments of it", async (t) => {
  const server = await openFormatServer(t);
  server.script = [begin(0, "x"), delta({}, "length")];
  for (const isStreamed of [false, true]) await assert.rejects(chatAnswer(server, isStreamed), SyntaxError);
});

test("completions: an answer without a reason has one", async (t) => {
  const server = await openFormatServer(t);
  server.script = [delta({ content: "So" })];
  const whole = await server.openai.completions.create({ model: "m", prompt: "Hi" });
  assert.deepEqual(
    whole.choices.map(({ text, finish_reason }) => [text, finish_reason]),
    [["So", "stop"]],
  );
  const said: unknown[] = [];
  for await (const { choices } of await server.openai.completions.create({
    model: "m",
    prompt: "Hi",
    stream: true,
  }))
    for (const { text, finish_reason } of choices) said.push([text, finish_reason]);
  assert.deepEqual(said, [
    ["So", null],
    ["", "stop"],
  ]);
});
