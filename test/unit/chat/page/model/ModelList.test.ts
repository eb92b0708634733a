import assert from "node:assert/strict";
import { after, before, type TestContext, test } from "node:test";
import type { TestSandboxOptions } from "../../../../serviceKit/testSandbox.ts";
import { openLocalBench } from "../../../sandbox/chat/local/localBench.ts";
import { openBrowser, type TestBrowser } from "../../../webview/browser.ts";
import { ended, listing, openChat, openView, openViewWith, serveChat } from "../../chat.ts";
import { openApp } from "../../openApp.ts";

// The picker in the whole page, with the real chat and its service behind it.
let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

async function open(t: TestContext, width = 400, options: TestSandboxOptions = {}) {
  const service = await serveChat(t, options);
  const chat = openChat(t, service);
  const view = await openViewWith(chat.controller, "guide");
  const app = await openApp(browser, chat.controller, { width });
  t.after(app.close);
  const { page } = app;
  const button = page.locator(".picker-button");
  await button.click();
  const search = page.getByRole("combobox", { name: "Search models" });
  const list = page.getByRole("listbox", { name: "Models" });
  return { ...app, view, service, button, search, list };
}

test("a trait that is typed is offered with its model, and its price and context are those of the model", async (t) => {
  const { page, list, search, button, view, errors } = await open(t);
  await search.fill("most_intelligent:enable_web_search=auto");
  const offer = list.getByRole("option", { name: "Use “most_intelligent:enable_web_search=auto”" });
  await offer.getByText("trait of Thinker · Web search: auto", { exact: true }).waitFor();
  assert.equal(await list.getByRole("option").count(), 1);
  await page.locator(".picker-details").getByText("200K context").waitFor();
  await search.press("Enter");
  await button.getByText("most_intelligent:enable_web_search=auto", { exact: true }).waitFor();
  assert.match(
    (await button.getAttribute("title")) ?? "",
    /trait of Thinker · Web search: auto\n200K context/,
  );
  await button.click();
  const own = list.getByRole("option").filter({ hasText: "trait of Thinker" });
  await own.waitFor();
  assert.equal(await own.filter({ hasText: "Use “" }).count(), 0, "it is in use, and not offered again");
  await search.press("Escape");
  await view.say("send", { text: "What?", revision: 1 });
  await view.until(ended);
  await page.locator("footer .facts").getByText("answered by thinker").waitFor();
  assert.deepEqual(errors, []);
});

test("another vendor's name comes after the models that match, and the keys reach it", async (t) => {
  const { list, search, view } = await open(t);
  await search.fill("default");
  await list.getByText("trait of Guide").waitFor();
  const options = list.getByRole("option");
  const [count, last] = [await options.count(), await options.last().textContent()];
  assert.ok(count > 1 && last?.startsWith("Use “default”"), `${count} ${last}`);
  for (let index = 1; index < count; index += 1) await search.press("ArrowDown");
  assert.equal(await options.last().getAttribute("aria-selected"), "true");
  await search.fill("gpt-4o");
  await list.getByText("stands for Guide").waitFor();
  await search.press("Control+Enter");
  await view.until(({ compareIds }) => compareIds.includes("gpt-4o"));
});

test("a name that the service does not list can be used, without a price", async (t) => {
  const { page, list, search, view } = await open(t);
  await search.fill("gpt-9");
  const offer = list.getByRole("option", { name: "Use “gpt-9”" });
  await offer.getByText("not in the service's list").waitFor();
  assert.equal(await page.locator(".picker-details").getByText("context").count(), 0);
  await offer.click();
  await view.until(({ modelId }) => modelId === "gpt-9");
});

test("without the service's names a typed name can be used, and the reason is said", async (t) => {
  const { page, list, search } = await open(t, 400, {
    faults: [{ kind: "status", status: 403, match: { path: "/models/traits" }, times: 1 }],
  });
  await search.fill("gpt-4o");
  await list.getByText("the service's names can't be read").waitFor();
  await page.locator(".picker-popup .problem").getByText("does not allow this").waitFor();
});

test("the facts of a model name its origin, its pictures and its successor, and stay in a narrow page", async (t) => {
  const service = await serveChat(t);
  const model_spec = {
    name: "Old One",
    availableContextTokens: 131_072,
    pricing: { input: { usd: 0.6 }, output: { usd: 2.4 } },
    capabilities: { supportsVision: true, maxImages: 4, quantization: "fp8" },
    regionRestrictions: ["EU", "UK"],
    deprecation: {
      removesAt: "2031-02-03",
      replacementModelId: "a-successor-with-a-rather-long-name-70b-instruct",
    },
  };
  const old = {
    id: "old",
    owned_by: "An Owner With A Long Name, Incorporated",
    created: 1_780_000_000,
    model_spec,
  };
  const plain = { id: "plain", model_spec: { availableContextTokens: 8_000 } };
  const api = await listing(openChat(t, service), [old, plain]);
  const chat = openChat(t, service, { api });
  await openViewWith(chat.controller, "old");
  const { page, close, errors } = await openApp(browser, chat.controller, { width: 260 });
  t.after(close);
  await page.locator(".picker-button").click();
  const details = page.locator(".picker-details");
  await details
    .getByText("fp8 · by An Owner With A Long Name, Incorporated · since May 2026", { exact: true })
    .waitFor();
  assert.deepEqual(await details.locator(".badge").allTextContents(), [
    "vision",
    "up to 4 pictures",
    "restricted in: EU, UK",
    "retires 2031-02-03",
    "replaced by a-successor-with-a-rather-long-name-70b-instruct",
  ]);
  const row = page.getByRole("option", { name: "Old One" });
  assert.match(
    (await row.getAttribute("title")) ?? "",
    /fp8 · by .* since May 2026\nvision, up to 4 pictures, /,
  );
  assert.match((await row.textContent()) ?? "", /restricted in: EU, UK/);
  assert.equal(await page.locator("body").evaluate((body) => body.scrollWidth > body.clientWidth), false);
  await page.getByRole("combobox", { name: "Search models" }).press("ArrowDown");
  await details.getByText("8K context").waitFor();
  assert.equal((await details.textContent())?.trim(), "8K context", "nothing is shown that is not stated");
  assert.deepEqual(errors, []);
});

test("a long name stays in a narrow page", async (t) => {
  const { page, list, search, button } = await open(t, 260);
  const name = `default:character_slug=${"long-".repeat(25)}name`;
  await search.fill(name);
  await list.getByText("trait of Guide").waitFor();
  const isWide = () => page.locator("body").evaluate((body) => body.scrollWidth > body.clientWidth);
  assert.equal(await isWide(), false);
  await search.press("Enter");
  await button.getByText(name).waitFor();
  assert.equal(await isWide(), false);
});

test("a model on this machine is chosen at first and stands first, and the empty chat says who answers", async (t) => {
  const { sandbox, idOf } = await openLocalBench(t, "standard");
  const chat = openChat(t, { sandbox, remembered: new Map() });
  chat.switchTo({ id: "sandbox", name: "Sandbox", kind: "sandbox" });
  const view = await openView(chat.controller);
  const { modelId } = await view.until(({ models }) => models.status === "ready");
  assert.equal(modelId, idOf("llama3.2"));
  const app = await openApp(browser, chat.controller, { width: 300 });
  t.after(app.close);
  const { page, errors } = app;
  await page
    .locator(".welcome")
    .getByText(/^llama3\.2:latest \(.*\) answers\. It runs on this machine and costs nothing\.$/)
    .waitFor();
  assert.equal(await page.locator(".welcome").getByText("documentation").count(), 0);
  await page.locator(".picker-button").click();
  const groups = await page.locator(".picker-group").allTextContents();
  assert.deepEqual(groups.slice(0, 2), ["On this machine", "Recommended"]);
  const first = page.getByRole("listbox", { name: "Models" }).getByRole("option").first();
  assert.match((await first.textContent()) ?? "", /^llama3\.2:latest/);
  assert.deepEqual(errors, []);
});
