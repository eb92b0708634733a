import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { modelNames, readTools } from "../../../../../src/tools/mcp/client/serverTool.ts";

const tool = (some: object) => ({ name: "a", description: "d", inputSchema: { type: "object" }, ...some });

test("a long description is cut, and its hash is of all that the server says", () => {
  const [one] = readTools([tool({ description: "x".repeat(100_000) })]).tools;
  const [other] = readTools([tool({ description: `${"x".repeat(100_000)}y` })]).tools;
  assert.equal(one?.description.length, 2_001);
  assert.equal(one?.description, other?.description);
  assert.notEqual(one?.hash, other?.hash);
});

test("characters that a person can't see are shown in texts, and refused in names", () => {
  const tag = "\u{e0041}";
  const { tools, problems } = readTools([
    tool({
      description: `Reads${tag}`,
      inputSchema: { type: "object", properties: { a: { description: tag } } },
    }),
    tool({ name: `a${tag}` }),
  ]);
  assert.equal(tools.length, 1);
  assert.equal(tools[0]?.description, "Reads⟨U+E0041⟩");
  assert.match(JSON.stringify(tools[0]?.parameters), /⟨U\+E0041⟩/);
  assert.match(problems[0] ?? "", /hidden characters/);
});

test("the number of tools and their text are bounded, and a name counts once", () => {
  const many = readTools(Array.from({ length: 1_000 }, (_, index) => tool({ name: `t${index}` })));
  assert.equal(many.tools.length, 128);
  assert.deepEqual(many.problems, ["Only its first 128 tools are offered."]);
  const long = Array.from({ length: 100 }, (_, index) =>
    tool({ name: `t${index}`, description: "word ".repeat(400) }),
  );
  assert.ok(readTools(long).tools.length < 100);
  assert.equal(readTools([tool({}), tool({})]).tools.length, 1);
  const deep = readTools([tool({ inputSchema: { type: "object", x: "y".repeat(30_000) } })]);
  assert.match(deep.problems[0] ?? "", /schema .* too long/);
});

test("names for models are valid, and none occurs twice, whatever servers call their tools", () => {
  const taken = ["read_file", "a__b", "a__b_2"];
  assert.deepEqual(modelNames([{ server: "a", tool: "b" }], taken), ["a__b_3"]);
  assert.deepEqual(modelNames([{ server: "my server", tool: "read_file" }], taken), ["my_server__read_file"]);
  const pair = fc.record({ server: fc.string({ maxLength: 70 }), tool: fc.string({ maxLength: 140 }) });
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 20 }), (pairs) => {
      const names = modelNames(pairs, taken);
      assert.ok(names.every((name) => /^[\w-]{1,64}$/.test(name)));
      assert.equal(new Set([...names, ...taken]).size, pairs.length + taken.length);
    }),
  );
});

test("a tool that runs only as a task of the protocol is named, and not offered", () => {
  const inputSchema = { type: "object" };
  const { tools, problems } = readTools([
    { name: "research", inputSchema, execution: { taskSupport: "required" } },
    { name: "either", inputSchema, execution: { taskSupport: "optional" } },
  ]);
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["either"],
  );
  assert.match(problems.join(), /research is not offered: it runs only as a task/);
});
