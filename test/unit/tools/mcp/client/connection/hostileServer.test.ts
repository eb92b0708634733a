// A server that does what servers must not: it gets nothing, and all of it is bounded.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Refusal } from "../../../../../../src/platform/errors/refusal.ts";
import { serverLimits } from "../../../../../../src/tools/mcp/client/connection/limits.ts";
import { openServer, RefusedByServer } from "../../../../../../src/tools/mcp/client/connection/openServer.ts";
import { readResult } from "../../../../../../src/tools/mcp/client/results/serverResult.ts";
import type { ListedTools } from "../../../../../../src/tools/mcp/client/serverTool.ts";
import { root } from "../../../../../tools/paths.ts";
import { firstOf, hostWith, openTestServer, programOf } from "../openTestServer.ts";

const { signal } = new AbortController();
const none = () => {};

test("a server that never answers is given up and ended; one that ends says why", async () => {
  await assert.rejects(openTestServer("mute", {}, { startMs: 300 }), /did not answer within 0\.3 s/);
  await assert.rejects(openTestServer("exits"), /ended with code 3: the token is missing/);
  const missing = { ...programOf("echo"), command: ["/missing/program"] } as const;
  await assert.rejects(openServer(missing, hostWith(), signal), /no program \/missing\/program/);
});

test("the line that says why a program ended is told, and not what Node.js or npm print after it", async () => {
  await assert.rejects(openTestServer("throws"), /ended with code 1: TypeError: the token is missing$/);
  await assert.rejects(openTestServer("npm"), /ended with code 1: npm error 404 Not Found - GET \/none$/);
});

test("a missing folder and a missing program are told apart, and no value of an input is forgotten for them", async () => {
  const start = {
    kind: "program",
    command: [process.execPath],
    folder: root,
    env: process.env,
    secrets: [],
  } as const;
  for (const [some, says] of [
    [{ folder: "/none" }, /no folder \/none.*cwd in mcp\.json/],
    [{ command: ["none-such"] }, /no program none-such/],
  ] as const)
    await assert.rejects(openServer({ ...start, ...some }, hostWith(), signal), (error) => {
      assert.ok(error instanceof Refusal && !(error instanceof RefusedByServer));
      assert.match(error.message, says);
      return true;
    });
});

test("a start can be cancelled", async () => {
  const abort = new AbortController();
  const opening = openServer(programOf("mute"), hostWith(), abort.signal);
  abort.abort(new Error("cancelled"));
  await assert.rejects(opening, /cancelled/);
});

test("100 MB on the standard error are read and dropped", async () => {
  const connection = await openTestServer("stderr");
  const { content } = await connection.call("echo", { text: "Hi" }, signal, none);
  assert.deepEqual(content, [{ type: "text", text: "Hi" }]);
  await connection.close();
});

test("a result of 10 MB arrives; a message without end ends the server, and the call may have happened", async () => {
  const big = await openTestServer("big");
  const { text } = readResult(await big.call("echo", {}, signal, none));
  assert.equal(text.length, 10_000_003);
  await big.close();
  const ended = firstOf<string>();
  const huge = await openTestServer("huge", { ended: ended.resolve });
  await assert.rejects(huge.call("echo", {}, signal, none), /message that is too long.*It may have run/);
  assert.match(await ended.promise, /too long/);
});

test("a server that dies within a call: it may have happened", async () => {
  const connection = await openTestServer("dies");
  await assert.rejects(
    connection.call("echo", {}, signal, none),
    /The server ended during the call: it ended with code 9\. It may have run/,
  );
  assert.ok(connection.isOver);
});

test("progress without end is bounded by the time of the whole call, and silence by its own", async () => {
  const limits = { callMs: 400, silenceMs: 300 };
  const endless = await openTestServer("progress", {}, limits);
  await assert.rejects(endless.call("echo", {}, signal, none), /no result in time\. It may have run/);
  endless.kill();
  const silent = await openTestServer("silent", {}, limits);
  await assert.rejects(silent.call("echo", {}, signal, none), /no result in time/);
  silent.kill();
});

test("a call can be cancelled while the server is silent", async () => {
  const connection = await openTestServer("silent");
  const abort = new AbortController();
  const calling = connection.call("echo", {}, abort.signal, none);
  abort.abort(new Error("stopped"));
  await assert.rejects(calling, /stopped/);
  await connection.close();
});

test("questions without end are declined after some, and those that no call has caused at once", async () => {
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return { action: "accept", content: { name: "x" } } as const;
  };
  const connection = await openTestServer("asks", { ask });
  const { content } = await connection.call("echo", {}, signal, none);
  assert.deepEqual(content, [{ type: "text", text: `declined after ${serverLimits.questions + 1}` }]);
  assert.equal(asked, serverLimits.questions);
  await connection.close();
});

test("a server gets no sampling", async () => {
  const connection = await openTestServer("samples");
  const { content } = await connection.call("echo", {}, signal, none);
  assert.match(JSON.stringify(content), /-32601/);
  await connection.close();
});

test("a changed list is read again, and its tools have other hashes", async () => {
  const changed = firstOf<ListedTools>();
  const connection = await openTestServer("changes", { toolsChanged: changed.resolve }, { listMs: 1 });
  const [before] = connection.listed.tools;
  await connection.call("echo", {}, signal, none);
  const [after] = (await changed.promise).tools;
  assert.equal(after?.description, "Sends everything to me");
  assert.notEqual(after?.hash, before?.hash);
  await connection.close();
});

test("a row of the list that can't be read does not hide the others", async () => {
  const connection = await openTestServer("echo");
  assert.deepEqual(
    connection.listed.tools.map(({ name }) => name),
    ["echo"],
  );
  assert.deepEqual(connection.listed.problems, ["A tool without a name is not offered."]);
  await connection.close();
});

for (const how of ["stays", "keeps"])
  test(`no process is left of a server that ignores the end of its input (${how})`, async () => {
    const connection = await openTestServer(how);
    const { text } = readResult(await connection.call("echo", {}, signal, none));
    process.kill(Number(text), 0);
    await connection.close();
    assert.throws(() => process.kill(Number(text), 0), { code: "ESRCH" });
  });

test("a server does not get the key of the connection", async () => {
  const start = { ...programOf("env"), env: { ...process.env, INFERENCE_API_KEY: "sk-secret" } };
  const connection = await openServer(start, hostWith(), signal);
  const { content } = await connection.call("echo", {}, signal, none);
  const text = JSON.stringify(content);
  assert.match(text, /INFERENCE_COMMAND_ID/);
  assert.doesNotMatch(text, /sk-secret/);
  await connection.close();
});
