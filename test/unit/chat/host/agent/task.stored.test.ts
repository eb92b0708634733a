// What a task keeps over a reload of the window.
import assert from "node:assert/strict";
import { test } from "node:test";
import { toTreeNodes } from "../../../../../src/chat/host/history/log/conversation.ts";
import type { ChatTool } from "../../../../../src/chat/host/tools/tool.ts";
import type { ToolCallCard } from "../../../../../src/chat/protocol/chatMessages.ts";
import { answerWith } from "../../answerMessage.ts";
import { ended, openChat, openView, openViewWith, serveChat } from "../../chat.ts";
import { tool } from "../../weatherTool.ts";

const waiting: ToolCallCard = {
  id: "c",
  name: "run_command",
  title: "Run a command",
  says: "Run ls",
  arguments: '{"command":"ls"}',
  state: "asks",
};
const storedCall = (call: object): ToolCallCard | undefined => {
  const [node] = toTreeNodes([{ ...answerWith("a"), parentId: null, calls: [call] }]);
  return node?.role === "assistant" ? node.calls?.[0] : undefined;
};

test("a stored call keeps its kind; one without a kind, or of an unknown one, still loads", () => {
  assert.equal(storedCall({ ...waiting, kind: "command" })?.kind, "command");
  assert.deepEqual(storedCall(waiting), waiting);
  for (const kind of ["a later one", "", null, 1]) {
    const call = storedCall({ ...waiting, kind });
    assert.deepEqual([call?.says, call?.kind], [waiting.says, undefined], String(kind));
  }
});

test("all calls of a kind can be allowed after a reload, and a tool of the workspace is none of them", async (t) => {
  const service = await serveChat(t);
  const ran: string[] = [];
  const made = (name: string, origin: ChatTool["origin"]): ChatTool => ({
    ...tool(name, async () => String(ran.push(name))),
    kind: "command",
    origin,
  });
  const tools = [
    made("first_tool", "built-in"),
    made("other_tool", "built-in"),
    made("own_tool", "workspace"),
  ];
  const chat = openChat(t, service, { tools });
  const view = await openViewWith(chat.controller, "guide");
  await view.say("setSettings", { settings: { mode: "agent", tools: ["own_tool"] } });
  await view.say("send", { text: "Please use first_tool, other_tool and own_tool for Bern", revision: 1 });
  await view.until((state) => ended(state) && state.messages.length === 2 && !state.busy);
  const kinds = { first_tool: "command", other_tool: "command", own_tool: undefined };
  const shown = (calls: readonly ToolCallCard[] = []) =>
    Object.fromEntries(calls.map(({ name, kind }) => [name, kind]));
  assert.deepEqual(shown(view.answer.calls), kinds);
  chat.controller.dispose();
  const again = await openView(chat.reopen().controller);
  await again.until((state) => state.tools.length > 0);
  const { id, calls = [] } = again.answer;
  assert.deepEqual(shown(calls), kinds);
  const first = calls.find(({ name }) => name === "first_tool");
  await again.say("decideCall", { answerId: id, callId: first?.id ?? "", decision: "kind" });
  await again.until(() => ran.length === 2);
  assert.deepEqual(ran.toSorted(), ["first_tool", "other_tool"]);
  assert.equal(again.answer.calls?.find(({ name }) => name === "own_tool")?.state, "asks");
});
