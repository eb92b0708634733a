// Scripts of a workspace, which the sandbox's model Scripted reads through the tool read_file.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import fc from "fast-check";
import { randomCases } from "../../../../runner/cases.ts";
import { startTestSandbox, type TestSandbox } from "../../../../serviceKit/testSandbox.ts";
import {
  type AgentFolder,
  askModel,
  createAgentFolder,
  question,
  type SentMessage,
} from "../../agentFolder.ts";

let sandbox: TestSandbox;
before(async () => {
  sandbox = await startTestSandbox({ limits: "none", tokensPerSecond: Number.POSITIVE_INFINITY });
});
after(() => sandbox.close());

const call = (name: string, given: object = {}) => ({ name, arguments: given });
const write = (path: string, text: string) => call("write_file", { path, text });
const read = (path: string) => call("read_file", { path });

/** Plays the script in a folder that has it as a file. Returns the last text. */
async function playOwn(
  t: TestContext,
  steps: unknown,
  asked = "Play agent/try.json",
): Promise<[string, AgentFolder]> {
  const folder = await createAgentFolder(t);
  const path = /[\w ./-]+\.json/.exec(asked.slice(5))?.[0].trim() ?? "";
  await mkdir(dirname(join(folder.path, path)), { recursive: true });
  await writeFile(join(folder.path, path), JSON.stringify({ name: "Try", steps }));
  const messages = await folder.play(sandbox, [question(asked)]);
  return [String(messages.at(-1)?.content), folder];
}

const namesOf = ({ calls }: AgentFolder) => calls.slice(1).map(({ name }) => name);

test("a script of the workspace is read by a call, and played", async (t) => {
  for (const asked of [
    "Play agent/try.json",
    "please PLAY `agent/my try.json`",
    'play "agent/try.json" now',
  ]) {
    const steps = [
      { say: "One.", calls: [write("a.txt", "a"), write("b.txt", "b")] },
      { calls: [call("move_file", { from: "a.txt", to: "c.txt" })] },
      { say: "Two." },
      { say: "Three.", reasoning: "Why." },
    ];
    const [said, folder] = await playOwn(t, steps, asked);
    assert.equal(said, "Two.\n\nThree.");
    assert.deepEqual(namesOf(folder), ["write_file", "write_file", "move_file"]);
    const { "b.txt": b, "c.txt": c, "a.txt": a } = await folder.files();
    assert.deepEqual([a, b, c], [undefined, "b", "a"]);
  }
});

test("when and unless check the last results, isError checks for a failed result", async (t) => {
  const [said, folder] = await playOwn(t, [
    { when: "anything", calls: [read("never.txt")] },
    { calls: [write("a.txt", "can't\nstop"), read("gone.txt")] },
    { when: "isError", say: "Failed.", calls: [read("a.txt")] },
    { when: "isError", calls: [read("never.txt")] },
    { unless: "stop", calls: [read("never.txt")] },
    { when: "stop", unless: "isError", say: "Read." },
  ]);
  assert.equal(said, "Read.");
  assert.deepEqual(namesOf(folder), ["write_file", "read_file", "read_file"]);
});

test("a step and a group repeat; end leaves the loop and the script", async (t) => {
  const [said, folder] = await playOwn(t, [
    { repeat: 2, calls: [call("list_files", { path: "" })] },
    {
      repeat: "forever",
      steps: [
        { calls: [read("log.txt")] },
        { when: "isError", calls: [write("log.txt", "ready")] },
        { when: "ready", say: "Ready.", end: true },
      ],
    },
    { say: "Never." },
  ]);
  assert.equal(said, "Ready.");
  assert.deepEqual(namesOf(folder), ["list_files", "list_files", "read_file", "write_file", "read_file"]);
});

test("a loop without calls ends, and a script without text ends with a sentence", async (t) => {
  const [said] = await playOwn(t, [{ repeat: "forever", say: "Once." }]);
  assert.equal(said, "Once.");
  assert.equal((await playOwn(t, [{ when: "x", say: "Never." }]))[0], "The script has ended.");
  const group = { repeat: "forever", steps: [{ when: "x", calls: [read("never.txt")] }] };
  assert.equal((await playOwn(t, [group]))[0], "The script has ended.");
});

test("arguments reach the tool unchanged, whatever their names", async () => {
  const given = '{"path":"x","__proto__":{"a":1},"constructor":null,"deep":[[{"toString":1.5}]]}';
  const script = `{"name":"N","steps":[{"calls":[{"name":"read_file","arguments":${given}}]}]}`;
  const { calls } = await askModel(sandbox, afterReading(script));
  assert.equal(calls[0]?.function.arguments, given);
});

/** A chat in which the script was read. */
const afterReading = (script: string): SentMessage[] => [
  question("Play x.json"),
  {
    role: "assistant",
    content: "",
    tool_calls: [{ id: "a", type: "function", function: { name: "read_file", arguments: "{}" } }],
  },
  { role: "tool", tool_call_id: "a", content: script },
];

test("a broken script is answered with field and rule, in one sentence", async () => {
  const deep = `${"[".repeat(25_000)}${"]".repeat(25_000)}`;
  const withStep = (step: object) => JSON.stringify({ name: "N", steps: [{ say: "Hi" }, step] });
  const cases: readonly (readonly [script: string, words: RegExp])[] = [
    ["There is no file x.json.", /read_file gave no JSON object, but “There is no file x\.json\.”/],
    ["", /read_file gave no JSON object/],
    ['{"name": "N", "steps": [}', /it is not JSON: /],
    ["{}", /: name: .*expected string/],
    ['{"name":"N","steps":[]}', /: steps: .*>=1/],
    ['{"name":"N","steps":[{}],"extra":1}', /: the script: .*"extra"/],
    [withStep({ says: "x" }), /: steps\.1: .*"says"/],
    [
      withStep({ calls: [{ name: "read file", arguments: {} }] }),
      /: steps\.1\.calls\.0\.name: must be 1 to 64/,
    ],
    [withStep({ calls: [call("read_file", [])] }), /: steps\.1\.calls\.0\.arguments: must be an object/],
    [withStep({ repeat: 0 }), /: steps\.1\.repeat: .*>=1/],
    [withStep({ repeat: "twice" }), /: steps\.1\.repeat: must be 1 to 1000 or "forever"/],
    [withStep({ steps: [{ steps: [{}] }] }), /: steps\.1\.steps\.0: .*"steps"/],
    [withStep({ say: "x", steps: [{}] }), /: steps\.1\.steps: must stand without reasoning, say and calls/],
    [withStep({ when: "" }), /: steps\.1\.when: /],
    [withStep({ say: "x".repeat(70_000) }), /more than 64,000 characters/],
    [`{"name":"N","steps":[{"calls":[{"name":"f","arguments":{"a":${deep}}}]}]}`, /nest too deeply/],
  ];
  for (const [script, words] of cases) {
    const { content, calls } = await askModel(sandbox, afterReading(script));
    assert.match(content, /^I can't play `x\.json`: [^\n]*\.$/);
    assert.match(content, words);
    assert.ok(content.length < 700);
    assert.deepEqual(calls, []);
  }
});

test("any script and any messages are answered", async () => {
  const text = fc.constantFrom("isError", "a", "can't", "__proto__", "constructor", "forever");
  const name = fc.constantFrom("read_file", "list_files", "__proto__", "constructor");
  const anyCall = fc.record({ name, arguments: fc.object({ maxDepth: 2 }) });
  const members = {
    say: text,
    reasoning: text,
    calls: fc.array(anyCall, { minLength: 1, maxLength: 3 }),
    when: text,
    unless: text,
    repeat: fc.constantFrom<unknown>(1, 2, 1000, "forever"),
    end: fc.boolean(),
  };
  const step = fc.record(members, { requiredKeys: [] });
  const group = fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 4 }), repeat: members.repeat });
  const steps = fc.array(fc.oneof(step, group), { minLength: 1, maxLength: 5 });
  const script = fc.record({ name: fc.constant("N"), steps });
  const file = fc.oneof(
    { weight: 8, arbitrary: script.map((value) => JSON.stringify(value)) },
    script.chain((value) => fc.mixedCase(fc.constant(JSON.stringify(value)))),
    fc.json(),
    fc.string(),
  );
  const results = fc.array(text, { maxLength: 4 });
  const round = fc.record({ count: fc.integer({ min: 0, max: 3 }), results });
  const property = fc.asyncProperty(file, fc.array(round, { maxLength: 20 }), async (read, rounds) => {
    const more = rounds.flatMap(({ count, results }): SentMessage[] => [
      { role: "assistant", content: "", tool_calls: Array.from({ length: count }, callOf) },
      ...results.map((content): SentMessage => ({ role: "tool", tool_call_id: "b", content })),
    ]);
    const { content, calls } = await askModel(sandbox, [...afterReading(read), ...more]);
    assert.ok(content !== "" || calls.length > 0);
    for (const { function: given } of calls) assert.equal(typeof JSON.parse(given.arguments), "object");
  });
  await fc.assert(property, { numRuns: randomCases(400) });
});

const callOf = (_: unknown, index: number) => ({
  id: `b${index}`,
  type: "function",
  function: { name: "read_file", arguments: "" },
});

test("a long chat with a script of many conditions is answered", async () => {
  const steps = Array.from({ length: 99 }, () => ({ when: "never there", say: "x" }));
  const script = JSON.stringify({
    name: "N",
    steps: [{ repeat: "forever", steps: [{ calls: [read("a")] }, ...steps] }],
  });
  const rounds = Array.from({ length: 1000 }, (): SentMessage[] => [
    { role: "assistant", content: "", tool_calls: [callOf(0, 0)] },
    { role: "tool", tool_call_id: "b0", content: "never ther ".repeat(40) },
  ]);
  const { calls } = await askModel(sandbox, [...afterReading(script), ...rounds.flat()]);
  assert.equal(calls[0]?.function.name, "read_file");
});
