import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { openBrowser, type TestBrowser } from "../../../webview/browser.ts";
import type { AppPage } from "../../../webview/pages/appPageHandle.ts";
import { openChat, openViewWith, serveChat } from "../../chat.ts";
import { openApp } from "../../openApp.ts";

declare const appPage: AppPage;

// The whole page in a real browser with the real chat behind it: Find in a long conversation.
let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const field = (page: Page) => page.getByRole("textbox", { name: "Find in chat" });
const says = (page: Page, words: string) => page.locator(".find-count", { hasText: words }).waitFor();
/** Resolves once the current match has this text and is in view. */
const untilMarked = (page: Page, text: string) =>
  page.waitForFunction((words) => appPage.match() === words, text);

async function longChat(t: Parameters<typeof serveChat>[0], questions: readonly string[], width = 260) {
  const chat = openChat(t, await serveChat(t));
  const view = await openViewWith(chat.controller, "echo");
  for (const [index, text] of questions.entries()) {
    await view.say("send", { text, revision: Date.now() });
    await view.until(({ messages, earlierCount, busy }) => {
      return !busy && messages.length + earlierCount === 2 * (index + 1);
    });
  }
  const app = await openApp(browser, chat.controller, { width });
  t.after(app.close);
  return app;
}

test("Ctrl+F searches the whole conversation and steps through matches; Escape returns to the prompt", async (t) => {
  const questions = Array.from({ length: 50 }, (_, index) =>
    index === 1 || index === 48 ? `Line ${index} has a **Nee**dle in it` : `Line ${index}\n\nmore\n\nwords`,
  );
  const { page, errors } = await longChat(t, questions);
  await page.keyboard.press("Control+f");
  await field(page).fill("needle IN");
  await says(page, "4 of 4");
  // Messages that were not in the page have been fetched.
  assert.equal(await page.locator(".find-extent").count(), 0);
  await untilMarked(page, "Needle in");
  for (const [key, words] of [
    ["Enter", "1 of 4"],
    ["Enter", "2 of 4"],
    ["Shift+Enter", "1 of 4"],
  ] as const) {
    await field(page).press(key);
    await says(page, words);
  }
  // As written in the question, because matches are marked there.
  await untilMarked(page, "Nee**dle in");
  await page.getByRole("button", { name: "Next Match (Enter)" }).click();
  await says(page, "2 of 4");
  await untilMarked(page, "Needle in");
  await field(page).fill("nowhere to be found");
  await says(page, "No results");
  await field(page).press("Escape");
  await field(page).waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => appPage.focused()), "Your question");
  assert.deepEqual(errors, []);
});

test("its key does not reach VS Code, which listens on the window and has the key for its editor, too", async (t) => {
  const { page, errors } = await longChat(t, ["a needle"]);
  await page.evaluate("keys = []; addEventListener('keydown', ({ key }) => keys.push(key))");
  await page.keyboard.press("Control+f");
  await field(page).waitFor();
  await page.keyboard.press("Control+f");
  await page.keyboard.press("Control+g");
  assert.deepEqual(await page.evaluate("keys"), ["Control", "Control", "Control", "g"]);
  assert.deepEqual(errors, []);
});

test("in an empty chat, its key does not reach VS Code either", async (t) => {
  const { page } = await longChat(t, []);
  await page.evaluate("keys = []; addEventListener('keydown', ({ key }) => keys.push(key))");
  await page.locator(".welcome").waitFor();
  await page.keyboard.press("Control+f");
  await page.keyboard.press("Control+g");
  assert.deepEqual(await page.evaluate("keys"), ["Control", "Control", "g"]);
});

test("finds the visible text: across marks, in code and tables, but not in the URLs of links", async (t) => {
  const text = [
    "See [the guide](https://example.com/secret) for `snake_case`.",
    "| left | right |\n|---|---|\n| one | two |",
    "```ts\nconst snake_case = 1;\n```",
  ].join("\n\n");
  const { page } = await longChat(t, [text], 420);
  await page.keyboard.press("Control+f");
  for (const [query, count, marked] of [
    ["snake_case", "4 of 4", "snake_case"],
    ["guide for", "2 of 2", "guide for"],
    ["one two", "2 of 2", "onetwo"],
  ] as const) {
    await field(page).fill(query);
    await says(page, count);
    await untilMarked(page, marked);
  }
  await field(page).fill("secret");
  await says(page, "No results");
});
