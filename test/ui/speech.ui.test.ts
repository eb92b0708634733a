import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type Sandbox, startSandbox } from "../../src/sandbox/main.ts";
import { environment } from "../../src/shared/ids.ts";
import { seriousViolations } from "./axe.ts";
import { frameWith, highlightedText, until, voiceSample } from "./playerPage.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

const sentences = [
  "The harvest of this year was good",
  "Apples were picked in the north of the valley.",
  "Pears were picked in the south of it.",
  "Plums were left to the birds, as they are every year.",
  "Nobody has counted the nuts that fell.",
  "This is where the report ends.",
] as const;
const notes = `# The *harvest* of this year was good

Apples were picked in the **north** of [the valley](https://example.com/valley).
Pears were picked in the south of it. Plums were left to the birds, as they are every year.

\`\`\`js
neverSpoken();
\`\`\`

Nobody has counted the nuts that fell. This is where the report ends.
`;

/** The page's own. */
declare const document: { querySelectorAll(selector: "audio"): Iterable<AudioElement> };
interface AudioElement {
  readonly paused: boolean;
  readonly currentTime: number;
}
declare class AudioContext {
  decodeAudioData(bytes: ArrayBuffer): Promise<{ readonly duration: number }>;
}

describe("speech", () => {
  let service: Sandbox;
  let workbench: Workbench;
  before(async () => {
    service = await startSandbox({
      apiKey: "ui-speech-key-canary",
      tokensPerSecond: 100_000,
      speechProgram: null,
    });
    workbench = await openWorkbench(
      "speech",
      { "files.simpleDialog.enable": true },
      { [environment.key]: service.apiKey, [environment.baseUrl]: service.baseUrl },
    );
    writeFileSync(pathOf("harvest.md"), notes);
    writeFileSync(pathOf("binary.txt"), Buffer.from("89504e470d0a1a0a0000000d", "hex"));
    writeFileSync(pathOf("me.wav"), voiceSample());
    writeFileSync(pathOf("text.wav"), "This is no sound at all, whatever it is called.");
  });
  after(async () => {
    await workbench.close();
    await service.close();
  });

  const pathOf = (name: string) => join(workbench.profile.workspace, name);
  const page = () => workbench.page;
  const dialog = () => page().locator(".monaco-dialog-box");
  const quickInput = () => page().locator(".quick-input-widget");
  /** The frame of the player: there may be a chat beside it. */
  const player = () => frameWith(page, ".sounds");
  const button = async (name: string) => (await player()).getByRole("button", { name, exact: true });
  const status = async (text: string) =>
    (await player()).locator(".facts [role=status]").getByText(text).waitFor();
  const shows = async (sentence: string) =>
    (await player()).locator(".sentence").getByText(sentence).waitFor();
  const spoken = () => service.requests.filter(({ path }) => path.endsWith("/audio/speech")).length;
  const open = async (name: string) => {
    await workbench.runCommand("Go to File...");
    await quickInput().locator("input.input").fill(name);
    await quickInput().locator(".monaco-list-row").filter({ hasText: name }).first().click();
    await page().locator(".tabs-container .tab.active").filter({ hasText: name }).first().waitFor();
    await page().locator(".editor-instance .view-line").getByText("harvest").first().waitFor();
    await page().locator(".statusbar-item").getByText("Markdown", { exact: true }).waitFor();
  };
  /** Resolves once a sound of the player is under way and its time moves. */
  const timeMoves = async () => {
    const frame = await player();
    const times = () =>
      frame.evaluate(() =>
        [...document.querySelectorAll("audio")]
          .filter(({ paused }) => !paused)
          .map(({ currentTime }) => currentTime),
      );
    await until(page, async () => {
      const [before = -1] = await times();
      const [after = -1] = await times();
      return before > 0 && after > before;
    });
  };
  const isHighlighted = (text: string) =>
    until(page, async () => (await page().evaluate(highlightedText)).replace(/\s/g, " ") === text);
  const begin = async () => {
    const started = (await player()).locator(".facts [role=status]").getByText(/Reading|Press Play/);
    await started.waitFor();
    if ((await started.innerText()).includes("Press Play")) await (await button("Play")).click();
    await status("Reading");
  };

  it("says why a file that is binary can't be read", async () => {
    const menu = await workbench.explorerMenu("binary.txt");
    const item = menu.getByText("Read Document Aloud");
    await item.waitFor();
    // A menu that has just opened takes no click yet.
    await until(page, async () => {
      await item.click({ timeout: 1_000 }).catch(() => undefined);
      return !(await item.isVisible());
    });
    await workbench.notifications.getByText(/binary.txt .*binary/).waitFor();
    assert.equal(spoken(), 0);
    await open("harvest.md");
  });

  it("tells the price before anything is sent", async () => {
    await workbench.runCommand("Inference: Read Document Aloud");
    await dialog().getByText("Read harvest.md aloud for $0.0014?").waitFor();
    await dialog().getByText("What you skip is not paid for").waitFor();
    await workbench.screenshot("speech-price");
    assert.equal(spoken(), 0);
    await dialog().getByRole("button", { name: "Read", exact: true }).click();
  });

  it("plays while it arrives, and marks the sentence that is heard", async () => {
    await begin();
    await timeMoves();
    await isHighlighted("The *harvest* of this year was good");
    await workbench.screenshot("speech-playing");
    await (await button("Next Sentence")).click();
    await isHighlighted("Apples were picked in the **north** of [the valley](https://example.com/valley).");
    await shows(sentences[1]);
    await timeMoves();
  });

  it("goes on by itself, and the mark with it", async () => {
    await isHighlighted(sentences[2]);
    await shows(sentences[2]);
    await timeMoves();
  });

  it("pays for nothing that is skipped", async () => {
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

  it("ends with the text: the mark is gone, and playing again costs nothing", async () => {
    await status("Paused");
    await isHighlighted("");
    await (await button("Play")).click();
    await isHighlighted("The *harvest* of this year was good");
    await timeMoves();
    await (await button("Stop")).click();
    await isHighlighted("");
    assert.equal(spoken(), 5);
  });

  it("saves one file, asking only for what was not heard", async () => {
    await (await button("Save as File…")).click();
    await quickInput().locator(".quick-input-list .monaco-list-row").first().waitFor();
    await quickInput().locator("input.input").fill(pathOf("harvest.mp3"));
    await page().keyboard.press("Enter");
    await workbench.notifications.getByText("Saved harvest.mp3.").waitFor();
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

  it("lets a voice be found, heard and chosen, in every theme and in little room", async () => {
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
    assert.deepEqual(await seriousViolations(frame.locator("main")), []);
    await workbench.screenshot("speech-settings");
    await workbench.setTheme("hc");
    await workbench.screenshot("speech-settings-hc");
    await workbench.setTheme("light");
    await workbench.screenshot("speech-settings-light");
    await workbench.setTheme("dark");
    await page().setViewportSize({ width: 320, height: 900 });
    await frame.locator("main").waitFor();
    await workbench.screenshot("speech-narrow");
    await page().setViewportSize({ width: 1280, height: 800 });
  });

  it("makes a voice of a sample, for its own model", async () => {
    const frame = await player();
    await frame.getByRole("combobox", { name: "Model" }).selectOption("mimic");
    const give = async (name: string) => {
      await (await button("Clone a Voice…")).click();
      // Once it lists its folder: what is typed before that is written over.
      const rows = quickInput().locator(".quick-input-list .monaco-list-row");
      await rows.first().waitFor();
      await quickInput()
        .locator("input.input")
        .fill(pathOf(name).replace(/\.wav$/, ""));
      await rows.filter({ hasText: name }).first().click();
    };
    await give("text.wav");
    await workbench.notifications.getByText("text.wav is no sound file by its content").waitFor();
    await give("me.wav");
    await quickInput().getByText("What shall the voice be called here?").waitFor();
    await workbench.enter("My own voice");
    const own = frame.locator(".voices li").filter({ hasText: "My own voice" });
    await own.getByText("made today").waitFor();
    assert.ok(await own.getByRole("radio").isChecked());
    await workbench.screenshot("speech-cloned");
    await frame.getByRole("combobox", { name: "Model" }).selectOption("narrator");
    await frame.locator(".voices li").filter({ hasText: "dora" }).waitFor();
    assert.equal(await own.count(), 0);
  });

  it("reads an answer of the chat", async () => {
    await workbench.openSideBar();
    const chat = await frameWith(page, ".composer-bar");
    await chat.getByRole("textbox", { name: "Your question" }).fill("Say something.");
    await chat.getByRole("textbox", { name: "Your question" }).press("Enter");
    await chat.getByRole("button", { name: "Read Aloud" }).click();
    await (await player()).locator(".facts strong").getByText("Answer").waitFor();
    await begin();
    await timeMoves();
    await workbench.screenshot("speech-chat");
    await (await button("Stop")).click();
  });

  it("is opened again from the recent results, and what was heard is free", async () => {
    const before = spoken();
    await workbench.runCommand("Inference: Recent Results…");
    await quickInput().getByText("Speech").first().waitFor();
    await workbench.screenshot("speech-recent");
    await workbench.pick("harvest.md");
    await (await player()).locator(".facts strong").getByText("harvest.md").waitFor();
    await begin();
    await timeMoves();
    assert.equal(spoken(), before);
  });

  it("reads a selection and nothing else", async () => {
    await open("harvest.md");
    const line = page().locator(".editor-instance .view-line").filter({ hasText: "Apples were picked" });
    await line.click();
    await page().keyboard.press("Home");
    await page().keyboard.press("Shift+End");
    await workbench.runCommand("Inference: Read Selection Aloud");
    await (await player()).getByText("sentence 1 of 1").waitFor();
    await begin();
    await isHighlighted("Apples were picked in the **north** of [the valley](https://example.com/valley).");
    await timeMoves();
    await workbench.screenshot("speech-selection");
    await (await button("Stop")).click();
    await isHighlighted("");
  });

  it("says what this editor can't play before it is paid for", async () => {
    await page().addInitScript(() => {
      const media = (
        globalThis as unknown as { HTMLMediaElement: { prototype: { canPlayType(type: string): string } } }
      ).HTMLMediaElement.prototype;
      const can = media.canPlayType;
      media.canPlayType = function canPlayType(type) {
        return type.includes("ogg") ? "" : can.call(this, type);
      };
    });
    await workbench.reload();
    await open("harvest.md");
    await workbench.runCommand("Inference: Open Speech Player");
    await (await button("Voice and Model")).click();
    const frame = await player();
    await frame.getByRole("combobox", { name: "Model" }).selectOption("mimic");
    await frame.getByRole("combobox", { name: "Format" }).selectOption("opus");
    const before = spoken();
    await page().locator(".editor-instance .view-line").first().click();
    await workbench.runCommand("Inference: Read Document Aloud");
    await workbench.notifications
      .getByText("This editor can't play Opus. Nothing has been sent yet.")
      .waitFor();
    await workbench.screenshot("speech-cannot-play");
    assert.equal(spoken(), before);
    await workbench.notifications.getByRole("button", { name: "Listen as MP3" }).click();
    await begin();
    await timeMoves();
  });
});
