// A scripted model reads a long output, then the rest of it by its handle, in a chat that was reloaded.
import assert from "node:assert/strict";
import { test } from "node:test";
import { handleOf } from "../../../../../../src/chat/host/tools/results/keptResults.ts";
import { createReadResultTool } from "../../../../../../src/chat/host/tools/results/readResultTool.ts";
import type { ChatTool } from "../../../../../../src/chat/host/tools/tool.ts";
import type { AnswerMessage } from "../../../../../../src/chat/protocol/chatMessages.ts";
import { ended, openChat, openView, openViewWith, serveChat } from "../../../chat.ts";

const output = Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}`).join("\n");

const tool = (name: string, result: (path: unknown) => string): ChatTool => ({
  ...{ kind: "read", name, title: name, description: name, origin: "built-in" },
  parameters: { type: "object" },
  fingerprint: async () => name,
  summary: () => name,
  run: async ({ path }) => result(path),
});

test("a long result is sent once in part, and its rest is read by its handle, after a reload too", async (t) => {
  const service = await serveChat(t);
  const scripts: Record<string, unknown> = {
    "first.json": {
      name: "First",
      steps: [{ calls: [{ name: "get_log", arguments: {} }] }, { say: "Seen." }],
    },
  };
  const tools = [
    tool("read_file", (path) => JSON.stringify(scripts[String(path)])),
    tool("get_log", () => output),
    createReadResultTool(),
  ];
  const chat = openChat(t, service, { tools });
  const view = await openViewWith(chat.controller, "scripted");
  await view.say("setSettings", { settings: { mode: "agent" } });
  await view.say("send", { text: "Play first.json", revision: 1 });
  await view.until(({ messages }) => messages.at(-1)?.text === "Seen.");
  const answers = view.state.messages.filter((one): one is AnswerMessage => one.role === "assistant");
  const answer = answers.find(({ calls }) => calls?.[0]?.name === "get_log") ?? assert.fail();
  const [call] = answer.calls ?? [];
  assert.match(
    call?.result ?? "",
    /^line 1\n[\s\S]*\nline 20000$/,
    "the card shows the beginning and the end",
  );
  const bodies = () => service.sandbox.requests.filter(({ path }) => path.endsWith("/chat/completions"));
  const sent = bodies().at(-1)?.bodyText ?? "";
  assert.ok(sent.length < 50_000, `${sent.length} characters`);
  const handle = handleOf(answer.id, call?.id ?? "");
  assert.match(sent, new RegExp(`left out here\\. read_result \\{\\\\"handle\\\\": \\\\"${handle}`));
  const step = (input: object) => ({ calls: [{ name: "read_result", arguments: { handle, ...input } }] });
  scripts["second.json"] = {
    name: "Second",
    steps: [step({ offset: 15_000, limit: 2 }), step({ query: "line 1234" }), { say: "Seen, too." }],
  };
  chat.controller.dispose();
  const again = await openView(chat.reopen().controller);
  await again.until(ended);
  await again.say("send", { text: "Play second.json", revision: 2 });
  await again.until(({ messages }) => messages.at(-1)?.text === "Seen, too.");
  const results = again.state.messages.flatMap((one) => (one.role === "assistant" ? (one.calls ?? []) : []));
  assert.deepEqual(
    results.filter(({ name }) => name === "read_result").map(({ result }) => result),
    [
      "line 15000\nline 15001\n\n[Lines 15000 to 15001 of 20000. To read on, use the offset 15002.]",
      [
        "  1234\tline 1234",
        ...Array.from({ length: 10 }, (_, digit) => ` 1234${digit}\tline 1234${digit}`),
      ].join("\n"),
    ],
  );
});
