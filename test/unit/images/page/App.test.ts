import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { imageSize } from "../../../../src/api/imageSize.ts";
import type { ToStudio } from "../../../../src/images/protocol/studioProtocol.ts";
import type { Layer, Strokes, StudioState } from "../../../../src/images/protocol/studioState.ts";
import { decodePicture } from "../../../../src/sandbox/images/edit.ts";
import { openBrowser, type TestBrowser } from "../../webview/browser.ts";
import { openPage } from "../../webview/page.ts";
import { pageStyle } from "../../webview/pageStyle.ts";
import type { StudioAppPage } from "../../webview/pages/studioAppPage.tsx";
import { base, studioState } from "../../webview/pages/studioStates.ts";
import {
  cmykJpeg,
  exifSegment,
  jpegWith,
  pngWith,
  quarters,
  quartersOf,
  tiff,
  webpWith,
} from "../host/cameraFiles.ts";

declare const studioPage: StudioAppPage;

describe("the page of the image studio", () => {
  let browser: TestBrowser;
  let page: Page;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser.close());
  beforeEach(async () => {
    await page?.close();
    ({ page } = await openPage(browser, "studioAppPage.tsx", pageStyle("studio")));
    await page.evaluate(() => studioPage.start());
    await show({});
    await prompt().waitFor();
  });

  const handle = (message: ToStudio) => page.evaluate((received) => studioPage.hear(received), message);
  const show = (changed: Partial<StudioState>) =>
    handle({ v: 1, type: "state", state: { ...studioState, ...changed } });
  const said = (type: string) => page.evaluate((wanted) => studioPage.said(wanted), type);
  const received = () => page.evaluate(() => studioPage.heard);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const prompt = () => page.getByRole("textbox", { name: "Prompt" });
  const strokes = async () => ((await said("strokes")) as { readonly strokes: Strokes }).strokes;
  /** Resolves once this number is stored. */
  const strokesAre = (count: number) =>
    page.waitForFunction(
      (wanted) =>
        (studioPage.said("strokes") as { strokes: Strokes } | undefined)?.strokes.steps.length === wanted,
      count,
    );
  const paint = async () => {
    await button("Paint Mask…").click();
    // It takes the keys once it has the focus, which comes after it is drawn.
    await page.locator(".easel canvas:focus").waitFor();
    for (const key of ["Space", "ArrowLeft", "Space"]) await page.keyboard.press(key);
  };

  it("takes the address of a picture from the button and from a paste, but not from a paste into the prompt", async () => {
    await button("Add Picture by Address…").click();
    assert.deepEqual(await said("addAddress"), { url: "" });
    const paste = (text: string) =>
      page.evaluate((pasted) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", pasted);
        (document.activeElement ?? document).dispatchEvent(
          new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
        );
      }, text);
    await paste(" https://example.org/cat.png\n");
    assert.deepEqual(await said("addAddress"), { url: "https://example.org/cat.png" });
    await paste("not an address");
    await prompt().focus();
    await paste("https://example.org/dog.png");
    assert.deepEqual(await said("addAddress"), { url: "https://example.org/cat.png" });
  });

  it("keeps room for the words of a picture in a narrow tab", async () => {
    await page.setViewportSize({ width: 260, height: 900 });
    const name = "a-very-long-name-of-a-photo-that-was-taken-by-a-phone.png";
    await show({
      layers: [{ ...base, name, problem: "Its content is TIFF. The service takes PNG, JPEG and WebP." }],
    });
    const row = page.getByRole("listitem");
    const { width = 0 } = (await row.locator(".about").boundingBox()) ?? {};
    assert.ok(width > 150, `${width} px`);
    const [words, buttons] = await Promise.all([
      row.locator(".about").boundingBox(),
      row.locator(".row-buttons").boundingBox(),
    ]);
    assert.ok((buttons?.y ?? 0) >= (words?.y ?? 0) + (words?.height ?? 0), "the buttons are below");
  });

  it("shows who reads a picture at an address, and that a mask needs its pixels", async () => {
    const remote = { ...base, width: 0, height: 0, bytes: 0, url: "https://example.org/cat.png" };
    await show({ layers: [{ ...remote, note: "no preview: its server answered 404" }] });
    const row = page.getByRole("listitem");
    await row.getByText("The service reads it from example.org.").waitFor();
    await row.getByText("Base · no preview: its server answered 404").waitFor();
    assert.equal(await button("Paint Mask…").isDisabled(), true);
    assert.match((await button("Paint Mask…").getAttribute("title")) ?? "", /needs the pixels/);
    await show({ layers: [{ ...remote, width: 400, height: 300, bytes: 900 }] });
    await row.getByText(/Base · 400 × 300/).waitFor();
    assert.equal(await button("Paint Mask…").isDisabled(), false);
  });

  it("takes a resolution as text if none or another one is listed, and shows its refusal there", async () => {
    const free = { ...studioState.controls, takesResolution: true };
    await show({ controls: free });
    await page.getByRole("textbox", { name: "Resolution" }).fill("3K");
    const resolution = async () =>
      ((await said("draft")) as { draft: { resolution: string } }).draft.resolution;
    assert.equal(await resolution(), "3K");
    const fields = { resolution: "is unknown to this model" };
    const outcome = {
      kind: "failed",
      text: "Refused.",
      picture: "",
      suggestion: "",
      fields,
      actions: [],
    } as const;
    await show({ controls: free, outcome });
    await page.getByRole("alert").getByText("is unknown to this model").waitFor();
    assert.equal(
      await page.getByRole("textbox", { name: "Resolution" }).getAttribute("aria-invalid"),
      "true",
    );
    await show({ model: "other", controls: { ...free, resolutions: ["1K", "2K"] } });
    const list = page.getByRole("combobox", { name: "Resolution" });
    // What was written for the other model stays in sight.
    assert.equal(await page.getByRole("textbox", { name: "Other resolution" }).inputValue(), "3K");
    await list.selectOption("2K");
    assert.equal(await resolution(), "2K");
    await list.selectOption({ label: "Other…" });
    assert.equal(await resolution(), "");
    await page.getByRole("textbox", { name: "Other resolution" }).fill("5K");
    assert.equal(await resolution(), "5K");
  });

  it("a wallet without money gets a card with amount and address in the note of the failed request", async () => {
    const payTo = `0x${"1".repeat(40)}`;
    const topUp = {
      steps: ["Send it"],
      payments: [{ payTo, amount: "5 USDC", network: "Base (eip155:8453)" }],
    };
    const failed = {
      kind: "failed",
      text: "Too low.",
      picture: "",
      suggestion: "",
      fields: {},
      actions: [],
      topUp,
    } as const;
    await page.setViewportSize({ width: 260, height: 900 });
    await show({ outcome: failed });
    const card = page.getByRole("region", { name: "How to top up the wallet" });
    for (const text of ["5 USDC", "Base (eip155:8453)", payTo])
      await card.getByText(text, { exact: true }).waitFor();
    await card.getByRole("button", { name: "Copy address" }).waitFor();
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 260);
  });

  it("undo and redo act on the mask only, wherever the focus is", async () => {
    await prompt().fill("make it snow");
    await paint();
    await strokesAre(2);
    await page.keyboard.press("Control+z");
    await strokesAre(1);
    await button("Invert").click();
    await strokesAre(2);
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await strokesAre(0);
    await page.keyboard.press("Control+Shift+Z");
    await page.keyboard.press("Control+y");
    await strokesAre(2);
    assert.equal(await prompt().inputValue(), "make it snow");
    const forEditor = (await received()).filter((key) => /^Ctrl\+[zy]$/i.test(key));
    assert.deepEqual(forEditor, [], "the editor would undo in the prompt");
    await prompt().press("Control+z");
    assert.ok((await received()).includes("Ctrl+z"), "in the prompt it is the editor's");
  });

  it("reopens a mask as painted; Cancel leaves it unchanged", async () => {
    await paint();
    await button("Use Mask").click();
    await page.locator(".painter").waitFor({ state: "detached" });
    await strokesAre(2);
    assert.equal((await strokes()).isOpen, false);
    await show({ layers: [base, { ...base, id: "mask", name: "Mask", isMask: true }] });
    await button("Change Mask…").click();
    await button("Undo").and(page.locator(":enabled")).click();
    await button("Cancel").click();
    await strokesAre(2);
  });

  it("a lasso marks an area, a soft edge has grey levels, and both are stored", async () => {
    await button("Paint Mask…").click();
    await page.locator(".easel canvas:focus").waitFor();
    await page.keyboard.press("l");
    await page.keyboard.press("Enter");
    for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft"])
      await page.keyboard.press(key);
    await page.keyboard.press("Enter");
    await strokesAre(1);
    const [step] = (await strokes()).steps;
    assert.equal(step?.kind, "lasso");
    for (const _ of [1, 2, 3, 4]) await page.getByLabel("Feather").press("ArrowRight");
    await button("Use Mask").click();
    await page.waitForFunction(() => studioPage.said("mask") !== undefined);
    assert.equal((await strokes()).feather, 8);
    const { bytes } = (await said("mask")) as unknown as { readonly bytes: Record<string, number> };
    const mask = await decodePicture(Uint8Array.from(Object.values(bytes)), ["mask"]);
    const levels = new Set(mask.data.filter((_, index) => index % 4 === 0));
    assert.ok(levels.has(0) && Math.max(...levels) > 240 && levels.size > 8, [...levels].join(" "));
  });

  it("zooms the picture under a mask, and strokes land where they are drawn", async () => {
    await button("Paint Mask…").click();
    const canvas = page.locator(".easel canvas");
    await page.locator(".easel canvas:focus").waitFor();
    const before = await canvas.boundingBox();
    for (const _ of [1, 2, 3]) await page.keyboard.press("+");
    await page.getByText("300 %").waitFor();
    const after = await canvas.boundingBox();
    assert.ok(before && after);
    assert.ok(Math.abs(after.width / before.width - 3) < 0.02);
    const frame = await page.locator(".easel-frame").boundingBox();
    assert.ok(frame);
    const [x, y] = [frame.x + 30, frame.y + 20];
    await page.mouse.click(x, y);
    await strokesAre(1);
    const [step] = (await strokes()).steps;
    assert.ok(step && "points" in step);
    const [point] = step.points;
    assert.ok(Math.abs((point?.[0] ?? 0) - ((x - after.x) / after.width) * base.width) <= 1);
    assert.ok(Math.abs((point?.[1] ?? 0) - ((y - after.y) / after.height) * base.height) <= 1);
    await page.keyboard.press("0");
    await page.getByText("100 %").waitFor();
  });

  it("the focus goes to something near when what had it is removed", async () => {
    const focused = () =>
      page.evaluate(
        () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent,
      );
    const outcome = {
      kind: "said",
      text: "Done.",
      picture: "",
      suggestion: "",
      fields: {},
      actions: [],
    } as const;
    await show({ outcome });
    await button("Dismiss").focus();
    await show({ outcome: null });
    await page.locator("textarea:focus").waitFor();
    const two = [base, { ...base, id: "second", name: "second.png" }];
    await show({ layers: two });
    await button("Remove base.png").focus();
    await show({ layers: two.slice(1) });
    await page.locator("[aria-label='Remove second.png']:focus").waitFor();
    await show({ layers: [] });
    await page.locator("header button:focus").waitFor();
    assert.equal(await focused(), "Add Picture…");
  });

  it("says that a picture was added", async () => {
    await show({ layers: [base, { ...base, id: "second", name: "second.png" }] });
    await page.getByText("second.png was added to the pictures to edit.").waitFor({ state: "attached" });
  });

  it("continues a mask that another page was painting", async () => {
    const steps = [{ kind: "brush", radius: 9, points: [[100, 100]] }] as const;
    await handle({ v: 1, type: "strokes", strokes: { base: "base", steps, isOpen: true } });
    await show({});
    await button("Undo").and(page.locator(":enabled")).waitFor();
    await page.locator(".easel canvas").waitFor();
  });

  it("names inpainting and its price, and what is sent on hover only", async () => {
    await show({
      way: "combine",
      price: "$0.09",
      layers: [base, { ...base, id: "mask", name: "Mask", isMask: true }],
    });
    await button("Inpaint Picture · $0.09").waitFor();
    assert.equal(await page.getByText("safe_mode").count(), 0);
    await page.getByTitle("Sent as safe_mode: true").waitFor();
  });

  it("clears, and restores the former state", async () => {
    await button("New").click();
    assert.deepEqual(await said("new"), {});
    await show({ draft: { ...studioState.draft, prompt: "", stamp: 2 }, layers: [], hasEarlier: true });
    await button("Bring Back").click();
    assert.deepEqual(await said("bringBack"), {});
  });

  it("zooms two pictures together, at the same position", async () => {
    const data = new Uint8Array(Buffer.from(await onePicture(page), "base64"));
    await handle({ v: 1, type: "gallery", version: 1, size: 2 });
    const items = ["a.png", "b.png"].map((name) => ({ name, facts: null, note: "" }));
    await handle({ v: 1, type: "items", version: 1, from: 0, items });
    await page.getByRole("listbox").focus();
    for (const key of ["Home", "Space", "ArrowRight", "Space"]) await page.keyboard.press(key);
    await button("Compare").click();
    await page.evaluate(
      ({ names, bytes }) => {
        for (const name of names)
          studioPage.hear({
            v: 1,
            type: "bytes",
            of: { kind: "picture", name },
            data: new Uint8Array(bytes),
          });
      },
      { names: ["a.png", "b.png"], bytes: [...data] },
    );
    const frames = page.locator(".pair .frame");
    await frames.nth(1).locator("img").waitFor();
    for (let presses = 0; presses < 3; presses++) await button("Larger").click();
    await page.getByText("300 %").waitFor();
    const at = (index: number) => frames.nth(index).evaluate((frame) => Math.round(frame.scrollLeft));
    const moved = frames
      .nth(1)
      .evaluate(
        (frame) => new Promise((resolve) => frame.addEventListener("scroll", resolve, { once: true })),
      );
    await frames.nth(0).evaluate((frame) => frame.scrollTo({ left: 40, top: 0 }));
    await moved;
    assert.deepEqual([await at(0), await at(1)], [40, 40]);
    await frames.nth(0).press("0");
    await page.getByText("100 %").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("listbox").waitFor();
  });

  const rareFiles: Readonly<Record<string, () => Buffer | Promise<Buffer>>> = {
    "a turned photo": () => jpegWith(quarters(640, 320), exifSegment(tiff(6))),
    "a mirrored photo": () => jpegWith(quarters(640, 320), exifSegment(tiff(5))),
    "a turned PNG": () => pngWith(quarters(640, 320), tiff(8)),
    "a WebP that other programs turn": () => webpWith(quarters(640, 320), tiff(6)),
    "a CMYK JPEG": () => cmykJpeg(640, 320),
  };
  for (const [name, file] of Object.entries(rareFiles)) {
    it(`draws ${name} anew before its mask can be painted: upright, RGB, without metadata`, async () => {
      const bytes = await file();
      const seen = imageSize(bytes);
      const layer: Layer = { ...base, id: "rare", width: seen?.width ?? 0, pixels: "redraw" };
      await show({ layers: [layer] });
      assert.equal(await button("Paint Mask…").isDisabled(), true);
      await hearLayer(bytes);
      const replaced = await replacement();
      const head = imageSize(replaced);
      assert.deepEqual(
        [head?.width, head?.height, head?.isTurned, head?.rare],
        [seen?.width, seen?.height, false, undefined],
      );
      const before = name.includes("CMYK") ? "RGBY" : quartersOf(await decodePicture(bytes, []));
      assert.equal(quartersOf(await decodePicture(replaced, [])), before);
      assert.equal(await said("undrawable"), undefined);
    });
  }

  it("says of a picture that it can't draw that it can't", async () => {
    await show({ layers: [{ ...base, id: "rare", pixels: "redraw" }] });
    await hearLayer(cmykJpeg(640, 320, 0xc1, 12));
    await page.waitForFunction(() => studioPage.said("undrawable") !== undefined);
    assert.deepEqual(await said("undrawable"), { id: "rare" });
    await show({ layers: [{ ...base, id: "rare", pixels: "undrawable", problem: "It is a 12-bit JPEG." }] });
    await page.getByText("It is a 12-bit JPEG.").waitFor();
    assert.equal(await button("Make It Fit").count(), 0, "it can't help");
    assert.equal(await page.locator(".layers img").count(), 0, "a broken picture");
  });

  /** The content of the layer `rare`, once the page has asked for it. */
  const hearLayer = async (bytes: Uint8Array) => {
    await page.waitForFunction(() => studioPage.said("want") !== undefined);
    await page.evaluate(
      (data) =>
        studioPage.hear({
          v: 1,
          type: "bytes",
          of: { kind: "layer", name: "rare" },
          data: Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)),
        }),
      Buffer.from(bytes).toString("base64"),
    );
  };
  const replacement = async () => {
    const base64 = await page.waitForFunction(() => {
      const body = studioPage.said("replaceLayer") as { readonly bytes: Uint8Array } | undefined;
      return body && btoa(Array.from(body.bytes, (byte) => String.fromCharCode(byte)).join(""));
    });
    return Buffer.from((await base64.jsonValue()) ?? "", "base64");
  };

  it("requests the pictures that match the words", async () => {
    await page.getByRole("searchbox", { name: "Search the gallery" }).fill("fox");
    assert.deepEqual(await said("search"), { text: "fox" });
    await handle({ v: 1, type: "gallery", version: 2, size: 1 });
    await page.getByText("1 picture found in images").waitFor();
  });
});

/** A picture of 300 × 200 in base64. */
function onePicture(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const canvas = new OffscreenCanvas(300, 200);
    canvas.getContext("2d")?.fillRect(0, 0, 300, 200);
    const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
    return btoa(String.fromCharCode(...bytes));
  });
}
