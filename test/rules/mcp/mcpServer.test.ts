// The shipped process of the MCP server, with the official client over stdio.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { linkEnvironment } from "../../../src/shared/mcpLink.ts";
import { serviceToolNames } from "../../../src/shared/names/ids.ts";
import type { RunCall } from "../../../src/tools/mcp/server/window/callRunner.ts";
import { createLinkFolder } from "../../../src/tools/mcp/server/window/linkFolder.ts";
import { root } from "../../tools/paths.ts";
import {
  echo,
  openTestWindow,
  type TestWindow,
  temporaryFolder,
  testTool,
  textResult,
  waitingCalls,
} from "../../unit/tools/mcp/server/testWindow.ts";

const script = join(root, "dist", "mcp.js");
assert.ok(existsSync(script), "dist/ is not built: npm run build");
const tools = Object.values(serviceToolNames).map((name) => testTool(name));
const { searchWeb, generateImage } = serviceToolNames;

let folder: ReturnType<typeof temporaryFolder>;
let window: TestWindow | undefined;
let client: Client;
beforeEach(() => {
  folder = temporaryFolder();
  client = new Client({ name: "official client", version: "1" });
});
afterEach(async () => {
  await client.close();
  window?.close();
  window = undefined;
  folder.remove();
});

async function openWindow(runCall: RunCall): Promise<void> {
  window = await openTestWindow(folder.path, runCall, { tools, script });
}

async function connect(path = script): Promise<void> {
  const env = path === script ? { [linkEnvironment.folder]: folder.path } : {};
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [path], env, stderr: "pipe" }),
  );
}

const textOf = (result: object) => String(Reflect.get(Reflect.get(result, "content")[0], "text"));

test("lists and calls every tool; pictures and sounds are content of their own", async () => {
  await openWindow(async ({ name, client: from }) => ({
    content: [
      { type: "text", text: `${name} for ${from}` },
      { type: "image", data: "AQI=", mimeType: "image/png" },
      { type: "audio", data: "AQI=", mimeType: "audio/mpeg" },
    ],
    isError: false,
  }));
  await connect();
  const listed = (await client.listTools()).tools;
  assert.deepEqual(
    listed.map(({ name }) => name),
    tools.map(({ name }) => name),
  );
  for (const { name } of listed) {
    const result = await client.callTool({ name, arguments: {} });
    assert.equal(textOf(result), `${name} for official client`);
    assert.deepEqual(
      (result.content as { type: string }[]).map(({ type }) => type),
      ["text", "image", "audio"],
    );
  }
  assert.equal(
    client.getServerVersion()?.version,
    JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version,
  );
});

test("a picture has an MCP App without external requests", async () => {
  await openWindow(echo);
  await connect();
  const tool = (await client.listTools()).tools.find(({ name }) => name === generateImage);
  const uri = Reflect.get(Object(tool?._meta?.ui), "resourceUri") as string;
  assert.ok((await client.listResources()).resources.some((resource) => resource.uri === uri));
  const [page] = (await client.readResource({ uri })).contents;
  assert.equal(page?.mimeType, "text/html;profile=mcp-app");
  assert.ok(page && "text" in page && !/https?:|src=|href=|fetch|import/.test(page.text));
  await assert.rejects(client.readResource({ uri: "ui://other" }), /Unknown resource/);
});

test("an unknown tool is an error of the protocol, whatever its name", async () => {
  await openWindow(echo);
  await connect();
  for (const name of ["nothing", "constructor", "__proto__"])
    await assert.rejects(client.callTool({ name }), /-32602.*Unknown tool/);
});

test("cancelling a call reaches the window; progress is reported", async () => {
  const { runCall, started, aborted } = waitingCalls();
  await openWindow((call, signal, onState) => {
    void onState("Waiting for the user's approval in VS Code");
    return runCall(call, signal, onState);
  });
  await connect();
  const abort = new AbortController();
  const said = Promise.withResolvers<string | undefined>();
  const call = client.callTool({ name: searchWeb, arguments: {} }, undefined, {
    signal: abort.signal,
    onprogress: ({ message }) => said.resolve(message),
  });
  const rejected = assert.rejects(call);
  await started;
  assert.match((await said.promise) ?? "", /approval/);
  abort.abort();
  await Promise.all([rejected, aborted]);
});

test("arguments of 1 MB", async () => {
  await openWindow(echo);
  await connect();
  const text = "ü\n".repeat(500_000);
  assert.equal(
    textOf(await client.callTool({ name: searchWeb, arguments: { text } })),
    JSON.stringify({ text }),
  );
});

test("the window is lost during a call, and opens again", async () => {
  const { runCall, started } = waitingCalls();
  await openWindow(runCall);
  await connect();
  const call = client.callTool({ name: searchWeb, arguments: {} });
  await started;
  window?.close();
  const lost = await call;
  assert.equal(lost.isError, true);
  assert.match(textOf(lost), /closed during the call.*not repeated.*may have been billed/);
  const closed = await client.callTool({ name: searchWeb, arguments: {} });
  assert.match(textOf(closed), /Open VS Code with Inference Workbench.*Nothing was sent/);
  assert.equal((await client.listTools()).tools.length, tools.length);
  await openWindow(async () => textResult("back"));
  assert.equal(textOf(await client.callTool({ name: searchWeb, arguments: {} })), "back");
});

test("a stale token is refused with a sentence", async () => {
  await openWindow(echo);
  const path = join(folder.path, "windows", `${window?.name}.json`);
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), token: "stale" }));
  await connect();
  assert.match(
    textOf(await client.callTool({ name: searchWeb, arguments: {} })),
    /token is not that of this window/,
  );
});

test("the client loses the server during a call", async () => {
  const { runCall, started, aborted } = waitingCalls();
  await openWindow(runCall);
  await connect();
  const rejected = assert.rejects(client.callTool({ name: searchWeb, arguments: {} }), /closed/i);
  await started;
  const { pid } = client.transport as StdioClientTransport;
  assert.ok(pid);
  process.kill(pid, "SIGKILL");
  await Promise.all([rejected, aborted]);
});

test("the launcher starts the process, and says so if the extension is gone", async () => {
  await openWindow(echo);
  const { launcher } = createLinkFolder(folder.path, script);
  await connect(launcher);
  assert.equal((await client.listTools()).tools.length, tools.length);
  await client.close();
  const gone = createLinkFolder(folder.path, "/nowhere/mcp.js");
  await gone.writeLauncher();
  const transport = new StdioClientTransport({ command: process.execPath, args: [launcher], stderr: "pipe" });
  const said = new Promise((resolve) => transport.stderr?.once("data", (chunk) => resolve(String(chunk))));
  await assert.rejects(client.connect(transport));
  assert.match(String(await said), /updated or removed/);
});
