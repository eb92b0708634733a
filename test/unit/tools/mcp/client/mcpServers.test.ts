import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { type TestContext, test } from "node:test";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { Refusal } from "../../../../../src/platform/errors/refusal.ts";
import { readMcpFile } from "../../../../../src/tools/mcp/client/config/mcpFile.ts";
import { openServer } from "../../../../../src/tools/mcp/client/connection/openServer.ts";
import { McpServers, type McpServersDeps } from "../../../../../src/tools/mcp/client/mcpServers.ts";
import type { ListedTools } from "../../../../../src/tools/mcp/client/serverTool.ts";
import { programOf } from "./openTestServer.ts";

const { signal } = new AbortController();

/** The servers of a file with one server, whose program behaves so. */
function serversWith(how: string, some: Partial<McpServersDeps> = {}) {
  const file = { label: "mcp.json", path: "/mcp.json" };
  const read = readMcpFile(JSON.stringify({ servers: { test: { command: how } } }), file);
  const lists = new Map<string, ListedTools>();
  const [definition] = read.servers;
  assert.ok(definition);
  const noted = { starts: 0, doubted: 0, began: 0 };
  const servers = new McpServers({
    definitions: async () => read,
    async fill() {
      noted.starts += 1;
      return programOf(how);
    },
    doubt() {
      noted.doubted += 1;
    },
    load: async () => ({ openServer }),
    host: { version: "1", roots: () => [], ask: async () => ({ action: "decline" }) },
    output: () => ({ write() {}, line() {} }),
    lists: { read: (id) => lists.get(id), write: (id, listed) => void lists.set(id, listed) },
    changed() {},
    ...some,
  });
  const call = async (hash: string | undefined) =>
    servers.call(definition, { name: "echo", hash: hash ?? "" }, { text: "Hi" }, signal, {
      began() {
        noted.began += 1;
      },
      progress() {},
    });
  const known = async () => (await servers.read()).servers[0];
  return {
    servers,
    definition,
    noted,
    call,
    known,
    hash: async () => (await known())?.listed?.tools[0]?.hash,
  };
}

test("nothing runs before it is used; its tools stay known after it has stopped, and a call starts it again", async () => {
  const { servers, definition, noted, call, known, hash } = serversWith("echo");
  assert.equal((await known())?.listed, undefined);
  assert.equal(noted.starts, 0);
  await Promise.all([servers.start(definition), servers.start(definition)]);
  assert.equal((await known())?.state, "running");
  assert.equal(noted.starts, 1);
  await servers.stop(definition);
  assert.equal((await known())?.state, "stopped");
  const { content } = await call(await hash());
  assert.deepEqual(content, [{ type: "text", text: "Hi" }]);
  assert.equal(noted.starts, 2);
  servers.dispose();
});

test("a tool that says something else than what was allowed is not called", async () => {
  const { servers, definition, noted, call } = serversWith("echo");
  await servers.start(definition);
  await assert.rejects(call("another hash"), /has changed what it says about echo, so it was not called/);
  assert.equal(noted.began, 0);
  servers.dispose();
});

test("a server that dies in each call is started again, but not without end", async () => {
  const { servers, definition, noted, call, known, hash } = serversWith("dies");
  await servers.start(definition);
  const same = await hash();
  for (let count = 0; count < 3; count++) await assert.rejects(call(same), /ended during the call/);
  assert.match((await known())?.problem ?? "", /^It has ended: it ended with code 9/);
  await assert.rejects(call(same), /has ended 3 times by itself/);
  assert.equal(noted.starts, 3);
  // The user may try again.
  await servers.start(definition);
  assert.equal((await known())?.state, "running");
  servers.dispose();
});

test("a failed start says why, and values that a server refuses are doubted", async () => {
  const { servers, definition, noted, known } = serversWith("exits");
  await servers.start(definition);
  assert.match((await known())?.problem ?? "", /code 3: the token is missing/);
  assert.equal(noted.doubted, 1);
  servers.dispose();
  const fill = () => Promise.reject(new Refusal("It needs the input k, and none was given."));
  const asking = serversWith("echo", { fill });
  await asking.servers.start(asking.definition);
  assert.match((await asking.known())?.problem ?? "", /needs the input k/);
  assert.equal(asking.noted.doubted, 0);
});

test("a tool that a server adds only after its start is called, also by the call that starts it", async () => {
  const { servers, definition, call, hash } = serversWith("late");
  await servers.start(definition);
  const before = serversWith("echo");
  await before.servers.start(before.definition);
  const same = await before.hash();
  before.servers.dispose();
  assert.notEqual(await hash(), same);
  await servers.stop(definition);
  const { content } = await call(same);
  assert.deepEqual(content, [{ type: "text", text: "Hi" }]);
  servers.dispose();
});

test("what a server prints is taken, and why it has failed names no secret", async () => {
  const printed: string[] = [];
  const { servers, definition, known } = serversWith("exits", {
    fill: async () => ({ ...programOf("exits"), secrets: ["token"] }),
    output: (_, secrets) => ({
      write: (text) => printed.push(`${secrets.join()}: ${text}`),
      line: (text) => printed.push(text),
    }),
  });
  assert.equal((await known())?.hasOutput, false);
  await servers.start(definition);
  const says = "It could not be started: it ended with code 3: the *** is missing";
  assert.equal((await known())?.problem, says);
  assert.equal((await known())?.hasOutput, true);
  assert.deepEqual(printed.slice(1), ["token: the token is missing\n", says]);
  assert.match(printed[0] ?? "", /^Runs /);
});

test("an idle server is stopped", async () => {
  const stopped = Promise.withResolvers<void>();
  let states = 0;
  const one = serversWith("echo", {
    idleMs: 1,
    async changed() {
      states += 1;
      if (states > 1 && (await one.known())?.state === "stopped") stopped.resolve();
    },
  });
  await one.servers.start(one.definition);
  // Its timer keeps no process alive.
  const alive = setInterval(() => {}, 1_000);
  await stopped.promise;
  clearInterval(alive);
  one.servers.dispose();
});

test("a server that is not in the files any more is ended", async () => {
  const { definition } = serversWith("echo");
  let listed = [definition];
  const { servers, known } = serversWith("echo", {
    definitions: async () => ({ servers: listed, problems: [] }),
  });
  await servers.start(definition);
  assert.equal((await known())?.state, "running");
  listed = [];
  assert.equal(await known(), undefined);
  listed = [definition];
  assert.equal((await known())?.state, "stopped");
});

for (const [status, how] of [
  [404, "as the protocol says"],
  [400, "as the servers of the SDK do"],
] as const)
  test(`a server that does not know the session any more is reached anew, and the call runs once (${how})`, async (t) => {
    const remote = await listenWithSessions(t, status);
    const { servers, definition, noted, call, hash } = serversWith("echo", {
      fill: async () => remote.start,
    });
    await servers.start(definition);
    const same = await hash();
    await call(same);
    remote.sessions.clear();
    const { content } = await call(same);
    assert.deepEqual(content, [{ type: "text", text: "Hi" }]);
    assert.deepEqual([remote.calls(), noted.began], [2, 2]);
    servers.dispose();
  });

test("credentials that expire while a server is connected are asked for again, and nothing is called", async (t) => {
  const remote = await listenWithSessions(t, 404);
  const { servers, definition, noted, call, known, hash } = serversWith("echo", {
    fill: async () => remote.start,
  });
  await servers.start(definition);
  const same = await hash();
  remote.expire();
  await assert.rejects(
    call(same),
    /could not be started, so nothing was called\. It refused the request \(401\)/,
  );
  assert.deepEqual([remote.calls(), noted.doubted, (await known())?.state], [0, 1, "stopped"]);
  servers.dispose();
});

/** A server over HTTP that forgets its sessions on request, and then answers with this status. */
async function listenWithSessions(t: TestContext, status: number) {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  let [calls, isExpired] = [0, false];
  const open = async () => {
    const server = new McpServer({ name: "test", version: "1" });
    server.registerTool("echo", { description: "Echoes" }, () => {
      calls += 1;
      return { content: [{ type: "text", text: "Hi" }] };
    });
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await server.connect(transport);
    return transport;
  };
  const http = createServer(async (request, response) => {
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : await open();
    if (isExpired) response.writeHead(401).end();
    else if (known) await known.handleRequest(request, response);
    else response.writeHead(status).end("No valid session ID");
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  t.after(() => {
    http.closeAllConnections();
    http.close();
  });
  const address = http.address();
  assert.ok(typeof address === "object" && address);
  const url = new URL(`http://127.0.0.1:${address.port}/mcp`);
  const expire = () => {
    isExpired = true;
  };
  return {
    sessions,
    expire,
    calls: () => calls,
    start: { kind: "remote", url, headers: {}, isOld: false, secrets: [] } as const,
  };
}
