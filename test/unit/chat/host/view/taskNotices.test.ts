// A task tells of itself only while it is out of sight, and makes no message if the user wants none.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { TaskNotices } from "../../../../../src/chat/host/view/taskNotices.ts";
import { ended, openChat, openViewWith, serveChat } from "../../chat.ts";
import { tool } from "../../weatherTool.ts";

function openNotices(state: { isInSight: boolean; isSilent?: boolean; wants?: boolean }) {
  const shown: string[] = [];
  const badges: (string | undefined)[] = [];
  let reveals = 0;
  const notices = new TaskNotices({
    isInSight: () => state.isInSight,
    isSilent: () => state.isSilent === true,
    show: async (text) => {
      shown.push(text);
      return state.wants === true;
    },
    reveal: async () => {
      reveals += 1;
    },
    setBadge: (tooltip) => badges.push(tooltip),
  });
  return { notices, shown, badges, reveals: () => reveals };
}

test("a task out of sight has a message and a badge until it is seen", async () => {
  const state = { isInSight: false, wants: true };
  const { notices, shown, badges, reveals } = openNotices(state);
  notices.waits("Run npm test");
  notices.look();
  notices.ended("All tests pass. [Free money](https://example.com)\nMore.");
  await nextTurn();
  assert.equal(shown[0], "The agent waits for you: Run npm test");
  assert.match(shown[1] ?? "", /^The agent has finished: All tests pass\./);
  assert.doesNotMatch(shown[1] ?? "", /\]\(https/);
  assert.deepEqual(badges, ["The agent waits for you", "The agent has finished"]);
  assert.equal(reveals(), 2);
  state.isInSight = true;
  notices.look();
  notices.ended("Seen.");
  assert.deepEqual([badges.at(-1), shown.length], [undefined, 2]);
});

test("a silent one has the badge alone, and an answer without text is told as well", async () => {
  const silent = openNotices({ isInSight: false, isSilent: true });
  silent.notices.waits("Run npm test");
  assert.deepEqual([silent.shown, silent.badges], [[], ["The agent waits for you"]]);
  const { notices, shown, reveals } = openNotices({ isInSight: false });
  notices.ended(" ");
  await nextTurn();
  assert.deepEqual([shown, reveals()], [["The agent has finished."], 0]);
});

test("the end of a task is told once nothing follows, and neither that of its rounds nor of an answer in the mode Ask", async (t) => {
  const told: string[] = [];
  const reader = tool("get_weather", async () => "Sunny.");
  const options = { tools: [reader], onEnded: (answer: string) => void told.push(answer) };
  const view = await openViewWith(openChat(t, await serveChat(t), options).controller, "guide");
  const send = async (text: string, count: number) => {
    await view.say("send", { text, revision: Date.now() });
    await view.until((state) => ended(state) && !state.busy && state.messages.length === count);
    await nextTurn();
  };
  await send("Hello", 2);
  assert.deepEqual(told, []);
  await view.say("setSettings", { settings: { mode: "agent" } });
  await send("Please use get_weather for Bern", 5);
  assert.deepEqual(told, [view.answer.text]);
});
