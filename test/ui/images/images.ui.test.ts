import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { decode } from "fast-png";
import type { PictureFacts } from "../../../src/images/protocol/studioState.ts";
import { environment } from "../../../src/shared/names/ids.ts";
import { startTestSandbox, type TestSandbox } from "../../serviceKit/testSandbox.ts";
import { seriousViolations } from "../../unit/webview/axe.ts";
import { chooseInMenu } from "../window.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";
import { galleryTests } from "./imagesGallery.ts";
import { pixelsOf, plainPng, rgba, studioPage, widthOf } from "./studioPage.ts";

describe("the image studio", () => {
  let service: TestSandbox;
  let workbench: Workbench;
  before(async () => {
    service = await startTestSandbox({ apiKey: "ui-images-key-canary" });
    const env = { [environment.key]: service.apiKey, [environment.baseUrl]: service.baseUrl };
    workbench = await openWorkbench("images", { "files.simpleDialog.enable": true }, env, {
      "first.png": plainPng(512, 384, 60),
      "second.png": plainPng(512, 384, 180),
      "tiny.png": plainPng(100, 80, 90),
    });
    await workbench.openSideBar();
  });
  after(async () => {
    await workbench.close();
    await service.close();
  });

  const { page, view, prompt, button, make, outcome, picture, layers, dialog, hand, emptyLayers, draw } =
    studioPage(() => workbench);
  const paste = (name: string, bytes: Uint8Array) => hand("paste", { name, bytes });
  const folder = () => join(workbench.profile.workspace, "images");
  const images = () => readdirSync(folder()).filter((name) => !name.endsWith(".json"));
  const sent = (path: string) => service.requests.filter((request) => request.path.endsWith(path)).length;

  it("counts the prompt against the model's limit and does not send a longer one", async () => {
    await workbench.runCommand("Inference Images: Open Studio");
    await make().getByText("Make Picture · $0.01").waitFor();
    await view().getByText("0 / 1,500 characters").waitFor();
    await prompt().fill("a".repeat(1501));
    await view().getByText("has at most 1,500 characters; this one has 1,501.").waitFor();
    assert.equal(await make().isDisabled(), true);
    await view().getByLabel("Size").selectOption("512x512");
    await prompt().fill("sunset over the sea");
    await view().getByText("19 / 1,500 characters").waitFor();
    await workbench.screenshot("images-form");
  });

  it("asks for a folder and confirms the price, then shows the new image", async () => {
    await make().click();
    await page().getByText("Select a Folder for Pictures").waitFor();
    await workbench.screenshot("images-folder");
    await page()
      .locator(".quick-input-list .monaco-list-row")
      .filter({ hasText: "Created if it does not exist" })
      .click();
    await dialog().getByText("Make this picture for $0.01?").waitFor();
    assert.equal(sent("/images/generations"), 0);
    await dialog().getByRole("button", { name: "Make", exact: true }).click();
    assert.equal(await widthOf(picture()), 512);
    await outcome()
      .getByText(/^Saved as \d{8}-\d{6}-sunset-over-the-sea\.png, \$0\.01\.$/)
      .waitFor();
    await workbench.screenshot("images-made");
    const [name = ""] = images();
    const facts = JSON.parse(readFileSync(join(folder(), `${name}.json`), "utf8")) as PictureFacts;
    const { prompt: words, model, seed, costUsd, choices, width } = facts;
    assert.deepEqual(
      { words, model, seed, costUsd, choices, width },
      {
        words: "sunset over the sea",
        model: "canvas",
        seed: null,
        costUsd: 0.01,
        choices: { moderation: "auto", size: "512x512" },
        width: 512,
      },
    );
    assert.deepEqual(await seriousViolations(view().locator("main")), []);
  });

  it("shows the gallery again after its tab was closed", async () => {
    await button("← Gallery").click();
    await widthOf(view().locator(".cell img"));
    await workbench.runCommand("View: Close Editor");
    await workbench.runCommand("Inference Images: Open Studio");
    assert.equal(await widthOf(view().locator(".cell img")), 320);
    await view().getByText("1 picture in").waitFor();
    assert.equal(await prompt().inputValue(), "sunset over the sea");
  });

  it("reports images that the service blurs or blocks, and shows no black square", async () => {
    await prompt().fill("a nude study in clay");
    await make().click();
    await outcome().getByText("The service blurred this picture").waitFor();
    await view().locator(".picture .warning").getByText("found adult content").waitFor();
    await workbench.screenshot("images-blurred");
    const kept = images().length;
    await prompt().fill("content-violation of some kind");
    await make().click();
    await outcome().getByText("The service blocked this picture").waitFor();
    await workbench.screenshot("images-blocked");
    assert.equal(images().length, kept);
  });

  it("edits an image of the Explorer with a mask that arrives as painted", async () => {
    const menu = await workbench.explorerMenu("first.png");
    await menu.getByText("Edit Pictures…").waitFor();
    await workbench.screenshot("images-explorer");
    await chooseInMenu(menu, "Edit Pictures…");
    await layers().getByText("first.png").waitFor();
    await make().getByText("Edit Picture · $0.04").waitFor();
    await button("Paint Mask…").click();
    const canvas = view().locator(".easel canvas");
    await canvas.waitFor();
    await button("Use Mask").isDisabled();
    await draw(canvas, [
      [0.2, 0.5],
      [0.6, 0.5],
    ]);
    await view().getByRole("button", { name: "Eraser" }).click();
    await draw(canvas, [
      [0.4, 0.3],
      [0.4, 0.7],
    ]);
    await view().getByRole("button", { name: "Brush" }).click();
    await draw(canvas, [
      [0.9, 0.1],
      [0.95, 0.1],
    ]);
    await button("Undo").click();
    // The editor must not undo in the prompt, too.
    await page().keyboard.press("Control+Shift+Z");
    await page().keyboard.press("Control+Z");
    assert.equal(await prompt().inputValue(), "content-violation of some kind");
    await canvas.focus();
    await page().keyboard.press("Space");
    await workbench.screenshot("images-mask");
    await button("Use Mask").click();
    await layers().nth(1).getByText("Mask · 512 × 384").waitFor();
    const shown = await pixelsOf(layers().nth(1).locator("img"));
    await prompt().fill("invert the colours");
    await make().getByText("Inpaint Picture · $0.09").waitFor();
    const arrived = service.nextRequest({ path: "/image/multi-edit" });
    await make().click();
    await dialog().getByText("Inpaint this picture for $0.09?").waitFor();
    await dialog().getByRole("button", { name: "Inpaint", exact: true }).click();
    const { images: both, modelId, prompt: words } = JSON.parse((await arrived).bodyText) as Combined;
    assert.deepEqual(
      { modelId, words, count: both.length },
      {
        modelId: "retouch-layers",
        words: "invert the colours",
        count: 2,
      },
    );
    assert.deepEqual(decode(Buffer.from(both[0] ?? "", "base64")).data, decode(plainPng(512, 384, 60)).data);
    const mask = decode(Buffer.from(both[1] ?? "", "base64"));
    assert.deepEqual([mask.width, mask.height], [512, 384]);
    const received = rgba(mask);
    assert.ok(
      Buffer.compare(Buffer.from(received), Buffer.from(shown)) === 0,
      "the received mask equals the painted one, pixel by pixel",
    );
    const at = (x: number, y: number) => [...received.slice((y * 512 + x) * 4, (y * 512 + x) * 4 + 4)];
    assert.deepEqual(at(130, 192), [255, 255, 255, 255], "painted");
    assert.deepEqual(at(205, 192), [0, 0, 0, 255], "erased");
    assert.deepEqual(at(474, 38), [0, 0, 0, 255], "undone");
    assert.deepEqual(at(256, 192), [255, 255, 255, 255], "the dot of the space key");
    assert.deepEqual(at(20, 20), [0, 0, 0, 255], "never touched");
    await outcome().getByText("-invert-the-colours.png").waitFor();
    assert.ok((await widthOf(picture())) >= 1024);
    await workbench.screenshot("images-edited");
  });

  it("sends images in their order, which keyboard and drag change", async () => {
    await emptyLayers();
    const { workspace } = workbench.profile;
    await paste("first.png", readFileSync(join(workspace, "first.png")));
    await layers().nth(0).getByText("Base · 512 × 384").waitFor();
    await paste("second.png", readFileSync(join(workspace, "second.png")));
    await layers().nth(1).getByText("Layer 1").waitFor();
    await layers().nth(1).getByRole("button", { name: "Move second.png up" }).focus();
    await page().keyboard.press("Alt+ArrowUp");
    await layers().nth(0).getByText("second.png").waitFor();
    await workbench.screenshot("images-layers");
    assert.deepEqual(await levelsSent(), [180, 60]);
    await layers().nth(1).dragTo(layers().nth(0));
    await layers().nth(0).getByText("first.png").waitFor();
    assert.deepEqual(await levelsSent(), [60, 180]);
  });

  it("names the rule that an image breaks before sending, and resizes it", async () => {
    await emptyLayers();
    await paste("tiny.png", readFileSync(join(workbench.profile.workspace, "tiny.png")));
    await layers()
      .getByText("A picture needs at least 65,536 pixels; this one has 100 × 80 = 8,000.")
      .waitFor();
    assert.equal(await make().isDisabled(), true);
    await workbench.screenshot("images-tiny");
    await button("Make It Fit").click();
    await layers().getByText("287 × 229").waitFor();
    assert.equal(await make().isDisabled(), false);
    await emptyLayers();
    await paste("broken.png", Buffer.from("no picture at all"));
    await layers().getByText("The file can't be read as a picture").waitFor();
    assert.equal(await make().isDisabled(), true);
    await emptyLayers();
  });

  it("works in a window without a folder, and leaves nothing for another such window", async () => {
    const second = await workbench.openSecondWindow("nothing");
    const there = studioPage(() => ({ ...workbench, ...second }));
    await second.runCommand("Inference Images: Open Studio");
    const kept = join(workbench.profile.workspace, "kept");
    mkdirSync(kept);
    await there.prompt().fill("make it rain");
    await there.hand("paste", { name: "second.png", bytes: plainPng(512, 384, 180) });
    await there.layers().getByText("second.png").waitFor();
    await there.make().click();
    await second.pick("Another Folder…");
    await second.choosePath(`${kept}/`);
    await there.dialog().getByRole("button", { name: "Edit", exact: true }).click();
    await there.outcome().getByText("-make-it-rain.png").waitFor();
    await second.screenshot("images-no-folder");
    assert.equal(readdirSync(kept).length, 2);
    const storage = "User/globalStorage/inference-workbench.inference-workbench";
    assert.equal(existsSync(join(workbench.profile.userData, storage, "studio")), false);
    await second.page.close();
  });

  describe("its gallery", () => galleryTests(() => workbench));

  interface Combined {
    readonly images: readonly string[];
    readonly modelId: string;
    readonly prompt: string;
  }

  /** Makes an image of the current layers and returns the received grey levels in order. */
  async function levelsSent(): Promise<number[]> {
    const arrived = service.nextRequest({ path: "/image/multi-edit" });
    await outcome().getByRole("button", { name: "Dismiss" }).click();
    await make().click();
    const { images: both } = JSON.parse((await arrived).bodyText) as Combined;
    await outcome().getByText("Saved as").waitFor();
    return both.map((one) => decode(Buffer.from(one, "base64")).data[0] ?? -1);
  }
});
