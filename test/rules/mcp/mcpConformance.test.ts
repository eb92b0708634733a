// The conformance suite of the Model Context Protocol, against the shipped process. The suite speaks HTTP only, so each
// of its sessions is bridged to a process over stdio, message by message.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type LinkResult, linkEnvironment } from "../../../src/shared/mcpLink.ts";
import type { RunCall } from "../../../src/tools/mcp/server/window/callRunner.ts";
import { root } from "../../tools/paths.ts";
import {
  openTestWindow,
  type TestWindow,
  temporaryFolder,
  testTool,
  textResult,
} from "../../unit/tools/mcp/server/testWindow.ts";

/** The scenarios of features that this server has. */
const scenarios = [
  "server-initialize",
  "ping",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-error",
  "tools-call-with-progress",
  "json-schema-2020-12",
  "resources-list",
];

/** All other scenarios of the suite, with the reason why this server does not pass them. */
const without: Readonly<Record<string, string>> = {
  "logging-set-level": "no logging to the client",
  "tools-call-with-logging": "no logging to the client",
  "completion-complete": "no prompts and no templates, whose arguments are completed",
  "tools-call-embedded-resource": "no tool embeds a resource",
  "tools-call-mixed-content": "requires an embedded resource",
  "tools-call-sampling": "no sampling: the models are the service's own",
  "tools-call-elicitation": "no elicitation: the window asks the user",
  "elicitation-sep1034-defaults": "no elicitation",
  "elicitation-sep1330-enums": "no elicitation",
  "server-sse-polling": "stdio has no event streams",
  "server-sse-multiple-streams": "stdio has no event streams",
  "dns-rebinding-protection": "stdio has no HTTP",
  "resources-read-text": "reads a resource of a test server; the only resource is the page of a picture",
  "resources-read-binary": "reads a resource of a test server",
  "resources-templates-read": "no templates",
  "resources-subscribe": "the resource never changes",
  "resources-unsubscribe": "the resource never changes",
  "prompts-list": "no prompts",
  "prompts-get-simple": "no prompts",
  "prompts-get-with-args": "no prompts",
  "prompts-get-embedded-resource": "no prompts",
  "prompts-get-with-image": "no prompts",
};

const addressSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } },
  },
  properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
  additionalProperties: false,
};

/** The tools that the suite calls, answered by the window. */
const results: Readonly<Record<string, LinkResult>> = {
  test_simple_text: textResult("text"),
  test_image_content: { content: [{ type: "image", data: "AQI=", mimeType: "image/png" }], isError: false },
  test_audio_content: { content: [{ type: "audio", data: "AQI=", mimeType: "audio/wav" }], isError: false },
  test_error_handling: { ...textResult("It failed."), isError: true },
  test_tool_with_progress: textResult("done"),
};
const runCall: RunCall = async ({ name }, _, onState) => {
  for (const text of ["Checking", "Asking", "Running"]) onState(text);
  return results[name] ?? textResult(name);
};

const folder = temporaryFolder();
const sessions = new Map<string, StreamableHTTPServerTransport>();
const bridges: Transport[] = [];
let window: TestWindow;
const http = createServer((request, response) => void serve(request, response));

before(async () => {
  const tools = Object.keys(results).map((name) => testTool(name));
  const schemaTool = testTool("json_schema_2020_12_tool", addressSchema);
  window = await openTestWindow(folder.path, runCall, { tools: [...tools, schemaTool] });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
});
after(async () => {
  await Promise.all(bridges.map((bridge) => bridge.close()));
  http.closeAllConnections();
  http.close();
  window.close();
  folder.remove();
});

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const known = sessions.get(String(request.headers["mcp-session-id"]));
  await (known ?? (await openSession())).handleRequest(request, response);
}

async function openSession(): Promise<StreamableHTTPServerTransport> {
  const session = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, session),
  });
  const child = new StdioClientTransport({
    command: process.execPath,
    args: [join(root, "dist", "mcp.js")],
    env: { [linkEnvironment.folder]: folder.path },
  });
  bridges.push(session, child);
  const tokens = new Map<unknown, string | number>();
  session.onmessage = (message) => {
    const token = "id" in message && "method" in message ? message.params?._meta?.progressToken : undefined;
    if (token !== undefined && "id" in message) tokens.set(token, message.id as string | number);
    void child.send(message);
  };
  child.onmessage = (message) => {
    // A notification of progress belongs to the stream of its request.
    const token = "method" in message ? message.params?.progressToken : undefined;
    const relatedRequestId = tokens.get(token);
    void session.send(message, relatedRequestId === undefined ? {} : { relatedRequestId });
  };
  await Promise.all([session.start(), child.start()]);
  return session;
}

const runner = join(root, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");

async function run(
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly text: string }> {
  const child = spawn(process.execPath, [runner, ...args], { cwd: folder.path });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  const [code] = await once(child, "close");
  return { code, text };
}

for (const scenario of scenarios) {
  test(`conformance: ${scenario}`, async () => {
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    const { code, text } = await run("server", "--url", url, "--scenario", scenario);
    assert.equal(code, 0, text);
    assert.match(text, /Passed: [1-9]\d*\/\d+, 0 failed/, text);
  });
}

test("each scenario of the suite is run, or named with a reason", async () => {
  const { text } = await run("list", "--server");
  const all = [...text.matchAll(/^\s+- (\S+)/gm)].map(([, name]) => name);
  assert.deepEqual(all.sort(), [...scenarios, ...Object.keys(without)].sort());
});
