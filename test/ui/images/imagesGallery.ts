import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, it } from "node:test";
import { pathToFileURL } from "node:url";
import { seriousViolations } from "../../unit/webview/axe.ts";
import { until } from "../speech/playerPage.ts";
import type { Workbench } from "../workbench.ts";
import { pixelsOf, studioPage, widthOf } from "./studioPage.ts";

/** Browser API of the page. */
declare const navigator: {
  readonly clipboard: {
    readText(): Promise<string>;
    read(): Promise<readonly { getType(type: string): Promise<Blob> }[]>;
  };
};
declare function createImageBitmap(blob: Blob): Promise<{ readonly width: number; readonly height: number }>;

/** Tests in a window whose studio shows a picture, and whose folder has one of a "sunset over the sea". */
export function galleryTests(opened: () => Workbench): void {
  let workbench: Workbench;
  before(async () => {
    workbench = opened();
    await page().context().grantPermissions(["clipboard-read", "clipboard-write"]);
  });

  const { page, view, prompt, button, outcome, layers, dialog, hand, emptyLayers, draw } = studioPage(
    () => workbench,
  );
  const inWorkspace = (name: string) => join(workbench.profile.workspace, name);
  const images = () => readdirSync(inWorkspace("images")).filter((name) => !name.endsWith(".json"));
  const imageOf = (words: string) => images().find((name) => name.includes(words)) ?? "";
  /** Opens the image from the page of another one. */
  const openPicture = async () => {
    await workbench.runCommand("Inference Images: Open Studio");
    await button("← Gallery").click();
    await view().getByRole("option", { name: "sunset over the sea" }).click();
    await widthOf(view().locator(".picture img"));
  };
  /** The caption of a generated picture begins as its prompt. */
  const writeCaption = async () => {
    await page().locator(".quick-input-widget").getByText("What the picture shows").waitFor();
    await workbench.screenshot("images-caption");
    await page().keyboard.press("Enter");
  };

  const openNotes = async () => {
    await page().keyboard.press("F1");
    await page().locator(".quick-input-widget input.input").fill("notes.md");
    await workbench.pick("notes.md");
    const editor = page().locator(".monaco-editor[data-uri$='notes.md']");
    await editor.locator(".view-line").first().click();
    await page().keyboard.press("Control+End");
    return editor;
  };

  it("links an image at the cursor, which moves behind it; undo reverts all of it", async () => {
    const editor = await openNotes();
    await openPicture();
    const earlier = images();
    await button("Insert as Markdown").click();
    await writeCaption();
    const link = `![sunset over the sea](images/${imageOf("sunset")})`;
    await editor.getByText(link).waitFor();
    // The target editor is revealed and focused.
    await page().locator(".monaco-editor.focused[data-uri$='notes.md']").waitFor();
    await page().keyboard.type("!");
    await editor.getByText(`${link}!`).waitFor();
    await workbench.screenshot("images-inserted");
    await page().keyboard.press("Control+Z");
    await page().keyboard.press("Control+Z");
    await editor.getByText("![sunset over the sea]").waitFor({ state: "detached" });
    assert.deepEqual(images(), earlier);
    assert.equal(existsSync(inWorkspace("sunset-over-the-sea.png")), false);
  });

  it("has a model describe the picture for a price that is shown, and keeps clear of the word at the cursor", async () => {
    const editor = await openNotes();
    await page().keyboard.type(" sunflowers");
    for (let left = 4; left > 0; left--) await page().keyboard.press("ArrowLeft");
    await openPicture();
    await button("Insert as Markdown").click();
    const box = page().locator(".quick-input-widget");
    await box.getByRole("button", { name: /^Have Viewer describe it \(at most \$0\.\d+\)$/ }).click();
    await dialog()
      .getByText(/^Describe this picture for at most \$0\.\d+\?$/)
      .waitFor();
    await workbench.screenshot("images-caption-price");
    await dialog().getByRole("button", { name: "Describe", exact: true }).click();
    const input = box.locator("input.input");
    const words = /^A PNG picture of 512 × 512 pixels, mostly [a-z, ]+\.$/;
    await until(page, async () => words.test(await input.inputValue()));
    await workbench.screenshot("images-caption-described");
    await input.press("Enter");
    // Its line is wrapped behind that.
    await editor.getByText("sunflowers ![A PNG picture of 512 × 512 pixels, mostly").waitFor();
    await editor.locator(".view-line").first().click();
    await page().keyboard.press("Control+Z");
    await editor.getByText("![A PNG picture").waitFor({ state: "detached" });
    await editor.getByText("sunflowers").waitFor();
  });

  it("inserts an image as HTML with its size", async () => {
    await openPicture();
    await button("Insert as HTML").click();
    await writeCaption();
    const editor = page().locator(".monaco-editor[data-uri$='notes.md']");
    const source = `images/${imageOf("sunset")}`;
    const element = `<img src="${source}" alt="sunset over the sea" width="512" height="512">`;
    await editor.getByText(element).waitFor();
    await page().locator(".monaco-editor.focused[data-uri$='notes.md']").waitFor();
    await workbench.screenshot("images-inserted-html");
    await page().keyboard.press("Control+Z");
    await editor.getByText("<img").waitFor({ state: "detached" });
  });

  it("copies the image and its path", async () => {
    await workbench.runCommand("Inference Images: Open Studio");
    await outcome().getByText("Inserted in notes.md.").waitFor();
    await button("Copy Image").click();
    await view().getByText("The image was copied.").waitFor({ state: "attached" });
    const copied = await page().evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      const blob = await item?.getType("image/png");
      const { width, height } = blob ? await createImageBitmap(blob) : { width: 0, height: 0 };
      return [width, height];
    });
    assert.deepEqual(copied, [512, 512]);
    await button("Copy Path").click();
    await outcome().getByText("The path was copied.").waitFor();
    await workbench.screenshot("images-copied");
    const path = await page().evaluate(() => navigator.clipboard.readText());
    assert.equal(path, inWorkspace(join("images", imageOf("sunset"))));
  });

  it("saves an image under another name", async () => {
    await button("Save As…").click();
    await workbench.choosePath(inWorkspace("mine.png"));
    await outcome().getByText("Saved as mine.png.").waitFor();
    const earlier = readFileSync(inWorkspace(join("images", imageOf("sunset"))));
    assert.deepEqual(readFileSync(inWorkspace("mine.png")), earlier);
    await workbench.screenshot("images-saved-as");
  });

  it("accepts dropped files of the desktop and of the Explorer", async () => {
    await hand("drop", { name: "from-desktop.png", bytes: readFileSync(inWorkspace("first.png")) });
    await layers().nth(0).getByText("from-desktop.png").waitFor();
    await hand("drop", { uris: [pathToFileURL(inWorkspace("second.png")).href] });
    await layers().nth(1).getByText("second.png").waitFor();
    await widthOf(layers().nth(1).locator("img"));
    await workbench.screenshot("images-dropped");
    await emptyLayers();
  });

  it("keeps everything over a reload: prompt, images to edit, an unfinished mask, but one tab", async () => {
    const tabs = page().locator(".tabs-container .tab").filter({ hasText: "Image Studio" });
    await hand("drop", {
      uris: ["first.png", "second.png"].map((name) => pathToFileURL(inWorkspace(name)).href),
    });
    await layers().nth(1).getByText("second.png").waitFor();
    await prompt().fill("make it snow");
    await button("Paint Mask…").click();
    const canvas = view().locator(".easel canvas");
    await draw(canvas, [
      [0.2, 0.5],
      [0.6, 0.5],
    ]);
    await button("Undo").and(view().locator(":enabled")).waitFor();
    await workbench.screenshot("images-before-reload");
    // The tab is hidden, so its page does not load with the window, and the command opens another one.
    await openNotes();
    await workbench.reload();
    await tabs.first().waitFor();
    await workbench.runCommand("Inference Images: Open Studio");
    await tabs.nth(1).waitFor();
    await layers().nth(1).getByText("second.png").waitFor();
    await canvas.waitFor();
    await button("Undo").and(view().locator(":enabled")).waitFor();
    assert.equal(await prompt().inputValue(), "make it snow");
    await workbench.screenshot("images-after-reload");
    await button("Use Mask").click();
    await layers().nth(2).getByText("Mask · 512 × 384").waitFor();
    const pixels = await pixelsOf(layers().nth(2).locator("img"));
    const at = (x: number, y: number) => pixels[(y * 512 + x) * 4];
    assert.deepEqual([at(205, 192), at(205, 20)], [255, 0]);
    await emptyLayers();
    await prompt().fill("newer words");
    await tabs.first().click();
    await tabs.nth(1).waitFor({ state: "detached" });
    assert.equal(await prompt().inputValue(), "newer words");
  });

  it("has the theme of the editor", async () => {
    await workbench.setTheme("hc");
    await view().locator("body.vscode-high-contrast main").waitFor();
    await workbench.screenshot("images-hc");
    assert.deepEqual(await seriousViolations(view().locator("main")), []);
  });
}
