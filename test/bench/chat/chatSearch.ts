// Full text over 10,000 conversations on the disk, with the snippets of a first page: against scanning all texts in memory.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toLogText } from "../../../src/chat/host/history/log/compactLog.ts";
import { applyEntry, emptyLogState } from "../../../src/chat/host/history/log/logState.ts";
import { atMost, type Benchmark, compared, type Pair, paired, pairOf } from "../figure.ts";
import { startContestants } from "../interleave.ts";
import type { Built, Opened } from "./chatSearchContestants.ts";
import { conversationTexts, wordAt } from "./chatSearchTexts.ts";

const rounds = 9;

export const benchmark: Benchmark = {
  name: "chat-search",
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "chat-search-"));
    try {
      const megabytes = writeAll(folder);
      const built = (await runOnce("build", folder)) as Built;
      const opened = (await runOnce("open", folder)) as Opened;
      const searched = await searchAll(folder);
      const worst = searched.reduce((one, other) => (other.value > one.value ? other : one));
      const typical = paired(
        searched.map(({ value }) => value),
        searched.map(({ peer }) => peer),
      );
      return {
        "chat-search": atMost(worst.value, "ms", 100, worst.peer, worst.ratio),
        "chat-search.typical": atMost(typical.value, "ms", 100, typical.peer, typical.ratio),
        "chat-search.list": compared(pairOf(opened.listedMs, built.ms), "ms", "building it from the logs"),
        "chat-search.block": compared(pairOf(built.blockMs, built.ms), "ms", "building it from the logs"),
        "chat-search.rss": compared(pairOf(opened.grown, megabytes), "MB", "the texts"),
      };
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** In a new process, because the first run is measured. */
async function runOnce(name: string, folder: string): Promise<unknown> {
  const contestants = await startContestants({
    module: "chat/chatSearchContestants.ts",
    names: [name],
    given: folder,
  });
  try {
    return (await contestants.run(name)).result;
  } finally {
    contestants.close();
  }
}

/** Milliseconds of each query beside those of the scan. */
async function searchAll(folder: string): Promise<Pair[]> {
  const queries = [
    wordAt(3),
    wordAt(40),
    wordAt(9000),
    `${wordAt(200)} ${wordAt(35)}`,
    "ba",
    "b",
    `${wordAt(7)} ${wordAt(1)} ${wordAt(2)}`,
  ];
  const contestants = await startContestants({
    module: "chat/chatSearchContestants.ts",
    names: ["ours", "scan"],
    given: folder,
  });
  const compare = async (query: string): Promise<Pair> => {
    const ours: number[] = [];
    const scan: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const found = await contestants.run("ours", query);
      const plain = await contestants.run("scan", query);
      if (plain.result !== found.result)
        throw new Error(`${query}: ${found.result}, but the scan found ${plain.result}`);
      if (round === 0) continue;
      ours.push(found.ms);
      scan.push(plain.ms);
    }
    return paired(ours, scan);
  };
  try {
    const results: Pair[] = [];
    for (const query of queries) results.push(await compare(query));
    return results;
  } finally {
    contestants.close();
  }
}

/** Writes the logs; returns the megabytes of their texts. */
function writeAll(folder: string): number {
  let characters = 0;
  for (const [number, texts] of [...conversationTexts()].entries()) {
    const state = emptyLogState(`c${number}`, 1_700_000_000_000 + number * 60_000);
    for (const [turn, text] of texts.entries()) {
      characters += text.length + 1;
      const parentId = turn === 0 ? null : `m${turn - 1}`;
      const role = turn % 2 === 0 ? "user" : "assistant";
      applyEntry(state, {
        e: "node",
        t: state.createdAtMs,
        node: { id: `m${turn}`, parentId, role, text, model: "m" },
      });
    }
    writeFileSync(join(folder, `${state.id}.jsonl`), toLogText(state));
  }
  return characters / 1_000_000;
}
