// The plan of a task has two writers. What the user has written is never replaced by a model that has not read it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AgentControls } from "../../../../../src/chat/host/agent/agentControls.ts";
import { planToTell } from "../../../../../src/chat/host/agent/userPlan.ts";
import { createLiveChat } from "../../../../../src/chat/host/conversation/liveChat.ts";
import { createPlanTool } from "../../../../../src/chat/host/tools/planTool.ts";
import { createToolRounds } from "../../../../../src/chat/host/tools/rounds/toolRounds.ts";
import { openConsents } from "../../../session/openConsents.ts";
import { answerWith, silent } from "../../answerMessage.ts";
import { noResults } from "../../noResults.ts";
import { openControls } from "./openControls.ts";

/** A task whose model has written a plan in its first round. */
async function openTask() {
  const chat = createLiveChat({ ...silent, onChange: () => controls?.update() });
  const changes = { load: () => assert.fail("no file is changed"), onDidLoad: () => ({ dispose() {} }) };
  const controls: AgentControls = openControls({ chat, changes });
  const rounds = createToolRounds({
    chat,
    results: noResults,
    tools: () => [createPlanTool()],
    approvals: {
      mayRunUnasked: () => true,
      isAllowed: () => false,
      consents: openConsents(),
      runFileChanges: () => 0,
    },
    connectionId: () => "c",
    next() {},
  });
  chat.set({ settings: { mode: "agent" } });
  chat.add({ role: "user", id: "q", text: "Go" }, null);
  let count = 0;
  const newAnswer = () => {
    count += 1;
    chat.add(answerWith(`a${count}`, { state: "streaming" }), chat.leafId);
    return `a${count}`;
  };
  const write = async (id: string, ...plans: readonly string[]) => {
    chat.change({ op: "patch", id, patch: { state: "done" } });
    const calls = plans.map((plan, at) => ({
      id: `c${at}`,
      name: "update_plan",
      arguments: JSON.stringify({ plan }),
    }));
    rounds.begin(id, calls, ["update_plan"]);
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    const answer = chat.tree.get(id);
    return (answer?.role === "assistant" && answer.calls) || [];
  };
  await write(newAnswer(), "- [ ] the model's");
  return { chat, controls, newAnswer, write, told: () => planToTell(chat.path(), chat.path()) ?? "" };
}

test("an edit while the model works is not replaced: the model gets the user's version, and writes on its basis", async () => {
  const { chat, controls, newAnswer, write, told } = await openTask();
  const asked = newAnswer();
  controls.setPlan("- [ ] mine");
  const [call] = await write(asked, "- [x] the model's");
  assert.equal(call?.state, "failed");
  assert.match(call?.result ?? "", /the user has changed it since[\s\S]*\n- \[ \] mine$/);
  assert.equal(chat.state.plan, "- [ ] mine");
  assert.match(told(), /The plan as the user has changed it[\s\S]*- \[ \] mine/);
  const [again] = await write(newAnswer(), "- [x] mine");
  assert.equal(again?.state, "done");
  assert.equal(chat.state.plan, "- [x] mine");
  assert.doesNotMatch(told(), /as the user has changed it/);
});

test("an edit between two rounds is in the next request, which may replace it", async () => {
  const { chat, controls, newAnswer, write, told } = await openTask();
  controls.setPlan("- [ ] mine");
  assert.match(told(), /- \[ \] mine/);
  assert.equal((await write(newAnswer(), "- [x] mine"))[0]?.state, "done");
  assert.equal(chat.state.plan, "- [x] mine");
});

test("an edit survives that the round in which it was made is answered anew", async () => {
  const { chat, controls, newAnswer } = await openTask();
  newAnswer();
  controls.setPlan("- [ ] mine");
  chat.show("a1");
  newAnswer();
  await nextTurn();
  assert.equal(chat.state.plan, "- [ ] mine");
});

test("a plan that the user has emptied is told to the model, too", async () => {
  const { controls, told } = await openTask();
  controls.setPlan(" \n");
  assert.match(told(), /The user has removed the plan/);
});

test("the plan of a model is bounded, which it is told", async () => {
  const { newAnswer, write, chat } = await openTask();
  const [call] = await write(newAnswer(), "x".repeat(20_001));
  assert.deepEqual([call?.state, chat.state.plan], ["failed", "- [ ] the model's"]);
  assert.match(call?.result ?? "", /20,?000/);
});

test("the user's plan is told once, and again if it was changed since, or if the message that told it is no longer sent", async () => {
  const { chat, controls, newAnswer, told } = await openTask();
  controls.setPlan("- [ ] mine");
  const text = told();
  const asked = newAnswer();
  chat.change({ op: "patch", id: asked, patch: { userPlan: text } });
  assert.equal(told(), "");
  controls.setPlan("- [ ] mine, again");
  assert.match(told(), /mine, again$/);
  controls.setPlan("- [ ] mine");
  assert.equal(told(), "");
  assert.equal(planToTell(chat.path(), chat.path().slice(-1)) ?? "", "");
  newAnswer();
  assert.equal(planToTell(chat.path(), chat.path().slice(-1)), text);
});
