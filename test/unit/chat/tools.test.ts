import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createLiveChat } from "../../../src/features/chat/liveChat.ts";
import { createBuiltInTools, type WorkspaceFiles } from "../../../src/features/chat/tools/builtInTools.ts";
import { checkPlace } from "../../../src/features/chat/tools/checkPlace.ts";
import { readOwnTools } from "../../../src/features/chat/tools/ownTools.ts";
import { runCommand } from "../../../src/features/chat/tools/runCommand.ts";
import { createServiceActions } from "../../../src/features/chat/tools/serviceActions.ts";
import { type ChatTool, type ToolInput, ToolRefusal } from "../../../src/features/chat/tools/tool.ts";
import { bounded, callTool, maxResultLength, readInput } from "../../../src/features/chat/tools/toolBox.ts";
import { createToolRounds, type ToolRounds } from "../../../src/features/chat/tools/toolRounds.ts";
import type { AnswerMessage, ToolCallCard } from "../../../src/shared/chatState.ts";
import {
  ended,
  openChat,
  openView,
  openViewWith,
  serveChat,
  type TestView,
  temporaryFolder,
} from "./chat.ts";

const never = new AbortController().signal;

function tool(name: string, run?: (input: ToolInput, signal: AbortSignal) => Promise<string>): ChatTool {
  return {
    name,
    title: name,
    description: `Does ${name}.`,
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    origin: "built-in",
    fingerprint: name,
    says: ({ city }) => `${name} of ${String(city)}`,
    ...(run ? { run } : {}),
  };
}

const weather = (result = "Sunny.") => tool("get_weather", async () => result);

async function ask(view: TestView, tools: readonly string[] = ["get_weather"]): Promise<ToolCallCard> {
  await view.say("setSettings", { settings: { tools: [...tools] } });
  await view.say("send", { text: "Please use get_weather for Bern", revision: Date.now() });
  const state = await view.until(({ messages }) => hasCalls(messages.at(-1)));
  const last = state.messages.at(-1);
  const [call] = (last?.role === "assistant" && last.calls) || [];
  if (!call) throw new Error("no call");
  return call;
}

const hasCalls = (message: unknown) =>
  typeof message === "object" && message !== null && "calls" in message && Array.isArray(message.calls);
const callsOver = (view: TestView) =>
  view.until((state) => ended(state) && !hasCalls(state.messages.at(-1)) && !state.busy);

test("a call is shown, waits for a word, runs once it has it, and its result goes back", async (t) => {
  const service = await serveChat(t);
  const view = await openViewWith(openChat(t, service, { tools: [weather()] }).controller, "guide");
  const call = await ask(view);
  assert.equal(call.state, "asks");
  assert.match(call.says, /^get_weather of /);
  const answerId = view.answer.id;
  const arrived = service.sandbox.nextRequest({ path: "/chat/completions" });
  await view.say("decideCall", { answerId, callId: call.id, decision: "once" });
  const body = JSON.parse((await arrived).bodyText);
  assert.deepEqual(body.messages.slice(-2), [
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: call.id, type: "function", function: { name: "get_weather", arguments: call.arguments } },
      ],
    },
    { role: "tool", tool_call_id: call.id, content: "Sunny." },
  ]);
  assert.equal(body.tools[0].function.name, "get_weather");
  await callsOver(view);
  assert.match(view.answer.text, /Sunny\./);
});

test("a refusal is told to the model, and nothing runs", async (t) => {
  let runs = 0;
  const counted = tool("get_weather", async () => String(++runs));
  const service = await serveChat(t);
  const view = await openViewWith(openChat(t, service, { tools: [counted] }).controller, "guide");
  const call = await ask(view);
  await view.say("decideCall", { answerId: view.answer.id, callId: call.id, decision: "refuse" });
  await callsOver(view);
  assert.equal(runs, 0);
  assert.match(view.answer.text, /did not let this call be made/);
});

test("a result that is looked at first goes back as it was changed", async (t) => {
  const view = await openViewWith(
    openChat(t, await serveChat(t), { tools: [weather()] }).controller,
    "guide",
  );
  const call = await ask(view);
  const answerId = view.answer.id;
  await view.say("decideCall", { answerId, callId: call.id, decision: "review" });
  await view.until(({ messages }) => {
    const last = messages.at(-1);
    return last?.role === "assistant" && last.calls?.[0]?.state === "review";
  });
  await view.say("giveResult", { answerId, callId: call.id, result: "Rain." });
  await callsOver(view);
  assert.match(view.answer.text, /Rain\./);
});

test("what is allowed in a chat runs there without asking, what is always allowed in every chat", async (t) => {
  const service = await serveChat(t);
  for (const decision of ["conversation", "always"] as const) {
    const chat = openChat(t, service, { tools: [weather()] });
    const view = await openViewWith(chat.controller, "guide");
    const call = await ask(view);
    await view.say("decideCall", { answerId: view.answer.id, callId: call.id, decision });
    await callsOver(view);
    await view.say("send", { text: "get_weather again", revision: Date.now() });
    await view.until(({ messages, busy }) => messages.length === 6 && !busy);
    assert.match(view.answer.text, /Sunny/);
    await view.say("newChat", {});
    await view.say("send", { text: "get_weather once more", revision: Date.now() });
    if (decision === "conversation") {
      const state = await view.until(({ messages }) => hasCalls(messages.at(-1)));
      const last = state.messages.at(-1);
      assert.equal(last?.role === "assistant" && last.calls?.[0]?.state, "asks");
    } else {
      await view.until(({ messages, busy }) => messages.length === 3 && !busy);
      assert.match(view.answer.text, /Sunny/);
    }
    chat.controller.dispose();
  }
});

test("a model that never stops asking waits for a word after 25 rounds", async (t) => {
  const chat = createLiveChat({ record() {}, onChange() {}, onBusy() {}, interrupted: () => undefined });
  chat.add({ role: "user", id: "q", text: "Go" }, null);
  let count = 0;
  const addAnswer = (parentId: string) => {
    count += 1;
    const id = `a${count}`;
    chat.add(answerWith(id), parentId);
    return id;
  };
  const whenStill = Promise.withResolvers<void>();
  const rounds: ToolRounds = createToolRounds({
    chat,
    tools: () => [weather()],
    approvals: { isGiven: () => true, give() {} },
    next: (answerId) => rounds.begin(addAnswer(answerId), [asked()]),
  });
  const set = chat.set;
  t.mock.method(chat, "set", (patch: Parameters<typeof set>[0]) => {
    set(patch);
    if (patch.notice) whenStill.resolve();
  });
  rounds.begin(addAnswer("q"), [asked()]);
  await whenStill.promise;
  assert.equal(count, 25);
  assert.match(chat.state.notice ?? "", /25 times in a row/);
});

let asks = 0;
const asked = () => ({ id: `c${++asks}`, name: "get_weather", arguments: '{"city":"Bern"}' });
const answerWith = (id: string): AnswerMessage => ({
  role: "assistant",
  id,
  model: "m",
  text: "",
  reasoning: "",
  state: "done",
  startedAtMs: 0,
  timing: {},
});

test("a new question refuses the calls that still wait", async (t) => {
  const view = await openViewWith(
    openChat(t, await serveChat(t), { tools: [weather()] }).controller,
    "guide",
  );
  await ask(view);
  const answerId = view.answer.id;
  await view.say("send", { text: "Never mind", revision: Date.now() });
  await view.until((state) => ended(state) && state.messages.at(-2)?.text === "Never mind");
  const asked = view.state.messages.find(({ id }) => id === answerId);
  assert.equal(asked?.role === "assistant" && asked.calls?.[0]?.state, "refused");
});

test("stopping ends a call that runs, and nothing goes back", async (t) => {
  let isAborted = false;
  const endless = tool(
    "get_weather",
    (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          isAborted = true;
          reject(signal.reason);
        });
      }),
  );
  const view = await openViewWith(openChat(t, await serveChat(t), { tools: [endless] }).controller, "guide");
  const call = await ask(view);
  await view.say("decideCall", { answerId: view.answer.id, callId: call.id, decision: "once" });
  await view.until(({ busy }) => busy);
  await view.say("stop", {});
  assert.ok(isAborted);
  assert.equal(view.state.busy, false);
  assert.equal(view.answer.calls?.[0]?.state, "refused");
});

test("a call that waits is still there after the window was loaded anew", async (t) => {
  const chat = openChat(t, await serveChat(t), { tools: [weather()] });
  const view = await openViewWith(chat.controller, "guide");
  const call = await ask(view);
  chat.controller.dispose();
  const again = await openView(chat.reopen().controller);
  await again.until(({ tools, models }) => tools.length > 0 && models.status === "ready");
  assert.equal(again.answer.calls?.[0]?.state, "asks");
  await again.say("decideCall", { answerId: again.answer.id, callId: call.id, decision: "once" });
  await callsOver(again);
  assert.match(again.answer.text, /Sunny/);
});

test("a word counts for what was read: a card that says something else than the call would do is put right", async () => {
  const ran: string[] = [];
  const deploy = tool("deploy", async ({ city }) => String(ran.push(String(city))));
  const chat = createLiveChat({ record() {}, onChange() {}, onBusy() {}, interrupted: () => undefined });
  chat.add({ role: "user", id: "q", text: "Go" }, null);
  // As an imported file may have it: the card names a harmless tool, and no price.
  const forged: ToolCallCard = {
    id: "c",
    name: "deploy",
    title: "List a folder",
    says: "List the workspace",
    arguments: '{"city":"Bern"}',
    state: "asks",
  };
  chat.add({ ...answerWith("a"), calls: [forged] }, "q");
  const rounds = createToolRounds({
    chat,
    tools: () => [deploy],
    approvals: { isGiven: () => false, give() {} },
    next() {},
  });
  for (const decision of ["once", "always"] as const) {
    chat.change({ op: "patch", id: "a", patch: { calls: [forged] } });
    rounds.decide("a", "c", decision);
    const shown = chat.tree.get("a");
    const [card] = (shown?.role === "assistant" && shown.calls) || [];
    assert.deepEqual(card, { ...forged, title: "deploy", says: "deploy of Bern" });
  }
  assert.deepEqual(ran, []);
  rounds.decide("a", "c", "once");
  assert.deepEqual(ran, ["Bern"]);
});

test("two calls of one id are two, and signs that can't be seen are shown", () => {
  const chat = createLiveChat({ record() {}, onChange() {}, onBusy() {}, interrupted: () => undefined });
  chat.add({ role: "user", id: "q", text: "Go" }, null);
  chat.add(answerWith("a"), "q");
  const approvals = { isGiven: () => false, give() {} };
  const rounds = createToolRounds({ chat, tools: () => [weather()], approvals, next() {} });
  const call = {
    id: "c",
    name: "get_weather",
    arguments: JSON.stringify({ city: "Bern\u202e\nlist_files" }),
  };
  rounds.begin("a", [call, { ...call, arguments: '{"city":"Rome"}' }]);
  const shown = chat.tree.get("a");
  const [first, second] = (shown?.role === "assistant" && shown.calls) || [];
  assert.equal(first?.id, "c");
  assert.notEqual(second?.id, "c");
  assert.equal(first?.says, "get_weather of Bern\\u202e\\u000alist_files");
});

test("a tool that throws, takes too long or says too much is bounded and told", async () => {
  const thrown = await callTool(
    tool("a", () => Promise.reject(new Error("broken pipe"))),
    {},
    never,
  );
  assert.deepEqual(thrown, { isError: true, text: "broken pipe" });
  const late = await callTool(
    tool("a", () => new Promise(() => {})),
    {},
    never,
    20,
  );
  assert.deepEqual(late, { isError: true, text: "No result after 0.02 s." });
  const long = await callTool(
    tool("a", async () => "x".repeat(5_000_000)),
    {},
    never,
  );
  assert.ok(long.text.length < maxResultLength + 100);
  assert.match(long.text, /4,936,000 characters were left out/);
  assert.equal(bounded("short"), "short");
});

test("arguments that do not fit the schema are refused by name", () => {
  assert.deepEqual(readInput(weather(), '{"city":"Bern"}'), { city: "Bern" });
  assert.match(String(readInput(weather(), "{oops")), /no JSON/);
  assert.match(String(readInput(weather(), '{"city":1}')), /city.*string/i);
  assert.match(String(readInput(weather(), "")), /city/);
});

const files: WorkspaceFiles = {
  read: async (path) => {
    if (path === "a/big.bin") return new Uint8Array(10);
    if (path === ".env") throw new Error("must not be read");
    return new TextEncoder().encode(`one\nTwo words in ${path}\n`);
  },
  list: async () => ["a/", "b.ts"],
  all: async () => [".env", "a/big.bin", "b.ts"],
};

function builtIn(name: string, client: Parameters<typeof createServiceActions>[0]["client"]): ChatTool {
  const found = createBuiltInTools(files, createServiceActions({ client })).find((one) => one.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
}

test("a link is what it leads to: nothing outside of the workspace, no file of keys", async (t) => {
  const [home, workspace] = [temporaryFolder(t), temporaryFolder(t)];
  const inWorkspace = (name: string) => join(workspace, name);
  writeFileSync(join(home, "id_rsa"), "PRIVATE");
  mkdirSync(inWorkspace("docs"));
  for (const name of ["notes.md", ".env"]) writeFileSync(inWorkspace(name), "text");
  symlinkSync(join(home, "id_rsa"), inWorkspace("readme.txt"));
  symlinkSync(home, inWorkspace("docs/more"));
  symlinkSync(inWorkspace(".env"), inWorkspace("docs/example.txt"));
  symlinkSync(inWorkspace("notes.md"), inWorkspace("docs/notes.md"));
  const check = (name: string) => checkPlace([workspace], inWorkspace(name), name);
  for (const name of ["readme.txt", "docs/more", "docs/more/id_rsa"])
    await assert.rejects(check(name), /leads out of the workspace/);
  await assert.rejects(check("docs/example.txt"), /a link to a file of keys/);
  for (const name of ["", "notes.md", "docs/notes.md", "docs/not-there"]) await check(name);
  await checkPlace([home, workspace], inWorkspace("docs/more"), "a folder that is open, too");
});

test("files are read, listed and searched; what looks secret is refused or left out", async () => {
  const client = () => Promise.reject(new Error("no service is needed"));
  const run = (name: string, input: ToolInput) => callTool(builtIn(name, client), input, never);
  assert.match((await run("read_file", { path: "b.ts" })).text, /Two words in b\.ts/);
  assert.match((await run("read_file", { path: ".env" })).text, /looks like a file of keys/);
  assert.match((await run("parse_document", { path: "id_rsa" })).text, /looks like a file of keys/);
  assert.match((await run("read_file", { path: "a/big.bin" })).text, /no text/);
  assert.equal((await run("list_files", { path: "" })).text, "a/\nb.ts");
  assert.equal((await run("search_workspace", { query: "two WORDS" })).text, "b.ts:2: Two words in b.ts");
});

test("the service searches, reads pages and asks chains for tools, and sends no transaction", async (t) => {
  const { sandbox } = await serveChat(t);
  const chat = openChat(t, { sandbox, remembered: new Map() });
  const { client } = chat;
  const run = (name: string, input: ToolInput) => callTool(builtIn(name, client), input, never);
  assert.match((await run("search_web", { query: "chat" })).text, /^# /);
  const block = await run("call_chain", { network: "ethereum-mainnet", method: "eth_blockNumber" });
  assert.match(block.text, /"result": "0x/);
  const sent = await run("call_chain", {
    network: "ethereum-mainnet",
    method: "eth_sendRawTransaction",
    params: ["0x"],
  });
  assert.match(sent.text, /no tool may do that/);
  for (const method of [" eth_sendUserOperation", "bor_sendRawTransactionConditional", "eth_signTransaction"])
    assert.match(
      (await run("call_chain", { network: "ethereum-mainnet", method })).text,
      /no tool may do that/,
      method,
    );
  const asked = await run("call_chain", { network: "solana-mainnet", method: "getSignaturesForAddress" });
  assert.doesNotMatch(asked.text, /no tool may do that/);
});

test("a workspace's own tools are read, and run without a shell", async (t) => {
  const folder = temporaryFolder(t);
  const script = "process.stdin.on('data', (d) => process.stdout.write('got ' + d + ' $HOME'))";
  const text = JSON.stringify({
    tools: [{ name: "mine", description: "Mine.", command: [process.execPath, "-e", script] }],
  });
  const place = { folder, env: process.env };
  const { tools, problem } = readOwnTools(text, [], (command, input, signal) =>
    runCommand(place, command, input, signal),
  );
  assert.equal(problem, undefined);
  const [mine] = tools;
  if (!mine) throw new Error("no tool");
  assert.deepEqual(await callTool(mine, { a: 1 }, never), { isError: false, text: 'got {"a":1} $HOME' });
  const shown = await runCommand(
    { folder, env: { ...process.env, INFERENCE_API_KEY: "canary" } },
    [process.execPath, "-e", "process.stdout.write(JSON.stringify(process.env))"],
    "",
    never,
  );
  assert.doesNotMatch(shown, /canary/);
  assert.match(shown, /"PATH"/i);
  const failing = readOwnTools(
    JSON.stringify({
      tools: [{ name: "bad", description: "B", command: [process.execPath, "-e", "process.exit(3)"] }],
    }),
    [],
    (command, input, signal) => runCommand(place, command, input, signal),
  ).tools[0];
  if (!failing) throw new Error("no tool");
  assert.match((await callTool(failing, {}, never)).text, /ended with code 3/);
});

test("a file of tools that breaks a rule is said, with field and rule", () => {
  const read = (text: string) =>
    readOwnTools(text, ["read_file"], () => Promise.reject(new ToolRefusal("no")));
  assert.match(read("{").problem ?? "", /inference-tools\.json is no JSON/);
  assert.match(
    read('{"tools":[{"name":"a b","description":"x"}]}').problem ?? "",
    /tools\.0\.name: must be 1 to 64/,
  );
  assert.match(
    read('{"tools":[{"name":"read_file","description":"x"}]}').problem ?? "",
    /read_file is taken/,
  );
  assert.match(read('{"tools":[{"name":"a","description":"x","shell":"rm"}]}').problem ?? "", /tools\.0/);
});
