// From the first byte of a sound at the socket until its time moves in the player: the packed extension in a real
// workbench, its own extension host and its own page, sentence by sentence, each not requested before.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Frame, Page } from "playwright-core";
import { openWorkbench } from "../../ui/workbench.ts";
import { atMost, type Benchmark, median } from "../figure.ts";
import { startTimedService } from "../timedService.ts";

/** The page's own. */
declare const document: { querySelectorAll(selector: string): Iterable<unknown> };
declare const requestAnimationFrame: (draw: () => void) => void;
interface Sound {
  readonly paused: boolean;
  readonly currentTime: number;
}

const rounds = 15;
/** The next sentence is there already, so each round goes past it. */
const stride = 3;

export const benchmark: Benchmark = {
  name: "speech-first-sound",
  needsPackage: true,
  async run() {
    const service = await startTimedService("/audio/speech");
    const workbench = await openWorkbench(
      "speech-first-sound",
      {},
      { INFERENCE_API_KEY: service.apiKey, INFERENCE_BASE_URL: service.baseUrl },
    );
    const { page } = workbench;
    try {
      const lines = Array.from(
        { length: (rounds + 2) * stride },
        (_, at) => `Sentence ${at} is read aloud here.`,
      );
      writeFileSync(join(workbench.profile.workspace, "long.md"), lines.join("\n\n"));
      await workbench.runCommand("Go to File...");
      await page.locator(".quick-input-widget input.input").fill("long.md");
      await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: "long.md" }).first().click();
      await workbench.runCommand("Inference Speech: Read File Aloud");
      await page.locator(".monaco-dialog-box").getByRole("button", { name: "Read", exact: true }).click();
      const player = await playerFrame(page);
      const heard = player.locator(".facts [role=status]").getByText("Reading");
      await heard.waitFor();
      const next = player.getByRole("button", { name: "Next Sentence" });
      const ms: number[] = [];
      for (let round = 0; round <= rounds; round++) {
        const asked = (round + 1) * 2;
        while (service.firstBytesAtMs.length < asked) await nextFrame(player);
        const sounds = player.evaluate(firstSound, await player.locator("audio").count());
        // At once: the sentence that is there already would begin between two clicks of a driver.
        await next.evaluate((button, clicks) => {
          for (let click = 0; click < clicks; click++) (button as unknown as { click(): void }).click();
        }, stride);
        const atMs = await sounds;
        // The first one includes loading.
        if (round > 0) ms.push(atMs - (service.firstBytesAtMs[asked] ?? Number.NaN));
      }
      return { "speech-first-sound": atMost(median(ms), "ms", 150) };
    } finally {
      await workbench.close();
      await service.close();
    }
  },
};

/** Unix time in milliseconds at which the time of an element that is not there yet begins to move. */
function firstSound(known: number): Promise<number> {
  return new Promise((resolve) => {
    const look = () => {
      const all = [...document.querySelectorAll("audio")] as Sound[];
      const isMoving = all.slice(known).some(({ paused, currentTime }) => !paused && currentTime > 0);
      if (isMoving) resolve(performance.timeOrigin + performance.now());
      else requestAnimationFrame(look);
    };
    look();
  });
}

function nextFrame(frame: Frame): Promise<void> {
  return frame.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())));
}

async function playerFrame(page: Page): Promise<Frame> {
  for (;;) {
    for (const frame of page.frames()) {
      const count = await frame
        .locator(".sounds")
        .count()
        .catch(() => 0);
      if (count > 0) return frame;
    }
    await page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())));
  }
}
