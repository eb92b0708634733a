// A task of many rounds on the page: its line of facts is there once, and what its calls have done is a line a round.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createLiveChat } from "../../../../../../src/chat/host/conversation/liveChat.ts";
import type {
  AnswerMessage,
  ToolCallCard,
  ToolCallState,
} from "../../../../../../src/chat/protocol/chatMessages.ts";
import type { ToHost, ToView } from "../../../../../../src/chat/protocol/chatProtocol.ts";
import { openBrowser, type TestBrowser } from "../../../../webview/browser.ts";
import { openPage } from "../../../../webview/page.ts";
import { pageStyle } from "../../../../webview/pageStyle.ts";
import type { ConversationPage } from "../../../../webview/pages/conversationPage.tsx";

declare const conversationPage: ConversationPage;

let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const callsInRound = 17;

function callOf(id: string, path: string, state: ToolCallState = "done"): ToolCallCard {
  return {
    id,
    name: "read_file",
    kind: "read",
    title: "Read a file",
    says: `Read ${path}`,
    arguments: JSON.stringify({ path }),
    state,
    result: `text of ${path}`,
    ms: 1000,
  };
}

const command: ToolCallCard = {
  ...callOf("command", "x"),
  name: "run_command",
  kind: "command",
  title: "Run a command",
  says: "Run npm test",
  arguments: '{"command":"npm test"}',
  result: "2 tests failed\nExit code 1.",
};

/** A task with so many rounds, each with its calls, and an answer without calls at the end. */
async function openTask(roundCalls: readonly (readonly ToolCallCard[])[], { isBusy = false } = {}) {
  const { page, errors } = await openPage(browser, "conversationPage.tsx", pageStyle("chat"));
  const chat = createLiveChat({
    record: () => {},
    onChange: () => {},
    onBusy: () => {},
    interrupted: () => undefined,
    isOrphaned: () => false,
  });
  chat.set({ settings: { mode: "agent" }, busy: isBusy });
  chat.add({ role: "user", id: "q", text: "Go" }, null);
  const rounds = [...roundCalls, []];
  for (const [index, calls] of rounds.entries()) {
    const round: AnswerMessage = {
      role: "assistant",
      id: `a${index}`,
      model: "m",
      text: calls.length === 0 ? "It is done." : "",
      reasoning: "",
      state: "done",
      startedAtMs: 0,
      timing: { totalMs: 2000 },
      usage: { promptTokens: 1000, completionTokens: 10, costUsd: 0.25 },
      reply: { requestId: `r${index}` },
      ...(calls.length > 0 ? { calls } : {}),
    };
    chat.add(round, index === 0 ? "q" : `a${index - 1}`);
  }
  const told: ToHost[] = [];
  const link = chat.connect((message: ToView) => {
    void page
      .evaluate((reported) => conversationPage.hear(reported as ToView), message as object)
      .catch(() => {});
  });
  await page.exposeFunction("reportHost", (message: ToHost) => {
    const { type, body } = message;
    told.push(message);
    if (type === "ready" || type === "resync") link.hydrate();
    if (type === "ack") link.acknowledge(body.epoch, body.seq);
    if (type === "showEarlier") chat.showEarlier();
  });
  await page.setViewportSize({ width: 420, height: 800 });
  await page.evaluate(() => conversationPage.start());
  await page.locator(".answer").last().waitFor();
  return { page, errors, told, chat };
}

test("the facts and buttons of a task stand once, below its last round, with the sums; each round's are on demand", async () => {
  const { page, errors, told } = await openTask([[callOf("c0", "a.ts")], [callOf("c1", "b.ts")]]);
  await page.getByText("It is done.").waitFor();
  assert.equal(await page.locator(".answer").count(), 3);
  assert.equal(await page.locator(".answer footer").count(), 1);
  for (const name of ["Answer Again", "Copy Answer", "Show Request"])
    assert.equal(await page.getByRole("button", { name, exact: true }).count(), 1, name);
  const foot = page.locator(".answer footer");
  await foot.getByText("3,000 tokens in, 30 out").waitFor();
  await foot.getByText("$0.75").waitFor();
  const more = foot.getByRole("button", { name: "3 rounds" });
  await more.press("Enter");
  const list = page.getByRole("list", { name: "Rounds" });
  assert.equal(await list.getByText("1,000 tokens in, 10 out").count(), 3);
  await list.getByRole("button", { name: "Show Request of Round 2" }).click();
  await list.getByRole("button", { name: "Answer Again from Round 1" }).click();
  assert.deepEqual(
    told.flatMap(({ type, body }) => (type === "showRequest" || type === "retry" ? [body] : [])),
    [{ requestId: "r1" }, { answerId: "a0" }],
  );
  await more.press("Enter");
  await list.waitFor({ state: "detached" });
  assert.deepEqual(errors, []);
});

test("finished calls of a round are one line with counts; what failed, was skipped or waits stays in sight", async () => {
  const mixed = [
    callOf("one", "a.ts"),
    callOf("two", "b.ts"),
    callOf("again", "./b.ts"),
    command,
    { ...callOf("edit", "a.ts"), name: "edit_file", kind: "edit" as const },
    { ...callOf("own", "c"), name: "own_tool", title: "Look <b>it</b> up", kind: undefined },
    callOf("failed", "gone.ts", "failed"),
    callOf("refused", "r.ts", "refused"),
    callOf("asks", "w.ts", "asks"),
  ].map(({ kind, ...call }) => (kind === undefined ? call : { ...call, kind }));
  const { page, errors } = await openTask([mixed, [callOf("alone", "z.ts")]]);
  const line = page.locator(".calls-folded > summary");
  await line.waitFor();
  assert.equal(
    (await line.textContent())?.trim(),
    "Read 2 files, ran 1 command, edited 1 file, Look <b>it</b> up · 1 failed, 1 with an exit code other than 0 · 6.0 s",
  );
  const rows = () =>
    page.locator("[data-call]").evaluateAll((all) => all.map((row) => row.getAttribute("data-call")));
  assert.deepEqual(await rows(), ["failed", "refused", "asks", "alone"]);
  await line.press("Enter");
  await page.locator('[data-call="own"]').waitFor();
  assert.deepEqual(await rows(), [
    "one",
    "two",
    "again",
    "command",
    "edit",
    "own",
    "failed",
    "refused",
    "asks",
    "alone",
  ]);
  await line.click();
  await page.locator('[data-call="own"]').waitFor({ state: "detached" });
  assert.deepEqual(errors, []);
});

test("a command with an exit code other than 0 says so in a row of its own, too", async () => {
  const { page, errors } = await openTask([[command], [{ ...command, id: "well", result: "Exit code 0." }]]);
  const row = page.getByRole("listitem", { name: "Run a command: exit code 1" });
  await row.locator("summary").getByText("exit code 1", { exact: true }).waitFor();
  await page.getByRole("listitem", { name: "Run a command: done" }).waitFor();
  assert.deepEqual(errors, []);
});

test("in a narrow side bar a row and what became of it are beside each other, and a round has two lines", async () => {
  const says = "Rename replyOfTheComponent to answerOfTheComponentAgain";
  const refused = { ...callOf("long", "a.ts", "refused"), says };
  const { page, errors } = await openTask([[refused], [callOf("c1", "b.ts")]]);
  await page.setViewportSize({ width: 248, height: 700 });
  const row = page.locator('[data-call="long"] summary');
  const name = await row.locator(".middle-cut > :last-child").boundingBox();
  const state = await row.locator(".call-state").boundingBox();
  assert.ok(name && state && name.x + name.width <= state.x, "the name ends before the state");
  await page.getByRole("button", { name: "3 rounds" }).click();
  const round = await page.getByRole("list", { name: "Rounds" }).locator("li").first().boundingBox();
  assert.ok(round && round.height < 50, `${round?.height} px`);
  assert.deepEqual(errors, []);
});

test("a task of 50 rounds with 17 calls each stays a small page", async () => {
  const rounds = Array.from({ length: 50 }, (_, round) =>
    Array.from({ length: callsInRound }, (_, index) =>
      callOf(`${round}-${index}`, `src/${round}/${index}.ts`),
    ),
  );
  const { page, errors } = await openTask(rounds);
  await page.locator(".calls-folded").first().waitFor();
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  assert.ok(elements < 1500, `${elements} elements`);
  await page.getByText("Read 17 files").first().waitFor();
  assert.deepEqual(errors, []);
});

test("Find finds the text of folded calls and opens them, in a round that is not drawn as well", async () => {
  const rounds = Array.from({ length: 30 }, (_, round) =>
    Array.from({ length: 3 }, (_, index) => callOf(`${round}-${index}`, `src/${round}/${index}.ts`)),
  );
  const { page, errors } = await openTask(rounds);
  await page.keyboard.press("Control+f");
  const field = page.getByRole("textbox", { name: "Find in chat" });
  await field.fill("text of src/3/1.ts");
  await page.locator(".find-count", { hasText: "1 of 1" }).waitFor();
  await page.waitForFunction(() => {
    const [current] = CSS.highlights.get("find-current") ?? [];
    return current?.toString() === "text of src/3/1.ts";
  });
  const row = page.locator('[data-call="3-1"]');
  assert.equal(await row.locator("> details").getAttribute("open"), "");
  await row.getByLabel("Result").waitFor();
  assert.equal(await page.locator(".calls-folded[open]").count(), 1, "only the line with the match is open");
  await field.fill("src/29/2.ts");
  await page.locator(".find-count", { hasText: "of 3" }).waitFor();
  assert.deepEqual(errors, []);
});

test("an approval of a command shows the command line once, and its other arguments", async () => {
  const asking: ToolCallCard = { ...command, state: "asks" };
  const { page } = await openTask([
    [
      asking,
      { ...asking, id: "timed", arguments: '{"command":"npm test","timeout_seconds":5}' },
      { ...asking, id: "lines", says: "Run a b", arguments: '{"command":"a\\nb"}' },
    ],
  ]);
  const texts = (id: string) => page.locator(`[data-call="${id}"] pre`).allTextContents();
  await page.locator('[data-call="lines"]').waitFor();
  assert.deepEqual(await texts("command"), []);
  assert.deepEqual(await texts("timed"), ['{"timeout_seconds":5}']);
  assert.deepEqual(await texts("lines"), ['{"command":"a\\nb"}']);
});

test("a round after the end of a task says why the task goes on, with the problems that the model was told", async () => {
  const { page, errors, chat } = await openTask([[callOf("c0", "a.ts")]]);
  const note = "Problems after your changes:\na.ts:1: Error: made\u202e";
  const why = page.getByText("The task goes on: its edits have made problems");
  const round = { role: "assistant", model: "m", reasoning: "", startedAtMs: 0, timing: {} } as const;
  const calls = [callOf("c1", "a.ts")];
  chat.add({ ...round, id: "a2", text: "I mend it.", state: "done", editorNote: note, calls }, "a1");
  await why.waitFor();
  // A usual round may be told something, too.
  chat.add({ ...round, id: "a3", text: "It is mended.", state: "done", editorNote: note }, "a2");
  await page.getByText("It is mended.").waitFor();
  assert.equal(await why.count(), 1);
  assert.equal(await page.locator(".answer footer").count(), 1);
  await why.click();
  assert.equal(await page.locator(".summary-text").innerText(), "a.ts:1: Error: made⟨U+202E⟩");
  assert.deepEqual(errors, []);
});

test("the result of an opened call has room to be read: it is not a few lines in a tall view", async () => {
  const result = Array.from({ length: 40 }, (_, line) => `${line}\tconst a = ${line};`).join("\n");
  const { page } = await openTask([[{ ...callOf("c0", "a.ts"), result }]]);
  await page.getByText("Read a.ts").first().click();
  const box = await page.locator(".call-text pre").last().boundingBox();
  assert.ok(box && box.height > 260 && box.height <= 360, `${box?.height} px of 800`);
});

test("the row of a call with a price is not drawn over itself in a narrow side bar; opened, it has the price", async () => {
  const call = {
    ...callOf("c0", "the-cells-of-a-notebook.rpc.md", "refused"),
    price: "credits by the cells",
  };
  const { page } = await openTask([[call]]);
  for (const width of [260, 225, 200]) {
    await page.setViewportSize({ width, height: 800 });
    const [says, price] = await Promise.all(
      [".call-says", ".call-price"].map((part) => page.locator(`.call-over summary > ${part}`).boundingBox()),
    );
    assert.ok(says && price && says.x + says.width <= price.x + 0.5, `${width} px`);
    const inner = page.locator(".call-over summary > .call-says");
    const isWithin = await inner.evaluate(
      (one) => one.scrollWidth <= one.clientWidth || getComputedStyle(one).overflowX === "hidden",
    );
    assert.ok(isWithin, `${width} px`);
  }
  await page.locator(".call-over summary").click();
  await page.locator(".call-over > .call-says", { hasText: "credits by the cells" }).waitFor();
  await page.setViewportSize({ width: 232, height: 800 });
  await page.getByRole("button", { name: "2 rounds" }).click();
  const heights = await page
    .locator(".round-fact")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  assert.ok(heights.length > 0 && Math.max(...heights) < 24, "a number and its unit stay together");
});

test("the rounds and the cost of a subagent that has ended are never cut, and stand behind its task if there is room", async () => {
  const usage = { promptTokens: 1000, completionTokens: 32, costUsd: 0.01 };
  const subagent = { id: "s", now: "", rounds: 12, capUsd: 0.4, usage };
  const says = "Play parser.json, and tell where the parser reads numbers";
  const { page } = await openTask([[{ ...callOf("c0", "a.ts"), says, subagent }]]);
  const bill = page.locator(".call-over .subagent-bill");
  assert.match((await bill.textContent()) ?? "", /^ · 12 rounds · \$0\.01$/);
  for (const width of [800, 260, 130]) {
    await page.setViewportSize({ width, height: 800 });
    const row = await page.locator(".call-over summary").boundingBox();
    const task = await page.locator(".call-over summary .call-says").boundingBox();
    const box = await bill.boundingBox();
    assert.ok(row && task && box && box.x + box.width <= row.x + row.width + 0.5, `${width} px`);
    assert.ok(await bill.evaluate((one) => one.scrollWidth <= one.clientWidth + 1), `${width} px`);
    assert.equal(box.y >= task.y + task.height - 0.5, width < 800, `${width} px`);
  }
});

test("in a narrow side bar at 200 % all buttons of calls that wait are seen without scrolling", async () => {
  const { page, chat } = await openTask([]);
  const calls = [
    { ...command, id: "one", state: "asks" as const },
    { ...command, id: "two", state: "asks" as const },
    { ...callOf("three", "a.ts", "asks"), price: "$0.01 per call" },
  ];
  const round = { role: "assistant", model: "m", reasoning: "", startedAtMs: 0, timing: {} } as const;
  chat.add({ ...round, id: "a1", text: "", state: "done", calls }, "a0");
  await page.setViewportSize({ width: 258, height: 300 });
  const buttons = page.locator(".approval > .buttons");
  await buttons.getByRole("button", { name: "Allow the 2 Free Ones" }).waitFor();
  const [shown, needed] = await buttons.evaluate((one) => [one.clientWidth, one.scrollWidth] as const);
  assert.ok(needed <= shown, `${needed} px in ${shown}`);
});
