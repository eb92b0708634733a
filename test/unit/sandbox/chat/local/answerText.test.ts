// What models on this machine leave in their text: the ends of their turns, and calls that their server did not see.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AnswerText, type OfferedTool } from "../../../../../src/sandbox/chat/local/answerText.ts";
import { randomCases } from "../../../../runner/cases.ts";

const offered: readonly OfferedTool[] = [
  {
    name: "read_file",
    parameters: { type: "object", properties: { path: { type: "string" }, all: { type: "boolean" } } },
  },
  { name: "list_files", parameters: { type: "object" } },
];

function read(pieces: readonly string[], tools = offered, hasCalls = false) {
  const answer = new AnswerText(tools);
  const text = pieces.map((piece) => answer.add(piece)).join("");
  const end = answer.end(hasCalls);
  return { text: text + end.text, calls: end.calls.map((call) => [call.name, JSON.parse(call.arguments)]) };
}

function cut(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((at) => at % (text.length + 1)).sort((a, b) => a - b), text.length];
  return places.slice(1).map((end, index) => text.slice(places[index], end));
}

const cuts = fc.array(fc.nat(), { maxLength: 12 });
const a = ["read_file", { path: "a.txt" }] as const;
const list = ["list_files", {}] as const;
const json = '{"name": "read_file", "arguments": {"path": "a.txt"}}';

const forms: readonly (readonly [
  name: string,
  text: string,
  calls: readonly (readonly [string, object])[],
])[] = [
  ["Qwen, Hermes", `<tool_call>\n${json}\n</tool_call>`, [a]],
  [
    "two of them, with the end of the turn",
    `<tool_call>${json}</tool_call>\n<tool_call>\n{"name": "list_files"}\n</tool_call><|im_end|>\n`,
    [a, list],
  ],
  ["the end tag missing", `<tool_call>\n${json}`, [a]],
  [
    "raw line breaks in the arguments",
    '<tool_call>{"name":"read_file","arguments":{"path":"a\nb",}}</tool_call>',
    [["read_file", { path: "a\nb" }]],
  ],
  [
    "Qwen3-Coder",
    "<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n<parameter=all>\ntrue\n</parameter>\n</function>\n</tool_call>",
    [["read_file", { path: "a.txt", all: true }]],
  ],
  [
    "Qwen3-Coder without its frame",
    "<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>",
    [a],
  ],
  ["GLM", "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n</tool_call>", [a]],
  ["Mistral", `[TOOL_CALLS] [${json}]`, [a]],
  [
    "Mistral, newer",
    '[TOOL_CALLS]read_file[ARGS]{"path": "a.txt"}[TOOL_CALLS]list_files[ARGS]{}</s>',
    [a, list],
  ],
  [
    "DeepSeek",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"path": "a.txt"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [a],
  ],
  [
    "DeepSeek, newer",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path": "a.txt"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>list_files<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
    [a, list],
  ],
  [
    "Kimi",
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path": "a.txt"}<|tool_call_end|><|tool_calls_section_end|>',
    [a],
  ],
  [
    "gpt-oss",
    '<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path": "a.txt"}<|call|>',
    [a],
  ],
  [
    "gpt-oss, the tool in the head",
    '<|start|>assistant to=functions.read_file<|channel|>commentary json<|message|>{"path": "a.txt"}',
    [a],
  ],
  ["Granite, Phi", `<|tool_call|>[${json}]<|/tool_call|>`, [a]],
  ["Phi-4 mini", `functools[${json}]`, [a]],
  [
    "Command R",
    '<|START_ACTION|>[{"tool_name": "read_file", "parameters": {"path": "a.txt"}}]<|END_ACTION|>',
    [a],
  ],
  ["Llama", '<|python_tag|>{"name": "read_file", "parameters": {"path": "a.txt"}}<|eom_id|>', [a]],
];

for (const [name, text, calls] of forms)
  test(`${name}: calls at the end of an answer, also after words and reasoning, however it is cut`, () => {
    for (const before of [
      "",
      "I read it.\n\n",
      "<think>\nFirst a.\n</think>\n",
      "```ts\nconst a = 1;\n```\n",
    ])
      fc.assert(
        fc.property(cuts, (at) => assert.deepEqual(read(cut(before + text, at)), { text: before, calls })),
        { numRuns: randomCases(100) },
      );
  });

const wholes: readonly (readonly [string, string, readonly (readonly [string, object])[]])[] = [
  ["an object alone", json, [a]],
  [
    "an object with the schema's word",
    '{"type": "function", "name": "read_file", "parameters": {"path": "a.txt"}}',
    [a],
  ],
  ["an object in a code block", `\`\`\`json\n${json}\n\`\`\``, [a]],
  ["a block for a call", `\`\`\`tool_call\n${json}\n\`\`\``, [a]],
  [
    "Gemma's code",
    "```tool_code\nprint(read_file(path='a.txt', all=True))\n```",
    [["read_file", { path: "a.txt", all: true }]],
  ],
];
for (const [name, text, calls] of wholes)
  test(`${name} is a call as the whole answer only, however it is cut`, () => {
    fc.assert(
      fc.property(cuts, fc.constantFrom("", "<think>a {</think>\n"), (at, before) => {
        assert.deepEqual(read(cut(before + text, at)), { text: before, calls });
        for (const words of [`So:\n${text}`, `${text}\nThat is it.`])
          assert.deepEqual(read(cut(words, at)), { text: words, calls: [] });
      }),
      { numRuns: randomCases(100) },
    );
  });

const texts: readonly string[] = [
  `Such models write <tool_call>${json}</tool_call> and wait.`,
  `\`<tool_call>${json}</tool_call>\``,
  `\`\`\`xml\n<tool_call>${json}</tool_call>\n`,
  `<think>I could write <tool_call>${json}</tool_call>`,
  '<tool_call>{"name": "format_disk", "arguments": {}}</tool_call>',
  `<tool_call>${json}</tool_call><tool_call>{"name": "format_disk"}</tool_call>`,
  '<tool_call>{"name": "read_file", "arguments": "a.txt"}</tool_call>',
  "<tool_call>read a file</tool_call>",
  "<tool_call>",
  "[TOOL_CALLS] is a token.",
  '{"name": "Ada", "age": 36}',
  '{"names": []}',
  "{",
  "The token <|im_end|> ends a turn.",
  "`<|im_end|>`",
  "a < b && c <| d",
  "```tool_code\nimport os\n```",
  "functools.partial(f)",
  "",
];
for (const text of texts)
  test(`all of it is text: ${JSON.stringify(text)}`, () => {
    fc.assert(
      fc.property(cuts, (at) => assert.deepEqual(read(cut(text, at)), { text, calls: [] })),
      { numRuns: randomCases(100) },
    );
  });

test("without offered tools, calls are text; the end of the turn is none", () => {
  assert.deepEqual(read([json], []), { text: json, calls: [] });
  assert.deepEqual(read(["Hello.<|im_", "end|>\n<|endoftext|>"], []), { text: "Hello.", calls: [] });
});

test("a call that the server has found is not made twice, and a mark that it left is dropped", () => {
  assert.deepEqual(read([`<tool_call>${json}</tool_call>`], offered, true), { text: "", calls: [] });
  assert.deepEqual(read(["I read.", "<tool_call>"], offered, true), { text: "I read.", calls: [] });
});

test("text is given out as it arrives, except for the beginning of a mark", () => {
  const answer = new AnswerText(offered);
  assert.equal(answer.add("if (a <"), "if (a ");
  assert.equal(answer.add(" b) {"), "< b) {");
  assert.equal(answer.add(`<tool_call>${json}</tool_call>`), "");
  assert.match(answer.add(" is a call."), /is a call\.$/);
});

test("long answers with many marks take time in proportion to their length", () => {
  const code = "if (a < b) { c = `<$d`; } // </s> <|x|> {\n".repeat(8000);
  const pieces = code.match(/[\s\S]{1,7}/g) ?? [];
  assert.equal(read(pieces).text, code);
  assert.equal(read([code]).text, code);
});
