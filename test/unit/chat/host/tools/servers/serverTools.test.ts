// The tools of a server as tools of a chat: what a card says, what approvals are bound to, and that no mode runs them unasked.
import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../../vscodeDouble.ts";
import { createLiveChat } from "../../../../../../src/chat/host/conversation/liveChat.ts";
import { createPermits } from "../../../../../../src/chat/host/tools/permits.ts";
import { toCard } from "../../../../../../src/chat/host/tools/rounds/toolCards.ts";
import type { CallContext, ChatTool } from "../../../../../../src/chat/host/tools/tool.ts";
import { chatModes, toolsOfMode } from "../../../../../../src/chat/protocol/agentModes.ts";
import { readMcpFile } from "../../../../../../src/tools/mcp/client/config/mcpFile.ts";
import { openServer } from "../../../../../../src/tools/mcp/client/connection/openServer.ts";
import { McpServers } from "../../../../../../src/tools/mcp/client/mcpServers.ts";
import { type ListedTools, readTools } from "../../../../../../src/tools/mcp/client/serverTool.ts";
import { openConsents } from "../../../../session/openConsents.ts";
import { everything, programOf } from "../../../../tools/mcp/client/openTestServer.ts";
import { silent } from "../../../answerMessage.ts";

const { readServerTools } = await import("../../../../../../src/chat/host/tools/servers/serverTools.ts");

const { signal } = new AbortController();
const echo = { name: "echo", description: "Echoes", inputSchema: { type: "object" } };
const readOnly = { ...echo, name: "look", annotations: { readOnlyHint: true } };

/** A window whose file has one server, which has listed these tools. */
function windowWith(listed: readonly unknown[], command = "run", mark?: string[]) {
  const file = { label: "Your mcp.json", path: "/mcp.json" };
  const read = readMcpFile(JSON.stringify({ servers: { mine: { command } } }), file);
  const lists = new Map<string, ListedTools>(read.servers.map(({ id }) => [id, readTools(listed)]));
  const said = new Map<string, string>();
  const servers = new McpServers({
    definitions: async () => read,
    fill: async () => programOf(everything, "stdio"),
    doubt() {},
    load: async () => ({ openServer }),
    host: { version: "1", roots: () => [], ask: async () => ({ action: "decline" }) },
    output: () => ({ write() {}, line() {} }),
    lists: { read: (id) => lists.get(id), write: (id, now) => void lists.set(id, now) },
    changed: () => mark?.push("changed"),
  });
  const allowed = {
    read: (tool: string) => said.get(tool),
    write: (tool: string, is: string) => void said.set(tool, is),
  };
  return {
    servers,
    allowed,
    tools: async (taken: readonly string[] = []) =>
      (await readServerTools({ servers, allowed }, taken)).tools,
  };
}

async function toolNamed(window: ReturnType<typeof windowWith>, name: string): Promise<ChatTool> {
  const tool = (await window.tools()).find((one) => one.name === name);
  assert.ok(tool, name);
  return tool;
}

test("a tool is offered only if the user has chosen it, in no mode by itself, and not in Plan", async () => {
  const tools = await windowWith([echo, readOnly]).tools();
  for (const mode of chatModes) {
    assert.deepEqual(toolsOfMode(tools, mode, []), []);
    const chosen = toolsOfMode(tools, mode, ["mine__look"]).map(({ name }) => name);
    assert.deepEqual(chosen, mode === "plan" ? [] : ["mine__look"]);
  }
});

test("no mode and no hint of a server runs a call unasked; an approval is for the tool as it was described", async () => {
  const chat = createLiveChat(silent);
  const approvals = {
    mayRunUnasked: () => true,
    isAllowed: () => false,
    consents: openConsents(),
    runFileChanges: () => 0,
  };
  const permitsOf = (connection: string) =>
    createPermits({ chat, approvals, connectionId: () => connection });
  const permits = permitsOf("c");
  const ready = async (listed: unknown, command?: string) => ({
    tool: await toolNamed(windowWith([listed], command), "mine__look"),
    input: {},
  });
  for (const mode of chatModes) {
    chat.set({ settings: { mode } });
    assert.equal(await permits.permissionFor(await ready(readOnly)), "none");
  }
  await permits.give(await ready(readOnly), "always");
  assert.equal(await permits.permissionFor(await ready(readOnly)), "given");
  for (const changed of [
    { ...readOnly, description: "Sends all files to me" },
    { ...readOnly, inputSchema: { type: "object", properties: { all: {} } } },
    { ...readOnly, annotations: {} },
  ])
    assert.equal(await permits.permissionFor(await ready(changed)), "none");
  assert.equal(await permits.permissionFor(await ready(readOnly, "other")), "none");
  assert.equal(await permitsOf("d").permissionFor(await ready(readOnly)), "none");
});

const contextWith = (pictures: string[], begun: unknown[] = []): CallContext => ({
  source: { kind: "chat" },
  changed() {},
  written() {},
  planned() {},
  began: (soFar) => begun.push(soFar),
  results: {
    find: async () => "",
    maxTokens: 1_000,
    addPicture: async (_, { mediaType }) => void pictures.push(mediaType),
  },
});

test("the card says server, tool, arguments and command line, and that a description has changed", async () => {
  const window = windowWith([echo], "npx");
  const tool = await toolNamed(window, "mine__echo");
  const card = (one: ChatTool) =>
    toCard({ id: "c", name: one.name, arguments: '{"message":"Hi"}' }, [one], [one.name]);
  assert.equal(card(tool).title, "mine: echo");
  assert.equal(card(tool).says, 'Call echo of the server mine {"message":"Hi"} (npx)');
  assert.equal(card(tool).question, undefined);
  // The real server describes it otherwise, so the approved call does not run.
  assert.ok(tool.run);
  await assert.rejects(
    tool.run({ message: "Hi" }, signal, contextWith([])),
    /has changed what it says about echo/,
  );
  const now = await toolNamed(window, "mine__echo");
  assert.match((await now.run?.({ message: "Hi" }, signal, contextWith([]))) ?? "", /Echo: Hi/);
  assert.equal(card(now).question, undefined);
  const later = await toolNamed(
    {
      ...windowWith([echo], "npx"),
      tools: async () =>
        (await readServerTools({ servers: windowWith([echo], "npx").servers, allowed: window.allowed }, []))
          .tools,
    },
    "mine__echo",
  );
  assert.equal(
    card(later).question,
    "The server has changed what it says about this tool since you last allowed it.",
  );
  window.servers.dispose();
});

test("pictures of a result are shown to the model, an error is the reason of the failure, and the call has begun", async () => {
  const window = windowWith([], "npx");
  const { servers } = await window.servers.read();
  assert.ok(servers[0]);
  await window.servers.start(servers[0].definition);
  const [pictures, begun]: [string[], unknown[]] = [[], []];
  const image = await toolNamed(window, "mine__get-tiny-image");
  const text = await image.run?.({}, signal, contextWith(pictures, begun));
  assert.match(text ?? "", /\[Picture 1\]\n[\s\S]*\(Picture 1: \d+ × \d+ pixels, /);
  assert.deepEqual(pictures, ["image/png"]);
  assert.equal(begun.length, 1);
  const sum = await toolNamed(window, "mine__get-sum");
  await assert.rejects(async () => sum.run?.({ a: "no number" }, signal, contextWith([])), /a/);
  window.servers.dispose();
});
