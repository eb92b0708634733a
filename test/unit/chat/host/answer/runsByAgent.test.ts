// Which answers are another agent's, and what becomes of them where it can't be started.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { ended, openChat, openView, openViewWith, serveChat } from "../../chat.ts";

const chosen = { mode: "agent", agent: "OpenCode" } as const;

test("a question to an agent that can't be started is refused by one sentence, and goes back into the prompt", async (t) => {
  const service = await serveChat(t);
  const view = await openViewWith(openChat(t, service).controller, "guide");
  await view.say("setSettings", { settings: chosen });
  await view.say("send", { text: "Rename it", revision: 1 });
  const { problem, draft, messages, busy } = await view.until((state) => state.problem !== null);
  assert.equal(
    problem?.explanation.sentence,
    "OpenCode can't be started here. Choose “Agent” as the mode, and ask again. Nothing was sent.",
  );
  assert.deepEqual([draft.text, messages, busy], ["Rename it", [], false]);
  assert.ok(!service.sandbox.requests.some(({ path }) => path.endsWith("/chat/completions")));
});

test("an answer of an agent of another version keeps its name, and is not continued by anybody else", async (t) => {
  const service = await serveChat(t);
  const folder = temporaryFolder();
  const first = openChat(t, service, { folder });
  const begun = await openViewWith(first.controller, "guide");
  await begun.say("setSettings", { settings: { mode: "agent", budgetUsd: 5 } });
  await begun.say("send", { text: "Hi", revision: 1 });
  await begun.until((state) => ended(state) && !state.busy);
  const { id, text } = begun.answer;
  first.controller.dispose();
  const [[name, log] = ["", ""]] = Object.entries(first.files());
  const settings = { mode: "agent", budgetUsd: 5, agent: "Nobody" };
  const later = [
    { e: "patch", id, patch: { agent: "Nobody" } },
    { e: "meta", meta: { settings } },
  ];
  const lines = later.map((entry) => JSON.stringify({ ...entry, w: "other" }));
  writeFileSync(join(folder, name), `${log}\n${lines.join("\n")}\n`);

  const view = await openView(openChat(t, service, { folder }).controller);
  await view.say("ready", {});
  assert.equal(view.answer.agent, "Nobody");
  assert.deepEqual(view.state.settings, { mode: "agent", budgetUsd: 5 });
  const sent = service.sandbox.requests.length;
  await view.say("goOn", { answerId: id });
  assert.equal(view.answer.state, "cut-off");
  assert.equal(view.answer.text, text);
  assert.match(view.answer.problem?.sentence ?? "", /^Nobody can't be started here\./);
  assert.equal(service.sandbox.requests.length, sent);
});

test("only the mode Agent has another agent", async (t) => {
  const chat = openChat(t, await serveChat(t));
  const view = await openViewWith(chat.controller, "guide");
  await view.say("setSettings", { settings: chosen });
  assert.deepEqual(view.state.settings, chosen);
  for (const settings of [
    { agent: "OpenCode" },
    { agent: "OpenCode", mode: "plan" },
    { agent: "OpenCode", mode: "agent", customMode: "a.agent.md" },
  ] as const) {
    const { agent: _, ...others } = settings;
    await view.say("setSettings", { settings });
    assert.deepEqual(view.state.settings, others);
  }
});

test("a preset has no agent: one of a workspace would start a program", async (t) => {
  const service = await serveChat(t);
  const view = await openViewWith(openChat(t, service).controller, "guide");
  await view.say("setSettings", { settings: chosen });
  await view.say("savePreset", {});
  assert.deepEqual(JSON.parse(service.remembered.get("presets") ?? ""), [{ name: "saved", mode: "agent" }]);
  service.remembered.set("presets", JSON.stringify([{ name: "theirs", ...chosen }]));
  const { state } = await openViewWith(openChat(t, service).controller, "guide");
  assert.deepEqual(state.presets, []);
  assert.match(state.presetProblems.join(), /agent/);
});
