import assert from "node:assert/strict";
import { test } from "node:test";
import { readMcpFile, startText } from "../../../../../../src/tools/mcp/client/config/mcpFile.ts";

const file = { label: "Your mcp.json", path: "/home/me/mcp.json" };
const read = (servers: object, inputs: readonly object[] = []) =>
  readMcpFile(JSON.stringify({ servers, inputs }), file);

test("programs and addresses are read, with comments and a last comma", () => {
  const text = `{ // mine
    "servers": {
      "files": { "type": "stdio", "command": "npx", "args": ["-y", "a b"], "dev": {} },
      "web": { "url": "https://a.example/mcp", "headers": { "X-Key": "\${input:k}" } },
    },
    "inputs": [{ "id": "k", "type": "promptString", "password": true }, { "id": "other", "type": "command" }],
  }`;
  const { servers, problems } = readMcpFile(text, file);
  assert.deepEqual(problems, []);
  assert.deepEqual(servers.map(startText), ['npx -y "a b"', "https://a.example/mcp"]);
  assert.deepEqual(
    servers.map(({ inputs }) => inputs.map(({ id }) => id)),
    [[], ["k"]],
  );
});

test("the id of a server changes with all that starts it, and with nothing else", () => {
  const ids = [
    { command: "a" },
    { command: "b" },
    { command: "a", args: ["b"] },
    { command: "a", env: { B: "c" } },
    { command: "a", cwd: "/b" },
    { url: "https://a.example" },
    { url: "https://a.example", headers: { a: "b" } },
  ].map((server) => read({ x: server }).servers[0]?.id);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(read({ y: { command: "b" }, x: { command: "a" } }).servers[1]?.id, ids[0]);
});

test("what can't be used is left out with its reason, and hides nothing else", () => {
  const { servers, problems } = read({
    good: { command: "a" },
    bad: { command: 7 },
    "hid\u202eden": { command: "a" },
    [`${"long".repeat(20)}`]: { command: "a" },
  });
  assert.deepEqual(
    servers.map(({ name }) => name),
    ["good"],
  );
  assert.equal(problems.length, 3);
  assert.match(problems[0] ?? "", /^The server bad of Your mcp\.json is not offered: command: /);
});

test("a file that is no JSON, or nested without end, is a sentence", () => {
  for (const text of ['{"servers": ', `${"[".repeat(200_000)}`, "7", "null", ""]) {
    const { servers, problems } = readMcpFile(text, file);
    assert.deepEqual(servers, []);
    assert.ok(problems.every((problem) => problem.endsWith(".")));
  }
});

test("a file in the shape of other programs says what to rename", () => {
  const { servers, problems } = readMcpFile('{"mcpServers":{"x":{"command":"a"}}}', file);
  assert.deepEqual([servers, problems.length], [[], 1]);
  assert.match(problems[0] ?? "", /has mcpServers, which is not read: rename it to servers/);
});
