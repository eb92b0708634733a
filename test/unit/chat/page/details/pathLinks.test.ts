import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ToView } from "../../../../../src/chat/protocol/chatProtocol.ts";
import { openBrowser, type TestBrowser } from "../../../webview/browser.ts";
import type { AppPage } from "../../../webview/pages/appPageHandle.ts";
import { ended, openChat, openViewWith, serveChat } from "../../chat.ts";
import { openApp } from "../../openApp.ts";

declare const appPage: AppPage;

let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const text = [
  "See `src/a.ts:3:2`, src/b.md. Not gone/c.ts, **up/../d.ts**, /etc/passwd, 1.2.3 or https://x.test/e.ts;",
  "but `.env`, `src/Makefile`, b.ts#L7 and [f.ts](https://x.test).",
  "\n```ts\nsrc/a.ts\n```",
].join("\n");

test("paths in an answer are checked in one request, and those of files become links with their line", async (t) => {
  const chat = openChat(t, await serveChat(t));
  const view = await openViewWith(chat.controller, "echo");
  await view.say("send", { text, revision: 1 });
  await view.until((state) => ended(state) && !state.busy);
  const { page, told: reported, untilReported, errors, close } = await openApp(browser, chat.controller);
  t.after(close);
  const asked = () => reported.flatMap((one) => (one.type === "findPaths" ? [one.body.paths] : []));
  await untilReported("findPaths");
  const [paths = []] = asked();
  assert.deepEqual(paths, ["src/a.ts", "src/b.md", "gone/c.ts", ".env", "src/Makefile", "b.ts"]);
  assert.equal(await page.locator(".path-link").count(), 0);
  const found = paths.filter((path) => path !== "gone/c.ts");
  await page.evaluate((answer) => appPage.handle(answer as unknown as ToView), {
    v: 1,
    type: "paths",
    asked: paths,
    found,
  } as object);
  const links = page.locator(".answer .path-link");
  await links.first().waitFor();
  assert.deepEqual(await links.allTextContents(), [
    "src/a.ts:3:2",
    "src/b.md",
    ".env",
    "src/Makefile",
    "b.ts#L7",
  ]);
  assert.match(await page.evaluate(() => appPage.text()), /See src\/a\.ts:3:2, src\/b\.md\. Not gone\/c\.ts/);
  await links.first().click();
  await links.last().press("Enter");
  assert.deepEqual(
    reported.flatMap((one) => (one.type === "openPath" ? [one.body] : [])),
    [
      { path: "src/a.ts", line: 3, column: 2 },
      { path: "b.ts", line: 7 },
    ],
  );
  assert.deepEqual(errors, []);
});

test("links and code that name a file with spaces lead to it", async (t) => {
  const chat = openChat(t, await serveChat(t));
  const view = await openViewWith(chat.controller, "echo");
  const named =
    "Read [the report](docs/my report.md), [b](<my b.txt>), [c](my%20c.md:4), `my notes.md:7` and `two words`.";
  await view.say("send", { text: named, revision: 1 });
  await view.until((state) => ended(state) && !state.busy);
  const { page, told: reported, untilReported, close } = await openApp(browser, chat.controller);
  t.after(close);
  await untilReported("findPaths");
  const [paths = []] = reported.flatMap((one) => (one.type === "findPaths" ? [one.body.paths] : []));
  const files = ["docs/my report.md", "my b.txt", "my c.md", "my notes.md"];
  assert.deepEqual(paths.slice(0, 4), files);
  await page.evaluate((answer) => appPage.handle(answer as unknown as ToView), {
    v: 1,
    type: "paths",
    asked: paths,
    found: files,
  } as object);
  const links = page.locator(".answer .path-link");
  await links.first().waitFor();
  assert.deepEqual(await links.allTextContents(), ["the report", "b", "c", "my notes.md:7"]);
  for (const index of [0, 3]) await links.nth(index).click();
  assert.deepEqual(
    reported.flatMap((one) => (one.type === "openPath" ? [one.body] : [])),
    [{ path: "docs/my report.md" }, { path: "my notes.md", line: 7 }],
  );
});
