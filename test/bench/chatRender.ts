// An answer drawn while it streams, in Chromium, by the chat's own code: against drawing all of it anew each frame, and
// against plain text. A flush is the script and the layout of one frame.
import type { Page } from "playwright-core";
import { createRandom } from "../../src/sandbox/ids.ts";
import { type BlockKind, blockOf } from "../serviceKit/longBlocks.ts";
import { launchChromium } from "../vscode/chromium.ts";
import type { ChatRenderPage, Drawn, WayName } from "./chatRender/drawn.ts";
import { loadScript } from "./chatScript.ts";
import { atLeast, atMost, atMostTimes, type Benchmark, type Figure, median } from "./figure.ts";

declare const chatRender: ChatRenderPage;

const rounds = 3;
/**
 * Drawing everything anew, 20,000 times, would take a quarter of an hour. It is done at every hundredth flush, at even
 * distances from the first to the last, and the mean of those counts for each of the others: what it costs grows with
 * the answer, and is summed over its growth that way. All others are drawn and measured flush by flush.
 */
const sampleEvery = 100;
const giants = ["table", "list", "code", "paragraph"] as const;

export const benchmark: Benchmark = {
  name: "chat-render",
  async run() {
    const browser = await launchChromium();
    try {
      const page = await browser.newPage({ viewport: { width: 420, height: 800 } });
      await loadScript(page, "page.ts");
      const draw = drawer(page);
      await draw("ours", mixed(20_000));
      return { ...(await usual(draw)), ...(await long(draw)), ...(await single(draw)) };
    } finally {
      await browser.close();
    }
  },
};

type Draw = (name: WayName, source: string, every?: number) => Promise<Drawn>;
type Figures = Record<string, Figure>;

function drawer(page: Page): Draw {
  return async (name, source, every = 1) => {
    const drawn = await page.evaluate(([n, s, e]) => chatRender.draw(n, s, e), [
      name,
      source,
      every,
    ] as const);
    if (drawn.shown < source.length / 2) throw new Error(`${name} shows ${drawn.shown} characters only`);
    return drawn;
  };
}

async function usual(draw: Draw): Promise<Figures> {
  const source = mixed(80_000);
  const ours: Drawn[] = [];
  const plain: Drawn[] = [];
  for (let round = 0; round < rounds; round++) {
    plain.push(await draw("plain", source));
    ours.push(await draw("ours", source));
  }
  const whole = await draw("whole", source, sampleEvery);
  const ms = total(ours);
  return {
    "chat-render.whole": {
      ...atLeast(whole.totalMs, "ms", ms, 25, "ours"),
      bar: "≥ 25 × ours, for markdown-it and DOMPurify",
    },
    "chat-render.plain": atMostTimes(ms, "ms", total(plain), 3, "plain text"),
    "chat-render.worst80": atMost(worst(ours), "ms", 16),
  };
}

async function long(draw: Draw): Promise<Figures> {
  const short = mixed(20_000);
  const tall = mixed(320_000);
  const shorts: Drawn[] = [];
  const talls: Drawn[] = [];
  for (let round = 0; round < rounds; round++) {
    // Four of the short ones, so that both are measured for long enough.
    for (let again = 0; again < 4; again++) shorts.push(await draw("ours", short));
    talls.push(await draw("ours", tall));
  }
  const perKb = (drawn: readonly Drawn[], source: string) => total(drawn) / (source.length / 1000);
  return {
    "chat-render.worst320": atMost(worst(talls), "ms", 50),
    "chat-render.linear": atMostTimes(
      perKb(talls, tall),
      "ms/KB",
      perKb(shorts, short),
      1.3,
      "an answer of 20 KB",
    ),
  };
}

async function single(draw: Draw): Promise<Figures> {
  const figures: Figures = {};
  for (const kind of giants) {
    const source = giant(kind, 80_000);
    const drawn: Drawn[] = [];
    for (let round = 0; round < rounds; round++) drawn.push(await draw("ours", source));
    figures[`chat-render.${kind}`] = atMost(worst(drawn), "ms", 33);
  }
  return figures;
}

/** The flush that took longest even in its best round: what else the machine does strikes another one each time. */
function worst(drawn: readonly Drawn[]): number {
  const [first, ...others] = drawn;
  const best = (first?.flushMs ?? []).map((ms, flush) =>
    Math.min(ms, ...others.map(({ flushMs }) => flushMs[flush] ?? ms)),
  );
  return best.reduce((most, ms) => Math.max(most, ms), 0);
}

function total(drawn: readonly Drawn[]): number {
  return median(drawn.map(({ totalMs }) => totalMs));
}

/** Headings with prose, a list, a table, code and a quote under each. */
function mixed(length: number): string {
  const random = createRandom(7);
  const kinds: readonly BlockKind[] = ["paragraph", "list", "table", "code", "quote"];
  let source = "";
  for (let index = 0; source.length < length; index++) {
    const kind = kinds[index % kinds.length] ?? "paragraph";
    if (kind === "paragraph") source += `## Section ${index / kinds.length + 1}\n\n`;
    source += blockOf(kind, random, 0, 0);
  }
  return source;
}

/** One block of this length. */
function giant(kind: BlockKind, length: number): string {
  const random = createRandom(7);
  let source = "";
  for (let index = 0; source.length < length; index++) {
    source += blockOf(kind, random, length - source.length, index);
  }
  return source;
}
