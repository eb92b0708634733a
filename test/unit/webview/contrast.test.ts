// Every text and control of our pages in the editor's own themes, by the rendered colours.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { decode } from "fast-png";
import type { Locator, Page } from "playwright-core";
import type { ToStudio } from "../../../src/images/protocol/studioProtocol.ts";
import type { PlayerState, ToPlayer } from "../../../src/speech/protocol/speechProtocol.ts";
import { listedCases } from "../../runner/cases.ts";
import { seriousViolations } from "./axe.ts";
import { openBrowser, type TestBrowser } from "./browser.ts";
import { openPage } from "./page.ts";
import { pageStyle } from "./pageStyle.ts";
import type { PlayerAppPage } from "./pages/playerAppPage.tsx";
import type { StudioAppPage } from "./pages/studioAppPage.tsx";
import { base, studioState } from "./pages/studioStates.ts";
import { assertSeen, type ThemeName, themeNames, wear } from "./themed.ts";

declare const studioPage: StudioAppPage;
declare const playerPage: PlayerAppPage;

const outcome = { picture: "", suggestion: "", fields: {}, actions: [] } as const;
const studioStates = {
  edit: {
    ...studioState,
    layers: [
      base,
      { ...base, id: "2", name: "tiny.png", problem: "A picture needs at least 65,536 pixels." },
    ],
    outcome: { ...outcome, kind: "failed", text: "It failed.", actions: [{ id: "retry", label: "Retry" }] },
  },
  over: {
    ...studioState,
    controls: { ...studioState.controls, promptLimit: 3 },
    problem: "A prompt has at most 3 characters.",
    outcome: { ...outcome, kind: "kept", text: "Saved as a.png.", picture: "a.png" },
  },
  running: {
    ...studioState,
    run: { phase: "receiving", startedMs: 0, received: 10, total: 100 },
    outcome: { ...outcome, kind: "blocked", text: "Blocked.", suggestion: "a mild fox" },
  },
} as const;

const playerState: PlayerState = {
  service: "Sandbox",
  isFree: true,
  models: [
    {
      id: "speaker",
      name: "Speaker",
      description: "Speaks.",
      voices: ["anna", "ben"],
      formats: ["mp3", "wav"],
      style: "yes",
      temperature: "yes",
      topP: "unknown",
      cloning: { formats: [], minSeconds: 1, retentionDays: 7 },
      usdPerMillion: 3,
    },
  ],
  modelsProblem: "",
  choice: {
    modelId: "speaker",
    voice: "anna",
    format: "mp3",
    speed: 1,
    language: "",
    style: "",
    temperature: null,
    topP: null,
  },
  clonedVoices: [{ handle: "v1", name: "Me", age: "today" }],
  characters: 100,
  totalUsd: 0.01,
  spentUsd: 0.001,
  problem: { sentence: "It failed.", actions: [{ id: "retry", label: "Retry" }] },
  isAway: true,
};

describe("the colours of our pages", () => {
  let browser: TestBrowser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser.close());

  async function openIn(theme: ThemeName, script: string, name: "studio" | "player"): Promise<Page> {
    const { page } = await openPage(browser, script, pageStyle(name));
    await wear(page, theme);
    return page;
  }

  for (const theme of listedCases(themeNames, 2)) {
    it(`of the image studio have enough contrast in the theme ${theme}`, async () => {
      const page = await openIn(theme, "studioAppPage.tsx", "studio");
      const handle = (message: ToStudio) => page.evaluate((received) => studioPage.hear(received), message);
      await page.evaluate(() => studioPage.start());
      await handle({ v: 1, type: "gallery", version: 1, size: 2 });
      const items = ["a.png", "b.png"].map((name) => ({ name, facts: null, note: "" }));
      await handle({ v: 1, type: "items", version: 1, from: 0, items });
      for (const [name, state] of Object.entries(studioStates)) {
        await handle({ v: 1, type: "state", state });
        await page.locator(".outcome p").getByText(state.outcome.text).waitFor();
        await assertSeen(page, name);
      }
      await handle({ v: 1, type: "state", state: studioStates.edit });
      await page.getByText("It failed.").waitFor();
      await assertAccessible(page, 260);
      const box = page.getByRole("checkbox").first();
      for (const isTicked of [true, false]) {
        await box.setChecked(isTicked);
        await assertDrawn(page, box, isTicked ? "a box with its tick" : "an empty box");
      }
      await page.getByRole("button", { name: "Paint Mask…" }).click();
      await page.locator(".easel canvas").waitFor();
      await assertSeen(page, "mask");
      for (const name of ["Brush size", "Feather"])
        await assertDrawn(page, page.getByRole("slider", { name }), `slider ${name}`);
      await page.keyboard.press("i");
      await page.getByRole("button", { name: "Use Mask" }).and(page.locator(":enabled")).waitFor();
      assert.ok((await tint(page)) >= 3, "what is painted stands out from a dark and from a light picture");
      await page.close();
    });

    it(`of the speech player have enough contrast in the theme ${theme}`, async () => {
      const page = await openIn(theme, "playerAppPage.tsx", "player");
      const handle = (message: ToPlayer) => page.evaluate((received) => playerPage.hear(received), message);
      await page.evaluate(() => playerPage.start());
      await handle({ v: 1, type: "state", state: playerState });
      const sentences = ["The harvest was good.", "Nobody has counted the nuts."];
      await handle({
        v: 1,
        type: "load",
        reading: "1",
        title: "Notes",
        sentences,
        paragraphs: [0],
        headings: [],
        index: 0,
        plays: false,
      });
      await page.getByText("The harvest was good.").waitFor();
      await page.getByRole("button", { name: "Voice and Model" }).click();
      await page.getByRole("radio").first().waitFor();
      await assertSeen(page, "player");
      await assertDrawn(page, page.getByRole("slider").first(), "slider");
      for (const index of [0, 1]) await assertDrawn(page, page.getByRole("radio").nth(index), "radio button");
      await assertAccessible(page, 320);
      await page.close();
    });
  }

  /** Nothing overflows at this width, and axe finds no serious violation. */
  async function assertAccessible(page: Page, width: number): Promise<void> {
    const { height } = page.viewportSize() ?? { height: 800 };
    await page.setViewportSize({ width, height });
    assert.deepEqual(await seriousViolations(page.locator("main")), []);
    const excessPx = await page.locator("html").evaluate((root) => root.scrollWidth - root.clientWidth);
    assert.equal(excessPx, 0, `at ${width} px`);
  }

  /** Native parts contrast with the page behind them: all sides of a box, the thumb of a slider. */
  async function assertDrawn(page: Page, control: Locator, what: string): Promise<void> {
    const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const behind = (ground.match(/\d+/g) ?? []).map(Number);
    const { data, channels, width, height } = decode(await control.screenshot());
    const stands = (x: number, y: number) => {
      const at = (Math.round(y) * width + Math.round(x)) * channels;
      return (
        ratio(
          [0, 1, 2].map((channel) => Number(data[at + channel])),
          behind,
        ) >= 3
      );
    };
    const share = await control.evaluate((element) => {
      const { type, value, min, max } = element as HTMLInputElement;
      return type === "range" ? (Number(value) - Number(min)) / (Number(max) - Number(min)) : undefined;
    });
    if (share !== undefined) {
      const thumbPx = 16;
      const x = thumbPx / 2 + share * (width - thumbPx);
      return assert.ok(stands(x, height / 2), `${what}: its thumb is not seen`);
    }
    const deepPx = 3;
    const depths = [...Array(deepPx).keys()];
    const sides = {
      left: depths.some((depth) => stands(depth, height / 2)),
      right: depths.some((depth) => stands(width - 1 - depth, height / 2)),
      top: depths.some((depth) => stands(width / 2, depth)),
      bottom: depths.some((depth) => stands(width / 2, height - 1 - depth)),
    };
    assert.deepEqual(sides, { left: true, right: true, top: true, bottom: true }, what);
  }

  /** The smaller ratio of a painted place to the same place unpainted, on black and on white. */
  async function tint(page: Page): Promise<number> {
    const ratios: number[] = [];
    for (const ground of ["#000", "#fff"]) {
      await page.locator(".easel").evaluate((easel, colour) => {
        (easel as HTMLElement).style.background = colour;
      }, ground);
      const { data, channels } = decode(await page.locator(".easel").screenshot());
      const colours = new Set<string>();
      for (let at = 0; at < data.length / channels; at += 7)
        colours.add([0, 1, 2].map((channel) => data[at * channels + channel]).join());
      const plain = ground === "#000" ? [0, 0, 0] : [255, 255, 255];
      ratios.push(Math.max(...[...colours].map((colour) => ratio(colour.split(",").map(Number), plain))));
    }
    return Math.min(...ratios);
  }
});

function ratio(one: readonly number[], other: readonly number[]): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
