import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { createLiveChat } from "../../../../../src/chat/host/conversation/liveChat.ts";
import {
  applyEntry,
  emptyLogState,
  type LogState,
} from "../../../../../src/chat/host/history/log/logState.ts";
import type { ToHost, ToView } from "../../../../../src/chat/protocol/chatProtocol.ts";
import { openBrowser, type TestBrowser } from "../../../webview/browser.ts";
import { openPage, type TestPage } from "../../../webview/page.ts";
import { pageStyle } from "../../../webview/pageStyle.ts";
import type { ConversationPage } from "../../../webview/pages/conversationPage.tsx";

declare const conversationPage: ConversationPage;

const turns = 300;
/** Maximum number of turns in the page at once, for answers of this height. */
const mostDrawn = 100;
const picture =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

// A long conversation in a real browser, in a narrow view, with the real chat behind it.
describe("a conversation of many turns", () => {
  let browser: TestBrowser;
  let opened: TestPage;
  let page: Page;
  const received: ToHost[] = [];

  before(async () => {
    browser = await openBrowser();
    opened = await openPage(browser, "conversationPage.tsx", pageStyle("chat"));
    ({ page } = opened);
    const chat = createLiveChat({
      record: () => {},
      onChange: () => {},
      onBusy: () => {},
      interrupted: () => undefined,
      isOrphaned: () => false,
    });
    chat.open(longConversation());
    const post = (message: ToView | object) =>
      void page.evaluate((reported) => conversationPage.hear(reported as ToView), message).catch(() => {});
    const link = chat.connect(post);
    await page.exposeFunction("reportHost", (message: ToHost) => {
      received.push(message);
      const { type, body } = message;
      if (type === "ready" || type === "resync") link.hydrate();
      if (type === "ack") link.acknowledge(body.epoch, body.seq);
      if (type === "showEarlier") chat.showEarlier();
      if (type === "loadPicture") post({ v: 1, type: "picture", url: body.url, picture: { src: picture } });
    });
    await page.setViewportSize({ width: 300, height: 600 });
    await page.evaluate(() => conversationPage.start());
    await page.getByText(`Answer ${turns - 1}.`).waitFor();
  });
  after(async () => {
    await browser.close();
    assert.deepEqual([opened.errors, opened.requests], [[], []]);
  });

  const turn = (index: number) => page.locator(`.turn[aria-posinset="${index + 1}"]`);
  const drawnTurns = () => page.locator(".turn").count();
  /**
   * Scrolls up or down by screens, one per frame, until `index` is in view, and waits for the screen above.
   * Returns the observations on the way.
   */
  const readTo = (index: number, by: number, isPatient = false) =>
    page.evaluate(
      ([place, part, waits]) =>
        new Promise<{ mostTurns: number; blanks: number; seen: number }>((resolve) => {
          const scroller = document.querySelector(".scroller") as HTMLElement;
          const { top, height } = scroller.getBoundingClientRect();
          const found = { mostTurns: 0, blanks: 0, seen: 0 };
          const seen = new Set<string | null>();
          const inView = (selector: string) =>
            [...document.querySelectorAll(selector)].filter((element) => {
              const rect = element.getBoundingClientRect();
              return rect.bottom > top + 1 && rect.top < top + height - 1;
            });
          const look = () => {
            found.blanks += inView(".away").length;
            for (const turn of inView(".turn")) seen.add(turn.getAttribute("aria-posinset"));
            found.seen = seen.size;
          };
          const isInView = () => {
            const sought = document.querySelector(`.turn[aria-posinset="${place}"]`)?.getBoundingClientRect();
            return sought && sought.bottom > top && sought.top < top + height;
          };
          const isAboveReady = () => {
            const isLoaded = scroller.scrollTop > height || !document.querySelector(".earlier");
            const away = [...document.querySelectorAll(".away")].map((group) =>
              group.getBoundingClientRect(),
            );
            return isLoaded && away.every((rect) => rect.bottom < top - height || rect.top > top);
          };
          const step = () => {
            found.mostTurns = Math.max(found.mostTurns, document.querySelectorAll(".turn").length);
            look();
            if (isInView()) return resolve(found);
            if (!waits || isAboveReady()) scroller.scrollTop += part * height;
            return requestAnimationFrame(step);
          };
          step();
        }),
      [index + 1, by, isPatient] as const,
    );
  /** Scrolls to a position, and waits until distant turns are removed. */
  const goTo = async (top: number) => {
    await page.evaluate((to) => {
      (document.querySelector(".scroller") as HTMLElement).scrollTop = to;
    }, top);
    await page.waitForFunction((most) => document.querySelectorAll(".turn").length < most, mostDrawn);
  };
  const scrollTop = () => page.evaluate(() => document.querySelector(".scroller")?.scrollTop ?? 0);

  it("scrolls to its first turn with only near turns in the page, and without blank areas", async () => {
    const { seen } = await readTo(0, -0.9, true);
    assert.equal(seen, turns);
    for (const [last, by] of [
      [turns - 1, 0.9],
      [0, -0.9],
    ] as const) {
      const { mostTurns, blanks } = await readTo(last, by);
      assert.equal(blanks, 0);
      assert.ok(mostTurns < mostDrawn, `${mostTurns} turns were drawn`);
    }
    assert.equal(await turn(0).getAttribute("aria-setsize"), String(turns));
    assert.equal(await page.locator(".earlier").count(), 0);
  });

  it("keeps what the reader expanded, loaded, and began to write", async () => {
    await turn(3).locator("summary").click();
    await turn(5).getByRole("button", { name: "chart" }).click();
    await turn(5).locator("img").waitFor();
    await turn(8).getByRole("button", { name: "Edit Question" }).click();
    await turn(8).or(page.locator("form.edit")).first().waitFor();
    await page.locator("form.edit textarea").fill("In other words");
    const before = await scrollTop();
    await readTo(turns - 1, 0.9);
    await goTo(before);
    assert.equal(await turn(3).locator("details").getAttribute("open"), "");
    assert.equal(await page.locator("form.edit textarea").inputValue(), "In other words");
    assert.equal(await turn(5).locator("img").count(), 1);
    await page.getByRole("button", { name: "Cancel" }).click();
  });

  it("keeps a loaded picture in view of its turn", async () => {
    await readTo(205, 0.9);
    await turn(205).locator("img").waitFor();
    assert.equal(received.filter(({ type }) => type === "loadPicture").length, 1);
  });

  it("keeps the whole selection", async () => {
    await readTo(20, -0.9);
    await page.evaluate(() => {
      const first = document.querySelector('.turn[aria-posinset="20"]');
      if (first) getSelection()?.setBaseAndExtent(first, 0, first, first.childNodes.length);
    });
    await readTo(turns - 1, 0.9);
    await page.waitForFunction((most) => document.querySelectorAll(".turn").length < most, mostDrawn);
    const selected = await page.evaluate(() => getSelection()?.toString() ?? "");
    assert.match(selected, /Answer 19\./);
    await page.evaluate((place) => {
      const last = document.querySelector(`.turn[aria-posinset="${place}"]`);
      if (last) getSelection()?.extend(last, 0);
    }, turns);
    await turn(151).waitFor({ state: "attached" });
    assert.match(await page.evaluate(() => getSelection()?.toString() ?? ""), /Answer 151\./);
    await page.evaluate(() => getSelection()?.removeAllRanges());
  });

  it("does not move the visible text when turns above it are rendered in another width", async () => {
    await readTo(240, -0.9);
    await goTo((await scrollTop()) - 20_000);
    await page.setViewportSize({ width: 420, height: 600 });
    const jumps = await page.evaluate(async () => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const scroller = document.querySelector(".scroller") as HTMLElement;
      let most = 0;
      for (let steps = 0; steps < 120; steps++) {
        const seen = document.elementFromPoint(200, 300)?.closest(".turn");
        const before = seen?.getBoundingClientRect().top ?? 0;
        scroller.scrollTop -= 97;
        await frame();
        await frame();
        const moved = (seen?.getBoundingClientRect().top ?? 0) - before;
        if (seen?.isConnected) most = Math.max(most, Math.abs(moved - 97));
      }
      return most;
    });
    assert.ok(jumps <= 2, `what was read jumped by ${jumps} pixels`);
  });

  it("jumps between its ends and renders there", async () => {
    await goTo(0);
    await turn(0).waitFor();
    await page.getByRole("button", { name: "Jump to latest" }).click();
    await page.getByText(`Answer ${turns - 1}.`).waitFor();
    await page.waitForFunction((most) => document.querySelectorAll(".turn").length < most, mostDrawn);
    assert.ok((await drawnTurns()) > 4);
    const fromEnd = await page.evaluate(() => {
      const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = document.querySelector(".scroller") ?? {};
      return scrollHeight - scrollTop - clientHeight;
    });
    assert.ok(fromEnd < 2, `${fromEnd} pixels from the end`);
  });

  it("is left by a scroll up of a few pixels, and followed again by one down", async () => {
    const follows = (byPx: number) =>
      page.evaluate(async (deltaY) => {
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        const scroller = document.querySelector(".scroller");
        if (!scroller) throw new Error("there is no scroller");
        scroller.dispatchEvent(new WheelEvent("wheel", { deltaY }));
        scroller.scrollTop += deltaY;
        for (let frames = 0; frames < 3; frames++) await frame();
        return scroller.classList.contains("following");
      }, byPx);
    await goTo(1e6);
    assert.equal(await follows(1), true);
    for (let steps = 0; steps < 5; steps++) assert.equal(await follows(-3), false);
    assert.equal(await follows(10), true);
  });
});

/** Alternating questions and answers; some answers have something to expand, or a remote picture. */
function longConversation(): LogState {
  const state = emptyLogState("long", Date.now());
  for (let index = 0; index < turns; index++) {
    const id = `m${index}`;
    const parentId = index === 0 ? null : `m${index - 1}`;
    const node =
      index % 2 === 0
        ? { id, parentId, role: "user", text: `Question ${index}: how does this go on?` }
        : { id, parentId, ...answer(index) };
    applyEntry(state, { e: "node", t: Date.now(), node });
  }
  applyEntry(state, { e: "leaf", id: `m${turns - 1}` });
  return state;
}

function answer(index: number) {
  const lines = Array.from(
    { length: 3 + (index % 7) * 2 },
    (_, line) =>
      `- line ${line} of answer ${index}, which is too long for a line of its own in a narrow view`,
  );
  const more = index % 200 === 5 ? "\n\n![chart](https://pictures.example/chart.png)" : "";
  return {
    role: "assistant",
    model: "guide",
    text: `Answer ${index}.\n\n${lines.join("\n")}\n\n\`\`\`ts\nconst a = ${index};\n\`\`\`${more}`,
    reasoning: index % 4 === 3 ? "This was thought over." : "",
    state: "done",
    startedAtMs: Date.now(),
    timing: {},
  };
}
