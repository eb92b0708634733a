// A task that ends while the editor has errors to tell goes on once.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { builtIn, type ChatTool } from "../../../../../src/chat/host/tools/tool.ts";
import type { ToolSource } from "../../../../../src/chat/host/tools/toolList.ts";
import { startModelServer } from "../../../../agentTasks/modelServer.ts";
import { openConsents } from "../../../session/openConsents.ts";
import { openChat, openViewWith } from "../../chat.ts";
import { openWindow } from "../prompt/promptSource.ts";

const reader: ChatTool = {
  ...builtIn("read_file", "Read a file", "read"),
  description: "Reads.",
  parameters: { type: "object" },
  summary: () => "Read",
  run: async () => "",
};

/** A task of a model that ends at once, while the editor has something to tell after each answer. */
async function openTask(t: TestContext, news: string) {
  const requests: string[] = [];
  const server = await startModelServer({
    models: ["m"],
    reply(_, body) {
      requests.push(JSON.stringify(body.messages));
      return { text: `Answer ${requests.length}.`, calls: [] };
    },
    report: (error) => assert.fail(String(error)),
  });
  t.after(() => server.close());
  const consents = openConsents();
  let looks = 0;
  const looked: (() => void)[] = [];
  const source: ToolSource = {
    read: async () => ({ tools: [reader] }),
    onDidChange: () => ({ dispose() {} }),
    approvals: {
      mayRunUnasked: () => true,
      isAllowed: () => false,
      consents,
      runFileChanges: () => 0,
    },
    problems: {
      // The note of the first request tells nothing.
      take: async () => (requests.length === 0 ? "" : `${news} ${requests.length}`.trim()),
      async haveErrors() {
        looks += 1;
        looked.shift()?.();
        return news !== "";
      },
    },
  };
  const chat = openChat(
    t,
    { sandbox: { baseUrl: server.baseUrl, apiKey: "key" }, remembered: new Map(), consents },
    { source, prompt: openWindow() },
  );
  const view = await openViewWith(chat.controller, "m");
  await view.say("setSettings", { settings: { ...view.state.settings, mode: "agent" } });
  await view.say("send", { text: "Change it.", revision: 1 });
  return { chat, requests, view, looks: () => looks };
}

test("a task that ends with errors of which the model was not told has one more round, and not another one", async (t) => {
  const { chat, requests, view, looks } = await openTask(t, "a.ts:1: Error: made");
  await view.until(({ messages }) => {
    const last = messages.at(-1);
    return messages.length === 3 && last?.role === "assistant" && last.state === "done";
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(requests.length, 2);
  assert.match(requests[1] ?? "", /Answer 1\..*\{"role":"user","content":"a\.ts:1: Error: made 1"\}\]$/);
  assert.equal(looks(), 1, "the second end is the last");
  assert.deepEqual(chat.reported, []);
});

test("a task whose edits have made no errors ends with its answer", async (t) => {
  const { chat, requests, view, looks } = await openTask(t, "");
  await view.until(({ messages }) => {
    const last = messages.at(-1);
    return last?.role === "assistant" && last.state === "done";
  });
  while (looks() === 0) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(requests.length, 1);
  assert.deepEqual(chat.reported, []);
});
