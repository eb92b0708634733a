// The client with servers of the SDK and the official server of all features, over each transport.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { openServer, RefusedByServer } from "../../../../../../src/tools/mcp/client/connection/openServer.ts";
import { readResult } from "../../../../../../src/tools/mcp/client/results/serverResult.ts";
import { everything, hostWith, programOf } from "../openTestServer.ts";

const { signal } = new AbortController();

test("the official server of all features: tools, pictures, links, structure, progress, questions, roots", async (t) => {
  const asked: unknown[] = [];
  const progress: string[] = [];
  const host = hostWith({
    async ask(question) {
      asked.push(question);
      return { action: "decline" };
    },
  });
  const connection = await openServer(programOf(everything, "stdio"), host, signal);
  t.after(() => connection.close());
  const call = async (name: string, input = {}) =>
    readResult(await connection.call(name, input, signal, (text) => progress.push(text)));
  assert.ok(connection.listed.tools.length >= 10);
  assert.match(
    connection.listed.problems.join("|"),
    /^The tool simulate-research-query is not offered[^|]*$/,
  );
  assert.equal((await call("echo", { message: "Hi" })).text, "Echo: Hi");
  assert.equal((await call("get-tiny-image")).pictures.length, 1);
  assert.match((await call("get-resource-links", { count: 2 })).text, /\[Link to a resource: .* demo:\/\//);
  assert.match(
    (await call("get-structured-content", { location: "New York" })).text,
    /^\{"temperature":\d+,[^\n]*\}$/,
  );
  await call("trigger-long-running-operation", { duration: 0.1, steps: 2 });
  // What arrives together with the result is not shown any more.
  assert.equal(progress[0], "1 of 2");
  await call("trigger-elicitation-request");
  assert.equal(asked.length, 1);
  assert.match((await call("get-roots-list")).text, /file:\/\/\/work/);
  // Sampling is not offered, so the server has no tool for it.
  assert.ok(!connection.listed.tools.some(({ name }) => name === "trigger-sampling-request"));
});

function testServer(): McpServer {
  const server = new McpServer({ name: "test", version: "1" });
  server.registerTool("echo", { description: "Echoes" }, () => ({ content: [{ type: "text", text: "Hi" }] }));
  return server;
}

async function listen(
  t: TestContext,
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<URL> {
  const http: Server = createServer((request, response) => void handle(request, response));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  t.after(() => {
    http.closeAllConnections();
    http.close();
  });
  return new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
}

const remote = (url: URL, headers = {}) =>
  ({ kind: "remote", url, headers, isOld: false, secrets: [] }) as const;

test("streamable HTTP: headers reach the server, a redirect within it is followed", async (t) => {
  const seen: unknown[] = [];
  const url = await listen(t, async (request, response) => {
    seen.push(request.headers["x-key"]);
    if (request.url === "/mcp") {
      response.writeHead(307, { location: "/mcp/" }).end();
      return;
    }
    const transport = new StreamableHTTPServerTransport({});
    await testServer().connect(transport);
    await transport.handleRequest(request, response);
  });
  const connection = await openServer(remote(url, { "x-key": "k" }), hostWith(), signal);
  const { content } = await connection.call("echo", {}, signal, () => {});
  assert.deepEqual(content, [{ type: "text", text: "Hi" }]);
  assert.ok(seen.length > 2 && seen.every((key) => key === "k"));
  await connection.close();
});

test("a server of the older transport is reached by it", async (t) => {
  let transport: SSEServerTransport | undefined;
  const url = await listen(t, async (request, response) => {
    if (request.method === "GET") {
      transport = new SSEServerTransport("/messages", response);
      await testServer().connect(transport);
    } else if (request.url?.startsWith("/messages")) await transport?.handlePostMessage(request, response);
    else response.writeHead(405).end();
  });
  const connection = await openServer(remote(url), hostWith(), signal);
  const { content } = await connection.call("echo", {}, signal, () => {});
  assert.deepEqual(content, [{ type: "text", text: "Hi" }]);
  await connection.close();
});

test("a restart of a server of the older transport ends its connection, and the calls that wait for it", async (t) => {
  let transport: SSEServerTransport | undefined;
  const { promise: called, resolve: note } = Promise.withResolvers<void>();
  const open: ServerResponse[] = [];
  const url = await listen(t, async (request, response) => {
    if (request.method === "GET") {
      open.push(response);
      const server = new McpServer({ name: "test", version: "1" });
      server.registerTool("wait", { description: "Waits" }, () => {
        note();
        return new Promise(() => {});
      });
      transport = new SSEServerTransport("/messages", response);
      await server.connect(transport);
    } else await transport?.handlePostMessage(request, response);
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  const connection = await openServer({ ...remote(url), isOld: true }, hostWith({ ended: end }), signal);
  const waiting = connection.call("wait", {}, signal, () => {});
  await called;
  for (const response of open) response.destroy();
  await assert.rejects(waiting, /The server ended during the call: its connection was closed/);
  assert.equal(await ended, "its connection was closed");
  assert.equal(open.length, 1);
});

test("a redirect to another host gets no header, and a refusal says what to change", async (t) => {
  const other: unknown[] = [];
  const target = await listen(t, ({ headers }, response) => {
    other.push(headers);
    response.end();
  });
  const leading = await listen(t, (_, response) => response.writeHead(307, { location: target.href }).end());
  await assert.rejects(
    openServer(remote(leading, { "x-key": "k" }), hostWith(), signal),
    /leads to another address/,
  );
  assert.deepEqual(other, []);
  const closed = await listen(t, (_, response) => response.writeHead(401).end());
  await assert.rejects(openServer(remote(closed), hostWith(), signal), (error) => {
    assert.ok(error instanceof RefusedByServer);
    assert.match(error.message, /401.*headers in mcp\.json/);
    return true;
  });
});
