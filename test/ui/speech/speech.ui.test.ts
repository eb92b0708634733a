import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, it } from "node:test";
import { seriousViolations } from "../../unit/webview/axe.ts";
import { chooseInMenu } from "../window.ts";
import { frameWith, until } from "./playerPage.ts";
import { openSpeechWindow, sentences } from "./speechWindow.ts";

/** Browser API of the page. */
declare class AudioContext {
  decodeAudioData(bytes: ArrayBuffer): Promise<{ readonly duration: number }>;
}

describe("speech", () => {
  const window = openSpeechWindow();
  const { spoken, pathOf, open, player, button, status, shows, begin, timeMoves, isHighlighted } = window;
  const page = () => window.workbench.page;
  const dialog = () => page().locator(".monaco-dialog-box");
  const quickInput = () => page().locator(".quick-input-widget");

  // The player, which opens later, is in a browser that can't play Opus.
  before(() =>
    page().addInitScript(() => {
      const media = (
        globalThis as unknown as { HTMLMediaElement: { prototype: { canPlayType(type: string): string } } }
      ).HTMLMediaElement.prototype;
      const can = media.canPlayType;
      media.canPlayType = function canPlayType(type) {
        return type.includes("ogg") ? "" : can.call(this, type);
      };
    }),
  );

  it("explains why a binary file can't be read", async () => {
    const menu = await window.workbench.explorerMenu("binary.txt");
    await chooseInMenu(menu, "Read File Aloud");
    await window.workbench.notifications
      .getByText("binary.txt can't be read aloud: it is a PNG image.")
      .waitFor();
    assert.equal(spoken(), 0);
    await open("harvest.md");
  });

  it("confirms the price before anything is sent", async () => {
    await window.workbench.runCommand("Inference Speech: Read File Aloud");
    await dialog().getByText("Read harvest.md aloud for $0.0014?").waitFor();
    await dialog().getByText("Skipped sentences and sentences heard before are not billed").waitFor();
    await window.workbench.screenshot("speech-price");
    assert.equal(spoken(), 0);
    await dialog().getByRole("button", { name: "Read", exact: true }).click();
  });

  it("plays while it arrives, and marks the current sentence", async () => {
    await begin();
    await timeMoves();
    await isHighlighted("The *harvest* of this year was good");
    await window.workbench.screenshot("speech-playing");
    await (await button("Next Sentence")).click();
    await isHighlighted("Apples were picked in the **north** of [the valley](https://example.com/valley).");
    await shows(sentences[1]);
    await timeMoves();
  });

  it("moves to the next sentence, and the mark with it", async () => {
    await isHighlighted(sentences[2]);
    await shows(sentences[2]);
    await timeMoves();
  });

  it("does not pay for skipped sentences", async () => {
    await until(page, () => spoken() === 4);
    await (await button("Pause")).click();
    await status("Paused");
    const frame = await player();
    for (let clicks = 0; clicks < 3; clicks++) await (await button("Next Sentence")).click();
    await frame.getByText("sentence 6 of 6").waitFor();
    await isHighlighted(sentences[5]);
    assert.equal(spoken(), 4);
    await (await button("Play")).click();
    await status("Reading");
    assert.equal(spoken(), 5);
  });

  it("ends with the text: the mark is removed, and replaying is free", async () => {
    await status("Paused");
    await isHighlighted("");
    await (await button("Play")).click();
    await isHighlighted("The *harvest* of this year was good");
    await timeMoves();
    await (await button("Stop")).click();
    await isHighlighted("");
    assert.equal(spoken(), 5);
  });

  it("saves one file, and requests only unheard sentences", async () => {
    await (await button("Save as File…")).click();
    await window.workbench.choosePath(pathOf("harvest.mp3"));
    await window.workbench.notifications.getByText("Saved harvest.mp3.").waitFor();
    assert.equal(spoken(), 6);
    const seconds = await (await player()).evaluate(
      async (bytes) => {
        const sound = await new AudioContext().decodeAudioData(new Uint8Array(bytes).buffer);
        return sound.duration;
      },
      [...readFileSync(pathOf("harvest.mp3"))],
    );
    assert.ok(seconds > 10, `${seconds} s`);
  });

  it("finds, previews and chooses a voice, in the theme of the editor", async () => {
    await (await button("Voice and Model")).click();
    const frame = await player();
    await frame.getByRole("searchbox", { name: "Search voices" }).fill("em");
    const names = await frame.locator(".voices li label").allInnerTexts();
    assert.deepEqual(
      names.map((name) => name.trim()),
      ["emil"],
    );
    await (await button("Hear emil")).click();
    await until(page, () => spoken() === 7);
    await timeMoves();
    await frame.getByRole("radio", { name: "emil" }).click();
    await frame.getByRole("textbox", { name: "Style" }).fill("slowly");
    await frame.getByRole("searchbox", { name: "Search voices" }).fill("");
    await frame.locator(".voices li").nth(2).waitFor();
    assert.equal(await frame.getByRole("textbox", { name: "Style" }).inputValue(), "slowly");
    await window.workbench.setTheme("hc");
    await frame.locator("body.vscode-high-contrast main").waitFor();
    await window.workbench.screenshot("speech-settings-hc");
    assert.deepEqual(await seriousViolations(frame.locator("main")), []);
  });

  it("creates a voice from a sample, for its own model", async () => {
    const frame = await player();
    await frame.getByRole("combobox", { name: "Model" }).selectOption("mimic");
    const addSample = async (name: string) => {
      await (await button("Clone a Voice…")).click();
      await window.workbench.choosePath(pathOf(name));
    };
    await addSample("text.wav");
    await window.workbench.notifications.getByText("text.wav is not a sound file").waitFor();
    await addSample("me.wav");
    await window.workbench.enter("Enter a name for the voice.", "My own voice");
    const own = frame.locator(".voices li").filter({ hasText: "My own voice" });
    await own.getByText("made today").waitFor();
    assert.ok(await own.getByRole("radio").isChecked());
    await window.workbench.screenshot("speech-cloned");
    await frame.getByRole("combobox", { name: "Model" }).selectOption("narrator");
    await frame.locator(".voices li").filter({ hasText: "dora" }).waitFor();
    assert.equal(await own.count(), 0);
  });

  it("reads an answer of the chat", async () => {
    await window.workbench.openSideBar();
    const chat = await frameWith(page, ".composer-bar");
    await chat.getByRole("textbox", { name: "Your question" }).fill("Say something.");
    await chat.getByRole("textbox", { name: "Your question" }).press("Enter");
    await chat.getByRole("button", { name: "Read Aloud" }).click();
    await (await player()).locator(".facts strong").getByText("Answer").waitFor();
    await begin();
    await timeMoves();
    await window.workbench.screenshot("speech-chat");
    await (await button("Stop")).click();
  });

  it("reopens from the recent results, with cached audio free", async () => {
    const before = spoken();
    await window.workbench.runCommand("Inference Web: Recent Results…");
    await quickInput().getByText("Speech").first().waitFor();
    await window.workbench.screenshot("speech-recent");
    await window.workbench.pick("harvest.md");
    await (await player()).locator(".facts strong").getByText("harvest.md").waitFor();
    await begin();
    await timeMoves();
    assert.equal(spoken(), before);
  });

  it("reads only the selection", async () => {
    await open("harvest.md");
    const line = page().locator(".editor-instance .view-line").filter({ hasText: "Apples were picked" });
    await line.click();
    await page().keyboard.press("Home");
    await page().keyboard.press("Shift+End");
    await window.workbench.runCommand("Inference Speech: Read Selection Aloud");
    await (await player()).getByText("sentence 1 of 1").waitFor();
    await begin();
    await isHighlighted("Apples were picked in the **north** of [the valley](https://example.com/valley).");
    await timeMoves();
    await window.workbench.screenshot("speech-selection");
    await (await button("Stop")).click();
    await isHighlighted("");
  });

  it("names an unsupported format before it is paid for", async () => {
    await open("harvest.md");
    const frame = await player();
    await frame.getByRole("combobox", { name: "Model" }).selectOption("mimic");
    await frame.getByRole("combobox", { name: "Format" }).selectOption("opus");
    const before = spoken();
    await page().locator(".editor-instance .view-line").first().click();
    await window.workbench.runCommand("Inference Speech: Read File Aloud");
    await window.workbench.notifications.getByText("Opus can't be played here. Nothing was sent.").waitFor();
    await window.workbench.screenshot("speech-cannot-play");
    assert.equal(spoken(), before);
    await window.workbench.notifications.getByRole("button", { name: "Listen as MP3" }).click();
    await begin();
    await timeMoves();
  });
});
