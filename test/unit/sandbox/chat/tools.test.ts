import assert from "node:assert/strict";
import { test } from "node:test";
import { useTools } from "../../../../src/sandbox/chat/tools.ts";

const text = { type: "string", minLength: 1 };
const tool = (name: string, ...members: readonly string[]) => ({
  type: "function" as const,
  function: {
    name,
    parameters: {
      type: "object",
      properties: Object.fromEntries(members.map((member) => [member, text])),
      required: members,
    },
  },
});
const tools = [
  tool("read_file", "path"),
  tool("search_workspace", "query"),
  tool("read_page", "url"),
  tool("call_chain", "network", "method"),
];
const calls = (content: string) =>
  useTools({ model: "guide", messages: [{ role: "user", content }], tools })?.calls?.map((call) => [
    call.name,
    JSON.parse(call.arguments) as unknown,
  ]);

test("calls a tool with the path, address, words and network of the question", () => {
  assert.deepEqual(calls("Read src/hello.ts and tell me what it does."), [
    ["read_file", { path: "src/hello.ts" }],
  ]);
  assert.deepEqual(calls("use read_file on `notes.md`"), [["read_file", { path: "notes.md" }]]);
  assert.deepEqual(calls("Read https://example.com/a?b=c."), [
    ["read_page", { url: "https://example.com/a?b=c" }],
  ]);
  assert.deepEqual(calls('Search the workspace for "greet"'), [["search_workspace", { query: "greet" }]]);
  assert.deepEqual(calls("call_chain: eth_blockNumber on ethereum-mainnet"), [
    ["call_chain", { network: "ethereum-mainnet", method: "eth_blockNumber" }],
  ]);
  assert.equal(calls("What is version 1.2 of e.g. this?"), undefined);
});

test("only the user's own words name a tool in a prompt of VS Code's chat", () => {
  const prompt = (typed: string) =>
    `<reminder>Prefer read_file to search_workspace.</reminder>\n<userRequest>\n${typed}\n</userRequest>\n`;
  assert.equal(calls(prompt("What can you do?")), undefined);
  assert.deepEqual(calls(prompt("Use read_file on notes.md")), [["read_file", { path: "notes.md" }]]);
  assert.equal(calls("<userRequest>What can you do?"), undefined);
});

test("a result is quoted with its lines, whatever fences and brackets it has", () => {
  const answer = (content: string) =>
    useTools({ model: "guide", messages: [{ role: "tool", tool_call_id: "1", content }], tools })?.content;
  assert.equal(answer("3 files"), "The tool answered:\n\n> 3 files");
  assert.equal(answer("1 a\n2 b\n"), "The tool answered:\n\n```text\n1 a\n2 b\n```");
  assert.equal(answer("1 ```\n2 b"), "The tool answered:\n\n````text\n1 ```\n2 b\n````");
  assert.equal(answer('{ "a": "```" }'), 'The tool answered:\n\n````json\n{ "a": "```" }\n````');
});
