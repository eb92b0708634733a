// Markdown of over 100 constructs drawn by the chat's own code, whole and in pieces, at 256 KB, 512 KB and 1 MB: the
// growth of the time, and the longest time. The best of several runs counts, because other load only adds time.
import type { Page } from "playwright-core";
import { launchChromium } from "../../vscode/chromium.ts";
import { atLeast, atMost, type Benchmark, pairOf } from "../figure.ts";
import type { GrowthPage } from "./chatRender/drawn.ts";
import { loadScript } from "./chatScript.ts";

declare const growth: GrowthPage;

const lengths = [262_144, 524_288, 1_048_576] as const;
const pieceLength = 4096;
const mostRuns = 4;
const mostTimes = 2.3;
const mostMs = 500;
/** Below this, one garbage collection decides about the ratio of two runs. */
const tooShortMs = 50;

interface Growth {
  readonly name: string;
  /** The name, with a suffix if it was drawn in pieces. */
  readonly kind: string;
  /** Milliseconds at each length. */
  readonly ms: readonly number[];
}

export const benchmark: Benchmark = {
  name: "parse-growth",
  async run() {
    const browser = await launchChromium(["--js-flags=--expose-gc"]);
    try {
      const page = await browser.newPage({ viewport: { width: 420, height: 800 } });
      await loadScript(page, "growthPage.ts");
      const names = await page.evaluate(() => growth.names());
      const drawn: Growth[] = [];
      for (const name of names)
        for (const piece of [undefined, pieceLength]) drawn.push(await growthOf(page, name, piece));
      const outside = drawn.filter((one) => !isWithin(one));
      for (const { kind, ms } of outside)
        console.error(`  ${kind}: ${ms.map((each) => each.toFixed(0)).join(", ")} ms`);
      const within = names.length - new Set(outside.map(({ name }) => name)).size;
      return {
        "parse-growth.within": {
          ...atLeast(pairOf(within, names.length), "constructs", 100 / names.length, "all"),
          bar: `≥ 100 within ${mostTimes} × a doubling, of the peer`,
        },
        "parse-growth.longest": atMost(Math.max(...drawn.map(({ ms }) => ms.at(-1) ?? 0)), "ms", mostMs),
      };
    } finally {
      await browser.close();
    }
  },
};

/** Runs once, and again only while the result is beyond a bound: up to `mostRuns` times. */
async function growthOf(page: Page, name: string, piece: number | undefined): Promise<Growth> {
  const best: number[] = lengths.map(() => Number.POSITIVE_INFINITY);
  const kind = piece === undefined ? name : `${name}, in pieces`;
  for (let run = 0; run < mostRuns; run++) {
    for (const [at, length] of lengths.entries()) {
      const ms = await page.evaluate(measure, { name, length, piece });
      best[at] = Math.min(best[at] ?? ms, ms);
    }
    if (run > 0 && isWithin({ name, kind, ms: best })) break;
  }
  return { name, kind, ms: best };
}

async function measure({ name, length, piece }: { name: string; length: number; piece: number | undefined }) {
  growth.prepare(name, length);
  (globalThis as { gc?: () => void }).gc?.();
  const startMs = performance.now();
  growth.draw(piece);
  const ms = performance.now() - startMs;
  await growth.settle();
  return ms;
}

function isWithin(one: Growth): boolean {
  return timesOf(one) <= mostTimes && (one.ms.at(-1) ?? 0) < mostMs;
}

/** The larger of the two doublings. */
function timesOf({ ms }: Growth): number {
  const [first = 0, second = 0, third = 0] = ms.map((each) => Math.max(each, tooShortMs));
  return Math.max(second / first, third / second);
}
