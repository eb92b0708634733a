// The modes, prompts and instructions of a workspace in the page: chosen, listed and opened by the user.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, type TestBrowser } from "../../../webview/browser.ts";
import { openChat, openViewWith, serveChat } from "../../chat.ts";
import { openWindow } from "../../host/prompt/promptSource.ts";
import { openApp } from "../../openApp.ts";
import { weather } from "../../weatherTool.ts";

let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const id = ".github/agents/review.agent.md";
const mode = { id, path: id, description: "Reviews.", tools: ["read"], text: "Find faults." };

test("a mode of the workspace is chosen with the other modes, and its instructions are listed, at 260 px", async (t) => {
  const window = openWindow({
    files: [{ path: "AGENTS.md", text: "Use tabs." }],
    modes: [
      { ...mode, name: `Reviewer \u202E${"with a long name ".repeat(4)}`, model: "An Expensive Model" },
      {
        ...mode,
        id: "~/.copilot/agents/mine.agent.md",
        path: "~/.copilot/agents/mine.agent.md",
        name: "Mine",
      },
    ],
    prompts: [{ name: "changelog", path: "p", description: "Write it", text: "Write the changelog." }],
    problems: [{ path: "CLAUDE.md", kind: "problem", problem: "It is too large." }],
  });
  const chat = openChat(t, await serveChat(t), { prompt: window, tools: [weather()] });
  const view = await openViewWith(chat.controller, "echo");
  const { page, errors, untilReported, close } = await openApp(browser, chat.controller, { width: 260 });
  t.after(close);
  const picker = page.getByRole("combobox", { name: "Mode" });
  await picker.selectOption(id);
  const chosen = await view.until(({ settings }) => settings.customMode !== undefined);
  await page.getByRole("textbox", { name: "Cap of a task in USD" }).waitFor();
  const bar = page.locator(".composer-bar, .composer-bar .send-group");
  for (let width = 200; width <= 300; width += 4) {
    await page.setViewportSize({ width, height: 600 });
    const [whole = 0, send = 0] = await bar.evaluateAll((parts) =>
      parts.map((part) => part.getBoundingClientRect().right),
    );
    assert.ok(whole - send <= 8, `${width} px: Send is at the end of its line, also of a second one`);
  }
  await page.setViewportSize({ width: 260, height: 600 });
  assert.deepEqual(chosen.settings, { mode: "agent", customMode: id });
  assert.match(
    (await picker.getAttribute("title")) ?? "",
    /Reviews\.\nFrom .*review\.agent\.md\.\nTools: read\./,
  );
  assert.doesNotMatch(await picker.innerText(), /\u202E/);
  await view.until(({ guidanceFiles }) => guidanceFiles.some(({ kind }) => kind === "mode"));
  await page.locator(".settings-button button").click();
  const groups = page.locator(".mode-picker optgroup");
  assert.deepEqual(
    await groups.evaluateAll((all) => all.map((group) => [group.label, group.children.length])),
    [
      ["Modes of the project", 1],
      ["Your own modes", 1],
    ],
  );
  const rows = page.getByRole("list", { name: "Files with instructions" }).getByRole("listitem");
  await rows.first().waitFor();
  assert.deepEqual(
    (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, " ")),
    [
      "AGENTS.md sent with each request",
      `${id} the mode; sent with each request`,
      "CLAUDE.md Not used: It is too large.",
    ],
  );
  const widths = await rows.evaluateAll((all) => all.map((one) => one.scrollWidth <= one.clientWidth));
  assert.ok(widths.every(Boolean));
  await rows.first().getByRole("button").click();
  await untilReported("openInstructions");
  await page.getByRole("button", { name: "What the model is told…" }).last().click();
  await untilReported("showTold");
  await page.keyboard.press("Escape");
  // The mode Ask has no instructions of the project, and no trace of the mode stays.
  await picker.selectOption("ask");
  assert.deepEqual((await view.until(({ settings }) => settings.mode === undefined)).settings, {});
  await page.getByRole("textbox", { name: "Your question", exact: true }).fill("/chang");
  await page.getByRole("option", { name: /changelog/ }).click();
  const box = page.getByRole("textbox", { name: "Your question", exact: true });
  assert.match(await box.inputValue(), /^Write the changelog\./);
  await picker.selectOption("agent");
  const cap = page.getByRole("textbox", { name: "Cap of a task in USD" });
  await cap.fill("0,50");
  await cap.press("Tab");
  await view.until(({ settings }) => settings.task?.capUsd === 0.5);
  await page.locator(`.task-cap[value="0.50"]`).waitFor();
  assert.deepEqual(errors, []);
});
