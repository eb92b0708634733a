import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import type { ChangedFile } from "../../../../src/changes/engine/pendingChanges.ts";
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
  ".composer textarea, .composer-bar > button:not(.current-file), .picker-button, .panel-button button";

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
    await page.locator(".current-file").waitFor({ state: height > 260 ? "visible" : "attached" });
    await nothing(height > 260 ? `${bar}, .current-file` : bar);
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

    chat.controller.notify("Something has to be said that is rather long. ".repeat(6));
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

// A window of 1400 × 900 at 200 %, the narrowest side bar, and that at 200 %.
const approvalSizes = [
  [700, 450],
  [260, 900],
  [260, 450],
  [260, 330],
  [130, 450],
] as const;
for (const [width, height] of listedCases(approvalSizes, 2))
  test(`a waiting approval is seen and works beside a plan and changed files at ${width} × ${height}`, async (t) => {
    const ran: string[] = [];
    const plan = Array.from({ length: 12 }, (_, at) => `- [ ] step ${at} of a plan with many words`).join(
      "\n",
    );
    const tools: readonly ChatTool[] = [
      {
        ...tool("keep_plan"),
        kind: "plan",
        async run(_, __, { planned }) {
          planned(plan);
          return "Shown.";
        },
      },
      { ...tool("run_something", async () => `${ran.push("once")}`), kind: "command" },
    ];
    const chat = openChat(t, await serveChat(t), { tools, changes: changedFiles(13).changes });
    const view = await openViewWith(chat.controller, "guide");
    await view.say("setSettings", { settings: { mode: "agent" } });
    const { page, errors, close } = await openApp(browser, chat.controller, { width, height });
    t.after(close);
    await view.say("send", { text: "Please use keep_plan for Bern", revision: 1 });
    await view.until((state) => state.plan !== null && ended(state) && state.messages.length === 3);
    await box(page).fill("Please use run_something for a city whose name is long");
    await box(page).press("Enter");
    const card = page.getByRole("listitem", { name: "run_something: waits for your approval" });
    await card.waitFor();
    await page.getByText("13 changed files").waitFor();
    await page.locator(".task-plan summary").click();
    await page.waitForFunction(() => appPage.belowEnd() < 1);
    // Without scrolling, as the eyes see it.
    for (const part of [".over-prompt-title", ".approval-says", ".split-main.approve"]) {
      const seen = await page.locator(".approval").locator(part).boundingBox();
      assert.ok(seen && seen.y >= 0 && seen.y + seen.height <= height, `${part} is in the page`);
    }
    assert.deepEqual(
      await unreachable(
        page,
        `${bar}, .send-group button, .changes-bar button, .approval .buttons > * > button:not([role]), .approval .buttons > button`,
      ),
      [],
    );
    const composer = await page.locator(".composer").boundingBox();
    assert.ok(composer && composer.y + composer.height <= height, "the prompt is in the page");
    await box(page).press("Control+Enter");
    await view.until(() => ran.length === 1);
    assert.deepEqual(errors, []);
  });

test("changed files whose long names begin the same are told apart, and their buttons stay in sight", async (t) => {
  const { files, changes } = changedFiles(30);
  const chat = openChat(t, await serveChat(t), { changes });
  const { page, errors, close } = await openApp(browser, chat.controller, { width: 260, height: 700 });
  t.after(close);
  await page.getByText("30 changed files").waitFor();
  const ends = await page.locator(".change-open .middle-cut span:last-child").evaluateAll((all) =>
    all.map((one) => {
      const row = one.closest(".change-open")?.getBoundingClientRect();
      return (row?.right ?? 0) > one.getBoundingClientRect().right ? one.textContent : "cut";
    }),
  );
  assert.deepEqual(
    ends,
    files.map((_, at) => `long-name-${at}.ts`),
  );
  const strip = await page.locator(".task-parts").boundingBox();
  const button = await page.getByRole("button", { name: "Commit with Message" }).boundingBox();
  assert.ok(strip && button && button.y + button.height <= strip.y + strip.height);
  assert.deepEqual(errors, []);
});
