// Full text over 10,000 conversations on the disk, with the snippets of a first page: against reading all texts in memory.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { toLogText } from "../../src/features/chat/history/compactLog.ts";
import { createLibrary, type Library } from "../../src/features/chat/history/library.ts";
import { applyEntry, emptyLogState } from "../../src/features/chat/history/logState.ts";
import { atMost, type Benchmark, compared, median } from "./figure.ts";
import { watchRss } from "./rss.ts";

const conversations = 10_000;
const rounds = 9;
/** Results that the list shows at once. */
const page = 20;

export const benchmark: Benchmark = {
  name: "chat-search",
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "chat-search-"));
    try {
      const texts = writeAll(folder);
      const built = await build(folder);
      const opened = await open(folder);
      const searched = await searchAll(opened.library, texts);
      opened.library.dispose();
      const worst = searched.reduce((one, other) => (other.ours > one.ours ? other : one));
      return {
        "chat-search": atMost(worst.ours, "ms", 100, worst.scan),
        "chat-search.typical": atMost(
          median(searched.map(({ ours }) => ours)),
          "ms",
          100,
          median(searched.map(({ scan }) => scan)),
        ),
        "chat-search.list": compared(opened.listedMs, "ms", built.ms, "building it from the logs"),
        "chat-search.block": compared(built.blockMs, "ms", built.ms, "building it from the logs"),
        "chat-search.rss": compared(opened.grown, "MB", megabytesOf(texts), "the texts"),
      };
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** The first listing: every log is read and indexed, in slices. */
async function build(folder: string) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startMs = performance.now();
  const library = openLibrary(folder);
  await library.complete;
  const ms = performance.now() - startMs;
  delay.disable();
  library.dispose();
  return { ms, blockMs: delay.max / 1e6 };
}

/** Any later one. */
async function open(folder: string) {
  const rss = watchRss();
  const startMs = performance.now();
  const library = openLibrary(folder);
  await library.listed;
  const listedMs = performance.now() - startMs;
  await library.complete;
  if (library.list().length !== conversations) throw new Error(`${library.list().length} are listed`);
  return { library, listedMs, grown: rss.stop() };
}

function openLibrary(folder: string): Library {
  return createLibrary({
    directory: folder,
    onChange: () => {},
    report: (error) => {
      throw error;
    },
  });
}

async function searchAll(library: Library, texts: readonly string[]) {
  const queries = [
    wordAt(3),
    wordAt(40),
    wordAt(9000),
    `${wordAt(200)} ${wordAt(35)}`,
    "ba",
    "b",
    `${wordAt(7)} ${wordAt(1)} ${wordAt(2)}`,
  ];
  const results = [];
  for (const query of queries) {
    const ours: number[] = [];
    const scan: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const startMs = performance.now();
      const found = library.find(query);
      await Promise.all(found.slice(0, page).map(({ id }) => library.snippet(id, query)));
      const oursMs = performance.now();
      const words = query.split(" ");
      const plain = texts.filter((text) => words.every((word) => text.includes(` ${word}`)));
      const scanMs = performance.now();
      if (plain.length !== found.length) throw new Error(`${query}: ${found.length}, not ${plain.length}`);
      ours.push(oursMs - startMs);
      scan.push(scanMs - oursMs);
    }
    results.push({ ours: median(ours), scan: median(scan) });
  }
  return results;
}

/** Made-up words, the first ones frequent as in any language. */
const syllables = [
  "ba",
  "co",
  "du",
  "fe",
  "gi",
  "ha",
  "jo",
  "ku",
  "le",
  "mi",
  "na",
  "po",
  "qu",
  "re",
  "si",
  "ta",
];
function wordAt(rank: number): string {
  let word = "";
  for (let rest = rank + 17; rest > 0; rest = Math.floor(rest / 16)) word += syllables[rest % 16];
  return word;
}

/** Writes the logs; returns the text of each, as one string with a space before each word. */
function writeAll(folder: string): string[] {
  let seed = 1;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const words = (count: number) =>
    Array.from({ length: count }, () => wordAt(Math.floor(40_000 * random() ** 4))).join(" ");
  return Array.from({ length: conversations }, (_, number) => {
    const state = emptyLogState(`c${number}`, 1_700_000_000_000 + number * 60_000);
    let all = "";
    for (let turn = 0; turn < 6; turn++) {
      const text = words(turn % 2 === 0 ? 25 : 350);
      all += ` ${text}`;
      const parentId = turn === 0 ? null : `m${turn - 1}`;
      const role = turn % 2 === 0 ? "user" : "assistant";
      applyEntry(state, {
        e: "node",
        t: state.createdAtMs,
        node: { id: `m${turn}`, parentId, role, text, model: "m" },
      });
    }
    writeFileSync(join(folder, `${state.id}.jsonl`), toLogText(state));
    return all;
  });
}

function megabytesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0) / 1_000_000;
}
