import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import type { FromPlayer, ToPlayer } from "../../../../src/speech/protocol/speechProtocol.ts";
import { launchChromium } from "../../../vscode/chromium.ts";
import { openPage } from "../../webview/page.ts";
import { pageStyle } from "../../webview/pageStyle.ts";
import type { PlayerAppPage } from "../../webview/pages/playerAppPage.tsx";

declare const playerPage: PlayerAppPage;

const sentences = ["The first.", "The second.", "The third."];

describe("the page of the speech player", () => {
  let browser: Browser;
  let page: Page;
  before(async () => {
    browser = await launchChromium(["--autoplay-policy=no-user-gesture-required"]);
  });
  after(() => browser.close());
  beforeEach(async () => {
    await page?.close();
    ({ page } = await openPage(browser, "playerAppPage.tsx", pageStyle("player"), true));
    await page.evaluate(() => playerPage.start());
  });

  const handle = (message: ToPlayer) => page.evaluate((received) => playerPage.hear(received), message);
  const load = (plays: boolean, index = 0, texts = sentences) =>
    handle({
      v: 1,
      type: "load",
      reading: "r",
      title: "Text",
      sentences: texts,
      paragraphs: [0, 2],
      headings: [2],
      index,
      plays,
    });
  const clip = (index: number, seconds: number) =>
    page.evaluate(([at, wav]) => playerPage.hearClip("r", at, wav), [index, silence(seconds)] as const);
  const control = (name: Extract<ToPlayer, { type: "control" }>["control"]) =>
    handle({ v: 1, type: "control", control: name });
  const sent = <Type extends FromPlayer["type"]>(type: Type) =>
    page.evaluate(
      (wanted) => playerPage.sent.filter((one) => one.type === wanted).map(({ body }) => body),
      type,
    ) as Promise<Extract<FromPlayer, { type: Type }>["body"][]>;
  const hasSent = (type: FromPlayer["type"], count = 1) =>
    page.waitForFunction(
      ([wanted, times]) => playerPage.sent.filter((one) => one.type === wanted).length >= times,
      [type, count] as const,
    );
  const shows = (sentence: string) => page.locator(".sentence", { hasText: sentence }).waitFor();
  const status = (words: string) => page.getByRole("status").filter({ hasText: words }).waitFor();

  it("shows a sentence in the direction of its own script", async () => {
    await load(false, 0, ["كان الموسم جيدا.", "The harvest was good."]);
    const direction = () => page.evaluate("getComputedStyle(document.querySelector('.sentence')).direction");
    await shows("كان");
    assert.equal(await direction(), "rtl");
    await control("next");
    await shows("harvest");
    assert.equal(await direction(), "ltr");
  });

  it("plays sentence after sentence, requests each in time, and ends at the start", async () => {
    await load(true);
    await hasSent("want");
    await status("Waiting");
    for (const index of sentences.keys()) await clip(index, 0.2);
    await hasSent("ended");
    assert.deepEqual(
      (await sent("want")).map(({ index }) => index),
      [0, 1, 2],
    );
    assert.deepEqual(
      (await sent("at")).map(({ index }) => index),
      [0, 1, 2],
    );
    assert.deepEqual(
      (await sent("playing")).map(({ isPlaying }) => isPlaying),
      [true, false],
    );
    await shows("The first.");
    await status("Paused");
  });

  it("pauses, and continues within the sentence", async () => {
    await load(true);
    await clip(0, 10);
    await status("Reading");
    await control("pause");
    await status("Paused");
    await control("toggle");
    await status("Reading");
    assert.deepEqual(
      (await sent("playing")).map(({ isPlaying }) => isPlaying),
      [true, false, true],
    );
    await shows("The first.");
  });

  it("requests only one sentence when several are skipped", async () => {
    await load(true);
    await hasSent("want");
    await page.evaluate(() => {
      for (const _ of [0, 1]) playerPage.hear({ v: 1, type: "control", control: "next" });
    });
    await shows("The third.");
    await hasSent("want", 2);
    assert.deepEqual(
      (await sent("want")).map(({ index }) => index),
      [0, 2],
    );
    await control("previous");
    await shows("The second.");
  });

  it("skips by paragraphs, headings and 15 seconds, and the slider moves by seconds", async () => {
    await load(false, 1);
    await control("nextHeading");
    await shows("The third.");
    await control("previousParagraph");
    await shows("The first.");
    await control("nextParagraph");
    await shows("The third.");
    await control("previousHeading");
    await shows("The first.");
    await control("nextHeading");
    await shows("The third.");
    // About 0.7 seconds each.
    await control("back");
    await shows("The first.");
    await control("forward");
    await shows("The third.");
    await page.getByLabel("Position").press("PageDown");
    await shows("The first.");
    await page.getByLabel("Position").press("ArrowRight");
    await shows("The third.");
    assert.deepEqual(await sent("want"), []);
  });

  it("shows its position while it is paused, and requests nothing", async () => {
    await load(false);
    await control("next");
    await shows("The second.");
    await hasSent("at");
    assert.deepEqual(await sent("at"), [{ reading: "r", index: 1 }]);
    assert.deepEqual([await sent("want"), await sent("playing")], [[], []]);
  });

  it("reports audio that can't be decoded, and requests it again when started", async () => {
    await load(true);
    await page.evaluate(() => playerPage.hearClip("r", 0, [1, 2, 3]));
    await hasSent("unplayable");
    assert.deepEqual(await sent("unplayable"), [{ reading: "r", clip: "r 0", index: 0, format: "wav" }]);
    await status("Stopped");
    await control("play");
    await hasSent("want", 2);
    await status("Waiting");
  });

  it("shows a wallet without money how to top up, below the problem", async () => {
    const payTo = `0x${"1".repeat(40)}`;
    const topUp = {
      steps: ["Send it"],
      payments: [{ payTo, amount: "5 USDC", network: "Base (eip155:8453)" }],
    };
    const choice = { modelId: "", voice: "", format: "mp3", speed: 1, language: "", style: "" } as const;
    await page.setViewportSize({ width: 260, height: 700 });
    await handle({
      v: 1,
      type: "state",
      state: {
        ...{ service: "S", isFree: false, models: [], modelsProblem: "", clonedVoices: [], characters: 1 },
        ...{ totalUsd: 0, spentUsd: 0, isAway: false },
        problem: { sentence: "Too low.", actions: [], topUp },
        choice: { ...choice, temperature: null, topP: null },
      },
    });
    const card = page.getByRole("region", { name: "How to top up the wallet" });
    for (const text of ["5 USDC", "Base (eip155:8453)", payTo])
      await card.getByText(text, { exact: true }).waitFor();
    await card.getByRole("button", { name: "Copy address" }).waitFor();
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 260);
  });

  it("names the rule at a language of one letter", async () => {
    const card = {
      ...{ id: "speaker", name: "Speaker", description: "", voices: [], formats: ["mp3"] as const },
      ...({ style: "no", temperature: "no", topP: "no", cloning: undefined, usdPerMillion: 6 } as const),
    };
    const state = (language: string): ToPlayer => ({
      v: 1,
      type: "state",
      state: {
        ...{
          service: "S",
          isFree: false,
          models: [card],
          modelsProblem: "",
          clonedVoices: [],
          characters: 1,
        },
        ...{ totalUsd: 0, spentUsd: 0, problem: undefined, isAway: false },
        choice: {
          ...{ modelId: "speaker", voice: "", format: "mp3", speed: 1, language, style: "" },
          ...{ temperature: null, topP: null },
        },
      },
    });
    await handle(state(""));
    await page.getByRole("button", { name: /voice and model/i }).click();
    await page.getByLabel("Language").fill("e");
    await page.getByLabel("Language").blur();
    assert.deepEqual(await sent("choose"), [{ change: { language: "e" } }]);
    await handle(state("e"));
    await page
      .getByRole("alert")
      .filter({ hasText: "A language has 2 to 32 characters, such as en; “e” has 1." })
      .waitFor();
    assert.equal(await page.getByLabel("Language").getAttribute("aria-invalid"), "true");
    await handle(state("en"));
    await page.getByRole("alert").waitFor({ state: "detached" });
  });

  it("stops at a sentence that could not be generated", async () => {
    await load(true);
    await handle({ v: 1, type: "clipFailed", reading: "r", clip: "r 0", index: 0 });
    await status("Stopped");
    await control("play");
    await clip(0, 10);
    await status("Reading");
  });
});

/** A WAV file with silence of this length, as bytes. */
function silence(seconds: number): number[] {
  const rate = 8000;
  const samples = Buffer.alloc(Math.round(seconds * rate), 128);
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  // PCM, one channel.
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36);
  head.writeUInt32LE(samples.length, 40);
  return [...head, ...samples];
}
