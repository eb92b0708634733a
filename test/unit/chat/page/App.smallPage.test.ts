import assert from "node:assert/strict";
import { after, before, type TestContext, test } from "node:test";
import type { Page } from "playwright-core";
import type { ChangedFile } from "../../../../src/changes/engine/changedFile.ts";
import type { ChatTool } from "../../../../src/chat/host/tools/tool.ts";
import { listedCases } from "../../../runner/cases.ts";
import { openBrowser, type TestBrowser } from "../../webview/browser.ts";
import type { AppPage } from "../../webview/pages/appPageHandle.ts";
import { ended, openChat, openViewWith, serveChat } from "../chat.ts";
import { loadedChanges } from "../host/agent/openControls.ts";
import { openApp } from "../openApp.ts";
import { tool, weather } from "../weatherTool.ts";

declare const appPage: AppPage;

// A narrow view at 200 % zoom: half its width and half its height.
const sizes = [
  [260, 600],
  [260, 300],
  [170, 240],
  [130, 300],
  [130, 200],
] as const;
let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const unreachable = (page: Page, selector: string) =>
  page.evaluate((sought) => appPage.unreachable(sought), selector);
const box = (page: Page) => page.getByRole("textbox", { name: "Your question", exact: true });
const bar =
  ".composer textarea, .composer-bar > button:not(.current-file), .picker-button, .settings-button button, .mode-picker";

for (const [width, height] of listedCases(sizes, 2))
  test(`every control can be reached at ${width} × ${height}`, async (t) => {
    const chat = openChat(t, await serveChat(t), { tools: [weather()] });
    const view = await openViewWith(chat.controller, "echo");
    await view.say("send", { text: "**One** question", revision: 1 });
    await view.until(({ busy, messages }) => !busy && messages.length === 2);
    const { page, errors, close } = await openApp(browser, chat.controller, { width, height });
    t.after(close);
    const nothing = (selector: string) =>
      unreachable(page, selector).then((found) => assert.deepEqual(found, [], selector));
    chat.controller.offerFile({ uri: "file:///w/a-long-name.test.ts", name: "src/a-long-name.test.ts" });
    // If there is hardly room for the prompt, `@` remains.
    const file = page.locator(".prompt-text .current-file");
    await file.waitFor({ state: height > 260 ? "visible" : "attached" });
    await nothing(height > 260 ? `${bar}, .prompt-text .current-file` : bar);
    const costs = await page
      .locator(".cost, .spent")
      .evaluateAll((all) =>
        all.map((one) => [/^(?:≈ )?\$\d/.test(one.textContent ?? ""), one.scrollWidth <= one.clientWidth]),
      );
    assert.deepEqual(costs, [
      [true, true],
      [true, true],
    ]);
    await nothing(".cost, .spent, .answer footer button");

    await page.locator(".picker-button").click();
    await nothing(".picker-search, .picker-head button, .picker-row, .picker-row .mark");
    for (const row of await page.locator(".picker-row").all())
      assert.ok(((await row.boundingBox())?.height ?? 99) < 40, "a model has one line");
    for (const key of ["PageDown", "PageDown", "PageDown", "ArrowUp", "PageUp", "PageUp", "PageUp"]) {
      await page.keyboard.press(key);
      await nothing(".picker-row.active");
      await nothing(".picker-search, .picker-head button");
    }
    await page.getByRole("button", { name: "Close Models" }).click();
    await page.locator(".picker-popup").waitFor({ state: "detached" });

    // A narrow view has the tools in the settings.
    await page.getByRole("button", { name: /^Settings of This Chat/ }).click();
    await page.getByRole("button", { name: "Tools of This Chat" }).click();
    await nothing(".settings-panel :is(button, input)");
    await page.getByRole("button", { name: "Close Tools" }).click();
    await page.locator(".settings-panel").waitFor({ state: "detached" });

    await page.getByRole("button", { name: /^Settings of This Chat/ }).click();
    // All but the first, which is expanded.
    for (const group of (await page.locator(".settings-group summary").all()).slice(1)) await group.click();
    await nothing(".settings-panel :is(button, input, select, textarea, summary)");
    await nothing(".settings-panel header button");
    await page.getByRole("button", { name: "Close Settings" }).click();
    await page.locator(".settings-panel").waitFor({ state: "detached" });

    await box(page).fill("/");
    await page.getByRole("listbox").waitFor();
    await nothing(".completion .picker-row");
    await nothing(bar);
    await page.keyboard.press("Escape");
    await box(page).fill("a line\n".repeat(40));
    await nothing(bar);
    await page.locator(".picker-button").click();
    await nothing(".picker-search, .picker-head button, .picker-row");
    await page.keyboard.press("Escape");

    chat.controller.notify({ text: "Something has to be said that is rather long. ".repeat(6) });
    await page.locator(".notice").waitFor();
    await nothing(`${bar}, .notice button`);
    await page.evaluate(() => appPage.showHistory());
    await nothing(".history-bar :is(input, button)");
    assert.deepEqual(errors, []);
  });

/** Changed files whose names begin the same. */
function changedFiles(count: number) {
  const files = Array.from({ length: count }, (_, at): ChangedFile => {
    const path = `src/a-file-with-a-rather-long-name-${at}.ts`;
    const uri = { toString: () => `file:///w/${path}` } as ChangedFile["uri"];
    return { uri, path, kind: "changed", added: 1, removed: 1, hunks: [] };
  });
  return { files, changes: loadedChanges({ files, onDidChange: () => ({ dispose() {} }) }) };
}

const plan = Array.from({ length: 12 }, (_, at) => `- [ ] step ${at} of a plan with many words`).join("\n");

/** A page of a chat with a plan, 13 changed files and commands in the background, and what it ran. */
async function openTask(t: TestContext, width: number, height: number) {
  const ran: string[] = [];
  const tools: readonly ChatTool[] = [
    {
      ...tool("keep_plan"),
      kind: "plan",
      async run(_, __, { planned }) {
        planned(plan);
        return "Shown.";
      },
    },
    {
      ...tool("run_something", async () => `${ran.push("once")}`),
      kind: "command",
      summary: () => "Run npm run test:unit -- --only the-room-with-a-long-name 2>&1 | tail -20",
    },
  ];
  const runs = {
    list: [
      { id: "1", command: "npm run dev -- --port 3000" },
      { id: "2", command: "npm run watch", ended: "Exit code 3." },
    ],
    onDidChange: () => ({ dispose() {} }),
    stop: () => "",
    forget() {},
  };
  const chat = openChat(t, await serveChat(t), { tools, changes: changedFiles(13).changes, runs });
  const view = await openViewWith(chat.controller, "guide");
  await view.say("setSettings", { settings: { mode: "agent" } });
  const app = await openApp(browser, chat.controller, { width, height });
  t.after(app.close);
  await view.say("send", { text: "Please use keep_plan for Bern", revision: 1 });
  await view.until((state) => state.plan !== null && ended(state) && state.messages.length === 3);
  await app.page.getByRole("button", { name: "13 changed files" }).waitFor();
  return { ...app, ...chat, view, ran };
}

/** Asks for a call that waits for its approval. */
async function askForCommand(page: Page) {
  await box(page).fill("Please use run_something for a city whose name is long");
  await box(page).press("Enter");
  await page.getByRole("region", { name: "run_something: waits for your approval" }).waitFor();
}

// Also a window of 1400 × 900 at 200 %, and a side bar of 700 × 600 at 200 %.
const halfSizes = [
  [260, 600],
  [300, 900],
  [700, 450],
  [350, 300],
] as const;
for (const [width, height] of halfSizes)
  test(`the conversation keeps half of a page of ${width} × ${height}, whatever stands below it`, async (t) => {
    const { page, errors, view, controller } = await openTask(t, width, height);
    const keepsHalf = async (state: string) => {
      const conversation = await page.locator(".conversation").boundingBox();
      assert.ok((conversation?.height ?? 0) >= height / 2 - 0.5, `${state}: ${conversation?.height} px`);
      const composer = await page.locator(".composer").boundingBox();
      assert.ok(composer && composer.y + composer.height <= height, `${state}: the prompt ends in the page`);
      // What is scrolled sideways has a frame that is not.
      const wide = await page
        .locator("main, .composer, .prompt-box, .composer-bar, .over-prompt, .problem, .notice")
        .evaluateAll((all) =>
          all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.className),
        );
      assert.deepEqual(wide, [], `${state}: nothing is wider than the page`);
      const row = ".composer-bar > *, .composer-bar button";
      const spread = await page.evaluate((sought) => appPage.spread(sought), row);
      assert.ok(spread < 4, `${state}: the buttons of the prompt are one row`);
      assert.deepEqual(await unreachable(page, `${bar}, .send-group button`), [], state);
    };
    await keepsHalf("a plan, files and money");
    for (const name of ["13 changed files", "Plan: 0 of 12 done", /^1 command running/, /last task/]) {
      await page.getByRole("button", { name }).click();
      const panel = page.locator(".composer").getByRole("dialog");
      const shown = await panel.boundingBox();
      assert.ok(shown && shown.y >= 0 && shown.y + shown.height <= height, `${name} fits`);
      if (name === "13 changed files") {
        const all = await page.getByRole("button", { name: "Reject All" }).boundingBox();
        assert.ok(all && all.y + all.height <= shown.y + shown.height, "in view without scrolling");
      }
      await page.keyboard.press("Escape");
      await panel.waitFor({ state: "detached" });
      assert.equal(await page.locator(".task-part:focus").count(), 1, "the focus is where it came from");
    }
    for (const name of ["one", "two", "three"])
      await view.say("attachFile", { name: `${name}-notes-of-the-meeting.md`, bytes: new Uint8Array([65]) });
    await page.locator(".chip").nth(2).waitFor();
    await box(page).fill("a line\n".repeat(12));
    controller.notify({ text: "Something has to be said that is rather long. ".repeat(4) });
    await page.locator(".notice").waitFor();
    await keepsHalf("attachments, a long text and a notice");
    await page.getByRole("button", { name: "Dismiss", exact: true }).first().click();
    await askForCommand(page);
    await keepsHalf("a waiting approval");
    assert.deepEqual(errors, []);
  });

test("a long name of a model is not drawn over the buttons beside it", async (t) => {
  const { page, view, errors } = await openTask(t, 260, 600);
  await view.say("setSettings", { settings: { mode: "agent", task: { capUsd: 1234.56 } } });
  await view.say("pickModel", { modelId: "a-vendor/a-model-with-a-long-name-thinking-2507" });
  const name = page.locator(".picker-button .middle-cut", { hasText: "2507" });
  const { needed, shown } = await name.evaluate((one) => ({
    needed: one.scrollWidth,
    shown: one.clientWidth,
  }));
  const overflow = await page.evaluate<string>(
    "getComputedStyle(document.querySelector('.picker-button .middle-cut')).overflowX",
  );
  assert.ok(needed <= shown || overflow === "hidden", `${needed} px in ${shown}`);
  assert.deepEqual(errors, []);
});

test("the cap of a task stands apart from the mode, and its frame has its currency, too", async (t) => {
  const { page } = await openTask(t, 260, 600);
  await page.evaluate("document.body.classList.add('vscode-high-contrast')");
  const mode = await page.locator(".mode-picker").boundingBox();
  const cap = await page.locator(".cap-label").boundingBox();
  assert.ok(mode && cap && cap.x - (mode.x + mode.width) >= 2, "a gap that is seen");
  const frames = await page.evaluate<readonly string[]>(
    "[...document.querySelectorAll('.cap-label, .task-cap')].map((one) => getComputedStyle(one).borderTopWidth)",
  );
  assert.deepEqual(frames, ["1px", "0px"]);
});

test("an error and questions that wait leave half of a small page to the conversation", async (t) => {
  for (const [width, height] of halfSizes) {
    const service = await serveChat(t);
    const chat = openChat(t, service);
    const view = await openViewWith(chat.controller, "echo");
    await view.say("send", { text: "A question", revision: 1 });
    await view.until((state) => state.messages.length === 2 && ended(state));
    await view.say("pickModel", { modelId: "no-such-model" });
    await view.say("send", { text: "Another question", revision: 2 });
    await view.until((state) => state.problem !== null);
    const { page, errors, close } = await openApp(browser, chat.controller, { width, height });
    await page.locator("main > .problem").waitFor();
    const conversation = await page.locator(".conversation").boundingBox();
    assert.ok((conversation?.height ?? 0) >= height / 2 - 0.5, `${width}: ${conversation?.height} px`);
    assert.deepEqual(await unreachable(page, `${bar}, .problem button`), []);
    assert.deepEqual(errors, []);
    await close();
  }
});

// A window of 1400 × 900 at 200 %, the narrowest side bar, and that at 200 %.
const approvalSizes = [
  [700, 450],
  [260, 900],
  [260, 450],
  [260, 330],
  [350, 300],
  [130, 450],
] as const;
for (const [width, height] of listedCases(approvalSizes, 2))
  test(`a waiting approval is seen and works beside a plan and changed files at ${width} × ${height}`, async (t) => {
    const { page, errors, view, ran } = await openTask(t, width, height);
    await askForCommand(page);
    // Without scrolling, as the eyes see it.
    for (const part of [".approval-says", ".split-main.approve"]) {
      const seen = await page.locator(".approval").locator(part).boundingBox();
      assert.ok(seen && seen.y >= 0 && seen.y + seen.height <= height, `${part} is in the page`);
      const isCovered = await page.evaluate((sought) => appPage.isCovered(sought), `.approval ${part}`);
      assert.ok(!isCovered, `${part} is covered by nothing`);
    }
    assert.deepEqual(
      await unreachable(
        page,
        `${bar}, .send-group button, .approval .buttons > * > button:not([role]), .approval .buttons > button`,
      ),
      [],
    );
    const composer = await page.locator(".composer").boundingBox();
    assert.ok(composer && composer.y + composer.height <= height, "the prompt is in the page");
    // What is longer than its room is scrolled to its end first.
    const isRead = () =>
      page
        .locator(".approval-says")
        .evaluate((says) => says.scrollHeight - says.scrollTop - says.clientHeight < 2);
    while (!(await isRead())) {
      await box(page).press("Control+Enter");
      assert.deepEqual(ran, [], "nothing is approved unread");
    }
    await box(page).press("Control+Enter");
    await view.until(() => ran.length === 1);
    assert.deepEqual(errors, []);
  });

test("in a low panel the parts of a waiting approval are in one row", async (t) => {
  const { page } = await openTask(t, 800, 220);
  await askForCommand(page);
  const middles = await page
    .locator(".approval :is(.over-prompt-head, .approval-says, .buttons)")
    .evaluateAll((parts) =>
      parts.map((part) => {
        const { top, bottom } = part.getBoundingClientRect();
        return (top + bottom) / 2;
      }),
    );
  assert.equal(middles.length, 3);
  assert.ok(Math.max(...middles) - Math.min(...middles) <= 2, `${middles}`);
});

test("changed files whose long names begin the same are told apart, and their buttons stay in sight", async (t) => {
  const { files, changes } = changedFiles(30);
  const chat = openChat(t, await serveChat(t), { changes });
  const { page, errors, close } = await openApp(browser, chat.controller, { width: 260, height: 700 });
  t.after(close);
  await page.getByRole("button", { name: "30 changed files" }).click();
  const ends = await page.locator(".change-open .middle-cut span:last-child").evaluateAll((all) =>
    all.map((one) => {
      const row = one.closest(".change-open")?.getBoundingClientRect();
      return (row?.right ?? 0) > one.getBoundingClientRect().right ? one.textContent : "cut";
    }),
  );
  assert.deepEqual(
    ends,
    files.map(({ path }) => path.slice(-10)),
  );
  const panel = await page.getByRole("dialog", { name: "Changed files" }).boundingBox();
  const button = await page.getByRole("button", { name: "Commit with Message" }).boundingBox();
  assert.ok(panel && button && button.y + button.height <= panel.y + panel.height);
  assert.deepEqual(errors, []);
});
