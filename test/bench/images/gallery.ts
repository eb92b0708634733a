// A gallery of 2,000 pictures of 1024 × 1024: scrolled from its first to its last while thumbnails are made, then back by
// the screen. The packed extension in a real workbench.
import { linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FrameLocator } from "playwright-core";
import { pictureName } from "../../../src/images/host/gallery/pictureNames.ts";
import type { PictureFacts } from "../../../src/images/protocol/studioState.ts";
import { drawPicture } from "../../../src/sandbox/images/generate.ts";
import { startTestSandbox } from "../../serviceKit/testSandbox.ts";
import { openWorkbench } from "../../ui/workbench.ts";
import { atMost, type Benchmark, compared, pairOf } from "../figure.ts";

/** The page's own. */
declare const PerformanceObserver: new (
  seen: (list: { getEntries(): readonly { readonly duration: number }[] }) => void,
) => { observe(what: object): void; disconnect(): void };
declare const requestAnimationFrame: (draw: () => void) => void;

const pictures = 2000;
const kinds = 8;
const stepPx = 80;

export const benchmark: Benchmark = {
  name: "gallery",
  needsPackage: true,
  async run() {
    const service = await startTestSandbox({ apiKey: "bench-gallery", limits: "none" });
    const workbench = await openWorkbench(
      "gallery",
      // Exclude the editor's own work on thousands of new files.
      { "files.watcherExclude": { "**/images/**": true }, "git.enabled": false },
      { INFERENCE_API_KEY: service.apiKey, INFERENCE_BASE_URL: service.baseUrl },
    );
    try {
      await seed(join(workbench.profile.workspace, "images"));
      await workbench.runCommand("Inference Images: Open Studio");
      const studio = workbench.webview("tab");
      await studio.getByRole("button", { name: "Choose Folder…" }).click();
      await workbench.page
        .locator(".quick-input-list .monaco-list-row")
        .filter({ hasText: "Made where" })
        .click();
      await studio.getByText(`${pictures.toLocaleString("en-US")} pictures in`).waitFor();
      await drawn(studio);
      const down = await scroll(studio, stepPx);
      await drawn(studio);
      const up = await scroll(studio, -600);
      await drawn(studio);
      return {
        gallery: atMost(down.longestTaskMs, "ms", 50),
        "gallery.back": atMost(up.longestTaskMs, "ms", 50),
        "gallery.cells": compared(pairOf(down.mostCells, pictures), "cells", "the pictures of the folder"),
      };
    } finally {
      await workbench.close();
      await service.close();
    }
  },
};

/** Every cell in sight shows its picture. */
async function drawn(studio: FrameLocator): Promise<void> {
  await studio.locator(".scroller").evaluate(
    (scroller) =>
      new Promise<void>((resolve) => {
        const look = () => {
          const cells = [...scroller.querySelectorAll(".cell")];
          const isDrawn = (cell: (typeof cells)[number]) => {
            const image = cell.querySelector("img") as unknown as { complete: boolean; naturalWidth: number };
            return image?.complete && image.naturalWidth > 0;
          };
          if (cells.length > 0 && cells.every(isDrawn)) resolve();
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
}

/** Scrolls by this number of pixels per frame, to the end. */
function scroll(studio: FrameLocator, px: number) {
  return studio.locator(".scroller").evaluate(
    (scroller, by) =>
      new Promise<{ longestTaskMs: number; mostCells: number }>((resolve) => {
        let longestTaskMs = 0;
        let mostCells = 0;
        const tasks = new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, duration);
        });
        tasks.observe({ entryTypes: ["longtask"] });
        const step = () => {
          const before = scroller.scrollTop;
          scroller.scrollTop += by;
          mostCells = Math.max(mostCells, scroller.querySelectorAll(".cell").length);
          if (scroller.scrollTop !== before) return requestAnimationFrame(step);
          tasks.disconnect();
          resolve({ longestTaskMs, mostCells });
        };
        step();
      }),
    px,
  );
}

/** Some pictures under many names, each with its facts beside it. */
async function seed(folder: string): Promise<void> {
  mkdirSync(folder);
  const size = { width: 1024, height: 1024 };
  for (let kind = 0; kind < kinds; kind++) {
    const prompt = `mountains and a river, number ${kind}`;
    const order = { prompt, seed: kind, size, format: "png", finding: "fine" } as const;
    writeFileSync(join(folder, "..", `${kind}.png`), (await drawPicture(order)).bytes);
  }
  for (let index = 0; index < pictures; index++) {
    const atMs = Date.UTC(2026, 10, 1) + index * 60_000;
    const prompt = `mountains and a river, take ${index}`;
    const name = pictureName(prompt, atMs, "png");
    linkSync(join(folder, "..", `${index % kinds}.png`), join(folder, name));
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ v: 1, ...factsOf(prompt, atMs) }));
  }
}

function factsOf(prompt: string, atMs: number): PictureFacts {
  return {
    prompt,
    model: "canvas",
    seed: null,
    costUsd: 0.01,
    isPlayMoney: false,
    at: new Date(atMs).toISOString(),
    way: "generate",
    width: 1024,
    height: 1024,
    service: "Sandbox",
    isBlurred: false,
    choices: { size: "1024x1024" },
    inputs: [],
  };
}
