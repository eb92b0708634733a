// An answer drawn while it streams, in Chromium, by the chat's own code: against a complete redraw in each frame, and
// against plain text. A flush is the script and the layout of one frame. Contestants have a browser each.
import { createRandom } from "../../../src/sandbox/state/ids.ts";
import { type BlockKind, blockOf } from "../../serviceKit/longBlocks.ts";
import { launchChromium } from "../../vscode/chromium.ts";
import { atLeast, atMost, atMostTimes, type Benchmark, type Figure, paired } from "../figure.ts";
import type { ChatRenderPage, Drawn, WayName } from "./chatRender/drawn.ts";
import { loadScript } from "./chatScript.ts";

declare const chatRender: ChatRenderPage;

const rounds = 3;
/**
 * A complete redraw in each of 20,000 flushes would take a quarter of an hour. It is drawn at every hundredth flush,
 * evenly spaced from the first to the last, and their mean is used for the others, because its cost grows with the
 * answer. The other contestants are drawn and measured flush by flush.
 */
const sampleEvery = 100;
const giants = ["table", "list", "code", "paragraph"] as const;

export const benchmark: Benchmark = {
  name: "chat-render",
  async run() {
    return { ...(await usual()), ...(await long()), ...(await single()) };
  },
};

type Draw = (source: string) => Promise<Drawn>;
type Figures = Record<string, Figure>;

/** Draws by one way in a new browser, warmed up, until `use` has ended. */
async function withBrowser<Result>(name: WayName, use: (draw: Draw) => Promise<Result>): Promise<Result> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 420, height: 800 } });
    await loadScript(page, "page.ts");
    const every = name === "whole" ? sampleEvery : 1;
    const draw: Draw = async (source) => {
      const drawn = await page.evaluate(([n, s, e]) => chatRender.draw(n, s, e), [
        name,
        source,
        every,
      ] as const);
      if (drawn.shown < source.length / 2) throw new Error(`${name} shows ${drawn.shown} characters only`);
      return drawn;
    };
    await draw(mixed(20_000));
    return await use(draw);
  } finally {
    await browser.close();
  }
}

function usual(): Promise<Figures> {
  const source = mixed(80_000);
  return withBrowser("plain", (drawPlain) =>
    withBrowser("ours", (drawOurs) =>
      withBrowser("whole", async (drawWhole) => {
        const plain: Drawn[] = [];
        const ours: Drawn[] = [];
        const whole: Drawn[] = [];
        for (let round = 0; round < rounds; round++) {
          plain.push(await drawPlain(source));
          ours.push(await drawOurs(source));
          whole.push(await drawWhole(source));
        }
        return {
          "chat-render.whole": {
            ...atLeast(paired(totals(whole), totals(ours)), "ms", 25, "ours"),
            bar: "≥ 25 × ours, for markdown-it and DOMPurify",
          },
          "chat-render.plain": atMostTimes(paired(totals(ours), totals(plain)), "ms", 3, "plain text"),
          "chat-render.worst80": atMost(worst(ours), "ms", 16),
        };
      }),
    ),
  );
}

function long(): Promise<Figures> {
  const short = mixed(20_000);
  const tall = mixed(320_000);
  const perKb = (totalMs: number, source: string) => totalMs / (source.length / 1000);
  return withBrowser("ours", (drawShort) =>
    withBrowser("ours", async (drawTall) => {
      const shorts: number[] = [];
      const talls: Drawn[] = [];
      for (let round = 0; round < rounds; round++) {
        // Four of the short ones, so that both are measured for long enough.
        let shortMs = 0;
        for (let repeat = 0; repeat < 4; repeat++) shortMs += (await drawShort(short)).totalMs;
        shorts.push(perKb(shortMs / 4, short));
        talls.push(await drawTall(tall));
      }
      const pair = paired(
        totals(talls).map((ms) => perKb(ms, tall)),
        shorts,
      );
      return {
        "chat-render.worst320": atMost(worst(talls), "ms", 50),
        "chat-render.linear": atMostTimes(pair, "ms/KB", 1.3, "an answer of 20 KB"),
      };
    }),
  );
}

function single(): Promise<Figures> {
  return withBrowser("ours", async (draw) => {
    const figures: Figures = {};
    for (const kind of giants) {
      const source = giant(kind, 80_000);
      const drawn: Drawn[] = [];
      for (let round = 0; round < rounds; round++) drawn.push(await draw(source));
      figures[`chat-render.${kind}`] = atMost(worst(drawn), "ms", 33);
    }
    return figures;
  });
}

/** The slowest flush, each taken from its best round: other load on the machine slows down different flushes. */
function worst(drawn: readonly Drawn[]): number {
  const [first, ...others] = drawn;
  const best = (first?.flushMs ?? []).map((ms, flush) =>
    Math.min(ms, ...others.map(({ flushMs }) => flushMs[flush] ?? ms)),
  );
  return best.reduce((most, ms) => Math.max(most, ms), 0);
}

function totals(drawn: readonly Drawn[]): number[] {
  return drawn.map(({ totalMs }) => totalMs);
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
