// What a person sees in a side bar of 260 px: names keep both ends, and nothing is cut that has no mark of it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { openBrowser, type TestBrowser } from "../../webview/browser.ts";
import type { AppPage } from "../../webview/pages/appPageHandle.ts";
import { openChat, openViewWith, serveChat } from "../chat.ts";
import { openApp } from "../openApp.ts";
import { weather } from "../weatherTool.ts";

declare const appPage: AppPage;

let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

/** The page in a side bar of 260 px. */
const size = { width: 258, height: 600 };
const longName = "a-vendor/a-model-with-a-long-name-thinking-2507";
const box = (page: Page) => page.getByRole("textbox", { name: "Your question", exact: true });

/** The beginning and the end of each name in `selector` that is cut, as far as they are in view. */
function ends(page: Page, selector: string) {
  return page.locator(selector).evaluateAll((all) =>
    all.flatMap((name) => {
      const [head, middle, tail] = name.children;
      if (!head || !middle || !tail || middle.scrollWidth <= middle.clientWidth) return [];
      const { left, right } = name.getBoundingClientRect();
      const isShown =
        head.getBoundingClientRect().left >= left && tail.getBoundingClientRect().right <= right + 0.5;
      return [isShown ? `${head.textContent}…${tail.textContent}` : "cut"];
    }),
  );
}

for (const mode of ["ask", "agent"] as const)
  test(`the name of a model keeps both ends beside the mode ${mode}, in the list and below an answer`, async (t) => {
    const chat = openChat(t, await serveChat(t), { tools: [weather()] });
    const view = await openViewWith(chat.controller, "echo");
    const { page, errors, close } = await openApp(browser, chat.controller, size);
    t.after(close);
    await view.say("send", { text: "A question", revision: 1 });
    await view.until(({ busy, messages }) => !busy && messages.length === 2);
    await view.say("setSettings", { settings: mode === "ask" ? {} : { mode } });
    await view.say("pickModel", { modelId: longName });
    await page.locator(".picker-button", { hasText: "2507" }).waitFor();
    assert.deepEqual(await ends(page, ".picker-button .middle-cut"), ["a-v…-2507"]);
    const spread = await page.evaluate(() => appPage.spread(".composer-bar > *, .composer-bar button"));
    assert.ok(spread < 4, "one row");
    await page.locator(".picker-button").click();
    await page.locator(".picker-search").fill(longName);
    await page.locator(".picker-row", { hasText: "2507" }).first().waitFor();
    assert.deepEqual(await ends(page, ".picker-row .middle-cut"), ["a-v…-2507"]);
    // A reader of the screen gets the name in one piece.
    await page.getByRole("option", { name: longName }).first().waitFor({ timeout: 5000 });
    assert.deepEqual(errors, []);
  });

test("the hint of an empty prompt ends with an ellipsis, beside the name of the open file", async (t) => {
  const chat = openChat(t, await serveChat(t));
  await openViewWith(chat.controller, "echo");
  const { page, errors, close } = await openApp(browser, chat.controller, size);
  t.after(close);
  const name = "src/a-folder/AComponentWithALongName.story.test.tsx";
  chat.controller.offerFile({ uri: `file:///w/${name}`, name });
  await page.locator(".prompt-text .current-file").waitFor();
  assert.deepEqual(await ends(page, ".prompt-text .current-file .middle-cut"), ["ACo…st.tsx"]);
  const hint = page.locator(".prompt-hint");
  const cut = await hint.evaluate((one) => ({
    isCut: one.scrollWidth > one.clientWidth,
    right: one.getBoundingClientRect().right,
  }));
  const chip = await page.locator(".prompt-text .current-file").boundingBox();
  assert.ok(cut.isCut && chip && cut.right <= chip.x);
  await box(page).fill("a");
  await hint.waitFor({ state: "detached" });
  assert.deepEqual(errors, []);
});

test("a proposed question with a long name and the tools of the chat fit into their page", async (t) => {
  const chat = openChat(t, await serveChat(t), { tools: [{ ...weather(), title: "Read the output of it" }] });
  await openViewWith(chat.controller, "echo");
  const { page, errors, close } = await openApp(browser, chat.controller, size);
  t.after(close);
  await page
    .locator(".suggestions button")
    .first()
    .evaluate((button) => {
      button.textContent = `Explain ${"AComponentWithALongName".repeat(3)}.tsx`;
    });
  const widest = await page
    .locator(".suggestions button")
    .evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().right)));
  assert.ok(widest <= size.width, `${widest} px`);
  await page.getByRole("button", { name: /^Settings of This Chat/ }).click();
  const title = page.locator(".settings-panel h2");
  assert.ok(await title.evaluate((one) => one.scrollWidth <= one.clientWidth), "the title is whole");
  await page.getByRole("button", { name: "Tools of This Chat" }).click();
  const label = await page.getByText("Read the output of it", { exact: true }).boundingBox();
  assert.ok(label && label.height < 30, "a tool has one line");
  assert.deepEqual(errors, []);
});

test("the name of an attachment and what is known of it are on one line, however short the name is", async (t) => {
  const chat = openChat(t, await serveChat(t));
  const view = await openViewWith(chat.controller, "echo");
  const { page, errors, close } = await openApp(browser, chat.controller, size);
  t.after(close);
  for (const name of ["a.md", "notes.md", "a-longer-name.md"]) {
    await view.say("attachFile", { name, bytes: new Uint8Array([65]) });
    const chip = `.composer .chip:has([aria-label="${name}"])`;
    await page.locator(`${chip} .chip-facts`).waitFor();
    const spread = await page.evaluate((text) => appPage.spread(text), `${chip} .chip-text > *`);
    assert.ok(spread < 3, `${name}: ${spread} px apart`);
  }
  assert.deepEqual(errors, []);
});
