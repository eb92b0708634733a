// Marks of sources that were read before the question: what a click asks the host to open.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, type TestBrowser } from "../../../webview/browser.ts";
import { openChat, openViewWith, serveChat } from "../../chat.ts";
import { openApp } from "../../openApp.ts";

let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const stored = "inference-result:/1/all/maps.md";
const source = { url: "https://maps.example/", title: "Sorting maps", stored };
const text = "# Maps\n\nA map keeps the order of its keys.\n\nA list is sorted by numbers.\n";

test("a mark and the list of sources open the page as it was read, at what they cite; the site opens in the browser", async (t) => {
  const chat = openChat(t, await serveChat(t));
  await openViewWith(chat.controller, "guide");
  const app = await openApp(browser, chat.controller, { width: 260 });
  t.after(app.close);
  const { page, told, untilReported, errors } = app;
  const range = { startLine: 0, startCharacter: 0, endLine: 4, endCharacter: 0 };
  const attachment = {
    kind: "selection",
    uri: stored,
    name: "Sorting maps",
    languageId: "markdown",
  } as const;
  await chat.controller.takeOffer({
    text: "Does a map keep the order of its keys?",
    send: true,
    attachments: [{ ...attachment, range, text, source }],
  });
  await page.locator(".cite-mark").first().click();
  await untilReported("openSource");
  assert.deepEqual(told.find(({ type }) => type === "openSource")?.body, {
    stored,
    url: source.url,
    statement: "A map keeps the order of its keys.",
  });
  await page.locator(".sources summary").click();
  await page.locator(".source-quote").getByText("A map keeps the order of its keys.").waitFor();
  // The mark was drawn before the sentence was known.
  await page.locator(".cite-mark").first().hover();
  await page
    .locator(".source-card .source-excerpt")
    .getByText("A map keeps the order of its keys.")
    .waitFor();
  await page.getByRole("button", { name: "Insert with Footnotes" }).click();
  await untilReported("insertAnswer");
  const inserted = told.find(({ type }) => type === "insertAnswer")?.body as { readonly answerId: string };
  const answer = chat.controller.answer(inserted.answerId);
  assert.match(answer?.text ?? "", /\[1\]/);
  assert.equal(answer?.sources?.[0]?.url, source.url);
  await page.locator(".sources li").getByText("maps.example").click();
  await untilReported("openLink");
  assert.deepEqual(errors, []);
});
