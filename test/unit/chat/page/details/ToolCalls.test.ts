import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { createLiveChat } from "../../../../../src/chat/host/conversation/liveChat.ts";
import type { ToolCallCard } from "../../../../../src/chat/protocol/chatMessages.ts";
import type { ToHost, ToView } from "../../../../../src/chat/protocol/chatProtocol.ts";
import { allHidden } from "../../../hiddenSamples.ts";
import { openBrowser, type TestBrowser } from "../../../webview/browser.ts";
import { openPage, type TestPage } from "../../../webview/page.ts";
import { pageStyle } from "../../../webview/pageStyle.ts";
import type { ConversationPage } from "../../../webview/pages/conversationPage.tsx";

declare const conversationPage: ConversationPage;

/** As a file may contain them: none of these texts was validated. */
const hostile = `Read a\u202efile${allHidden}`;
const base: Omit<ToolCallCard, "id" | "state"> = {
  name: hostile,
  title: hostile,
  says: hostile,
  price: hostile,
  scope: hostile,
  arguments: JSON.stringify({ path: hostile, escaped: "\\u202e" }),
};
const plain: ToolCallCard = {
  id: "plain",
  name: "read_page",
  title: "Read a web page",
  says: "Read https://docs.example.com/guide",
  scope: "https://docs.example.com",
  price: "$0.01 a call",
  arguments: '{"url":"https://docs.example.com/guide"}',
  state: "asks",
};
/** A call of each kind that can be allowed as a whole, and one of a tool of the workspace, which can't. */
const kinds: readonly ToolCallCard[] = [
  ...(["edit", "command", "network"] as const).map((kind) => ({ ...plain, id: kind, says: kind, kind })),
  { ...plain, id: "own", says: "own" },
];
const calls: readonly ToolCallCard[] = [
  plain,
  ...kinds,
  { ...base, id: "asks", state: "asks" },
  { ...base, id: "failed", state: "failed", result: hostile },
  { ...base, id: "review", state: "review", result: "Two\u200b marks\u202e." },
];

/** Like the light theme, in which buttons have the border colour of the focus. */
const theme = ":root { --vscode-button-border: #0069cc; --vscode-focusBorder: #0069cc; }";

describe("the cards of tool calls", () => {
  let browser: TestBrowser;
  let opened: TestPage;
  let page: Page;
  const approval = () => page.getByRole("region", { name: /: waits for your approval$/ });

  before(async () => {
    browser = await openBrowser();
    opened = await openPage(browser, "conversationPage.tsx", pageStyle("chat") + theme);
    ({ page } = opened);
    const chat = createLiveChat({
      record: () => {},
      onChange: () => {},
      onBusy: () => {},
      interrupted: () => undefined,
      isOrphaned: () => false,
    });
    chat.set({ settings: { mode: "agent" } });
    chat.add({ role: "user", id: "q", text: "Go" }, null);
    const said = { text: "", reasoning: "", state: "done", startedAtMs: 0, timing: {} } as const;
    chat.add({ role: "assistant", id: "a", model: "m", ...said, calls }, "q");
    const link = chat.connect((message: ToView) => {
      void page
        .evaluate((reported) => conversationPage.hear(reported as ToView), message as object)
        .catch(() => {});
    });
    await page.exposeFunction("reportHost", ({ type, body }: ToHost) => {
      if (type === "ready" || type === "resync") link.hydrate();
      if (type === "ack") link.acknowledge(body.epoch, body.seq);
    });
    await page.setViewportSize({ width: 420, height: 1400 });
    await page.evaluate(() => conversationPage.start());
    await page
      .locator(".call")
      .nth(calls.length - 1)
      .waitFor();
  });
  after(async () => {
    await browser.close();
    assert.deepEqual([opened.errors, opened.requests], [[], []]);
  });

  it("show every character of their quotes, also in folded parts and names for screen readers", async () => {
    await approval().getByRole("button", { name: "Previous Waiting Call" }).click();
    await approval().getByText("6 of 6").waitFor();
    const texts = await page.locator(".call, .approval").evaluateAll((cards) =>
      cards.flatMap((card) => {
        const elements = [card, ...card.querySelectorAll("*")].filter(
          ({ tagName }) => tagName !== "TEXTAREA",
        );
        const attributes = elements.flatMap((one) => [...one.attributes].map(({ value }) => value));
        const copy = card.cloneNode(true) as Element;
        for (const box of copy.querySelectorAll("textarea")) box.remove();
        return [copy.textContent ?? "", ...attributes];
      }),
    );
    const hidden = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u;
    for (const text of texts) assert.doesNotMatch(text, hidden);
    const whole = texts.join("");
    for (const code of ["202E", "200B", "E0041", "3164", "2800", "2028"])
      assert.ok(whole.includes(`⟨U+${code}⟩`), code);
    assert.match(whole, /Read a⟨U\+202E⟩file/);
    await approval().getByRole("button", { name: "Next Waiting Call" }).click();
  });

  it("name the scope of an approval of more than one call", async () => {
    await approval().getByText("1 of 6").waitFor();
    await approval().getByRole("button", { name: "Other Ways to Allow" }).click();
    const always = approval().getByRole("menuitem", { name: "Always Allow in This Workspace" });
    await always.getByText("Only for https://docs.example.com").waitFor();
    await page.keyboard.press("Escape");
  });

  it("say what is allowed for a task by the kind of the tool, and offer it for no tool of a workspace", async () => {
    const choices: Record<string, string> = {};
    for (const { id } of kinds) {
      await approval().getByRole("button", { name: "Next Waiting Call" }).click();
      await approval()
        .getByText(new RegExp(`^${id} `))
        .waitFor();
      await approval().getByRole("button", { name: "Other Ways to Allow" }).click();
      const items = approval().getByRole("menuitem");
      await items.first().waitFor();
      choices[id] = (await items.allTextContents()).find((text) => /^Allow All/.test(text)) ?? "";
      await page.keyboard.press("Escape");
    }
    assert.match(choices.edit ?? "", /^Allow All Edits of This Task.*deleting/);
    assert.doesNotMatch(choices.edit ?? "", /command/i);
    assert.match(choices.command ?? "", /^Allow All Commands of This Task.*without asking/);
    for (const part of ["search", "web address", "chain call", "upload of a workspace file", "up to the cap"])
      assert.ok(choices.network?.includes(part), part);
    assert.equal(choices.own, "");
  });

  it("have secondary buttons that do not look focused", async () => {
    const borders = await page
      .locator(":is(.call, .approval) .button:not(.primary)")
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).borderTopColor));
    assert.ok(borders.length > 0);
    for (const border of borders) assert.notEqual(border, "rgb(0, 105, 204)");
  });

  it("say how much of a returned result is hidden, and leave it unchanged", async () => {
    const review = page.locator(".call.review");
    await review.getByText("2 characters of this can't be shown here.").waitFor();
    assert.equal(await review.locator("textarea").inputValue(), "Two\u200b marks\u202e.");
  });
});
