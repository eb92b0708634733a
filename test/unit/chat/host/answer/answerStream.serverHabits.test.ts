// Habits of servers in a conversation: reasoning in the text, calls without arguments, broken calls and cut ones.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fault } from "../../../../serviceKit/faults.ts";
import { ended, openChat, openView, openViewWith, serveChat, type TestView } from "../../chat.ts";
import { tool } from "../../weatherTool.ts";

type Members = Readonly<Record<string, unknown>>;

const isOver = (view: TestView) => view.until((state) => ended(state) && !state.busy);

/** The first answer calls the tool with these arguments, and ends for this reason. */
function callWith(text: string, finish: string): Fault {
  let isSent = false;
  const edit = (event: unknown) => {
    const { choices, ...rest } = event as { readonly choices: readonly Members[] };
    const changed = choices.map((choice) => {
      const { tool_calls, ...delta } = choice.delta as Members;
      const ends = choice.finish_reason ? { finish_reason: finish } : {};
      if (!tool_calls) return { ...choice, ...ends };
      const calls = isSent
        ? []
        : [{ index: 0, id: "c1", function: { name: "get_weather", arguments: text } }];
      isSent = true;
      return { ...choice, delta: { ...delta, tool_calls: calls } };
    });
    return { ...rest, choices: changed };
  };
  return { kind: "edit-events", edit, match: { path: "/chat/completions" }, times: 1 };
}

test("tags and a lone end tag: the chat shows reasoning and answer, also after a reload", async (t) => {
  const service = await serveChat(t);
  const chat = openChat(t, service);
  const view = await openViewWith(chat.controller, "echo");
  const cases = [
    ["<think>\nThey greet me.\n</think>\n\nHello!", "They greet me."],
    ["They greet me.\n</think>\n\nHello!", "They greet me.\n"],
  ];
  for (const [index, [said = "", reasoning]] of cases.entries()) {
    await view.say("send", { text: said, revision: index + 1 });
    await isOver(view);
    assert.deepEqual([view.answer.text, view.answer.reasoning], ["Hello!", reasoning]);
  }
  chat.controller.dispose();
  const again = await openView(chat.reopen().controller);
  assert.deepEqual([again.answer.text, again.answer.reasoning], ["Hello!", "They greet me.\n"]);
});

interface Returned {
  readonly sent: unknown;
  readonly result: string;
  readonly says: string;
  readonly runs: number;
}

/** What the next request says about a call with these arguments. */
async function returned(
  t: Parameters<typeof serveChat>[0],
  text: string,
  finish = "tool_calls",
): Promise<Returned> {
  const service = await serveChat(t);
  let runs = 0;
  const weather = tool("get_weather", async () => {
    runs += 1;
    return "Sunny.";
  });
  const view = await openViewWith(openChat(t, service, { tools: [weather] }).controller, "guide");
  await view.say("setSettings", { settings: { tools: ["get_weather"] } });
  service.sandbox.setFaults([callWith(text, finish)]);
  await view.say("send", { text: "Please use get_weather for Bern", revision: 1 });
  const state = await view.until(({ messages }) => {
    const last = messages.at(-1);
    return last?.role === "assistant" && (last.calls?.[0]?.state === "asks" || messages.length > 2);
  });
  const asks = view.answer.calls?.[0];
  if (asks?.state === "asks")
    await view.say("decideCall", { answerId: view.answer.id, callId: asks.id, decision: "once" });
  await view.until((now) => ended(now) && !now.busy && now.messages.length > 2);
  const request = service.sandbox.requests.findLast(({ path }) => path.endsWith("/chat/completions"));
  const { messages } = JSON.parse(request?.bodyText ?? "") as { messages: Members[] };
  const [turn, result] = messages.slice(-2);
  const [call] = (turn?.tool_calls ?? []) as readonly { readonly function: { readonly arguments: string } }[];
  const card = state.messages.find((one) => one.role === "assistant" && one.calls);
  const says = card?.role === "assistant" ? (card.calls?.[0]?.says ?? "") : "";
  return { sent: call && JSON.parse(call.function.arguments), result: String(result?.content), says, runs };
}

test("arguments with raw line breaks run, and go back as JSON", async (t) => {
  const { sent, result, runs } = await returned(t, '{"city": "Bern\n(BE)"}');
  assert.deepEqual([sent, result, runs], [{ city: "Bern\n(BE)" }, "Sunny.", 1]);
});

test("arguments that are no JSON go back as an object, with the place of the fault as the result", async (t) => {
  const { sent, result, says, runs } = await returned(t, '{"city": "Bern" "x"}');
  assert.deepEqual([sent, runs], [{ invalid_arguments: '{"city": "Bern" "x"}' }, 0]);
  assert.match(result, /not JSON, so the call was not run: line 1, column 17: a comma or \} is missing/);
  assert.match(says, /^[^:]+: invalid arguments$/);
});

test("a call that the limit of tokens cut is called cut, to the model with the reason and on its card in two words", async (t) => {
  for (const text of ['{"city": "Be', ""]) {
    const { result, says, runs } = await returned(t, text, "length");
    assert.equal(runs, 0);
    assert.match(result, /cut at its limit of \d+ tokens, in the middle of this call.*Write it in parts/);
    assert.match(says, /^[^:]+: cut off$/);
  }
});
