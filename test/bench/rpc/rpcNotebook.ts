// The RPC notebook without an editor: opening, typing, completion, and the overhead of a run over its requests.

import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createApi, defaultTimeouts } from "../../../src/api/call/client.ts";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import { rpc } from "../../../src/api/endpoints/rpc.ts";
import { createUndiciTransport } from "../../../src/api/transport/undici.ts";
import { readDocument } from "../../../src/rpc/file/readDocument.ts";
import { complete } from "../../../src/rpc/language/assist/complete.ts";
import { diagnose } from "../../../src/rpc/language/check/diagnose/diagnose.ts";
import { parseCell } from "../../../src/rpc/language/parse/parseCell.ts";
import type { Project } from "../../../src/rpc/language/project.ts";
import { SentTransactions, Values } from "../../../src/rpc/run/expect/values.ts";
import { toOutput } from "../../../src/rpc/run/output.ts";
import { planCellRun } from "../../../src/rpc/run/plan/runPlan.ts";
import { runCell } from "../../../src/rpc/run/runCell.ts";
import { createServiceSender } from "../../../src/rpc/run/senders.ts";
import { networks } from "../../../src/shared/rpc/networks.ts";
import { atMost, type Benchmark, median } from "../figure.ts";

const address = "0x00000000000000000000000000000000000000aa";

export const benchmark: Benchmark = {
  name: "rpc-notebook",
  async run() {
    return {
      "rpc-notebook.open": atMost(median(times(20, openMs)), "ms", 200),
      "rpc-notebook.complete": atMost(median(times(100, completeMs)), "ms", 20),
      "rpc-notebook.keystroke": atMost(median(keystrokes()), "ms", 16),
      "rpc-notebook.run": await runFigure(),
    };
  },
};

function times(count: number, measure: (at: number) => number): number[] {
  return Array.from({ length: count }, (_, at) => measure(at));
}

function timed(work: () => void): number {
  const startMs = performance.now();
  work();
  return performance.now() - startMs;
}

function projectOf(texts: readonly string[]): Project {
  return {
    cells: texts.map((text, at) => ({ key: String(at), cell: parseCell(text), facts: {} })),
    networks: ["ethereum-mainnet"],
    offered: networks.map(({ slug }) => slug),
  };
}

const cellText = (at: number) =>
  `me${at} = ${address}\nhead${at} = eth_blockNumber\neth_getBalance $me${at} latest\neth_getBlockByNumber $head${at} false\n`;
const notebook = Array.from(
  { length: 200 },
  (_, at) => `## Part ${at}\n\n\`\`\`rpc\n${cellText(at)}\`\`\`\n\n`,
).join("");

/** Reads, parses and checks 200 cells: all work between the file and the first paint. */
function openMs(): number {
  return timed(() => {
    const texts = readDocument(notebook).cells.flatMap(({ kind, text }) =>
      kind === "request" ? [text] : [],
    );
    const project = projectOf(texts);
    if (texts.length !== 200 || texts.some((_, at) => diagnose(project, at).length > 0))
      throw new Error("not 200 cells");
  });
}

/** A suggestion in the last of 200 cells, where all names of the notebook are at hand. */
const large = projectOf(Array.from({ length: 200 }, (_, at) => cellText(at)).concat("eth_getBalance "));

function completeMs(): number {
  return timed(() => {
    if (complete(large, 200, 15).length < 200) throw new Error("too few suggestions");
  });
}

/** 10,000 lines read again after one character was typed somewhere among them. */
function keystrokes(): number[] {
  const text = Array.from({ length: 10_000 }, (_, at) => `b${at} = eth_getBalance ${address} latest\n`).join(
    "",
  );
  let cell = parseCell(text);
  return times(60, (at) => {
    const place = Math.floor((text.length * ((at * 37) % 60)) / 60);
    const typed = `${cell.text.slice(0, place)}x${cell.text.slice(place)}`;
    return timed(() => {
      cell = parseCell(typed, cell);
    });
  });
}

/** A cell of 100 lines: the time of a run without that of its request, including the output. */
async function runFigure() {
  const server = fork(join(import.meta.dirname, "../sandboxServer.ts"));
  const transport = createUndiciTransport();
  try {
    const [service] = (await once(server, "message")) as [{ baseUrl: string; apiKey: string }];
    const api = () =>
      createApi({ rpc }, transport, {
        baseUrl: service.baseUrl,
        apiKey: async () => service.apiKey,
        dialect: dialects.standard,
        timeouts: defaultTimeouts,
      });
    const deps = {
      sender: createServiceSender(async () => api()),
      loadEvm: () => Promise.reject(new Error("no line asks for it")),
      values: new Values(),
      sentTransactions: new SentTransactions(),
      consent: async () => false,
      pause: async () => {},
      now: Date.now,
    };
    const project = projectOf([`eth_getBalance ${address} latest\n`.repeat(100)]);
    const added: number[] = [];
    for (let round = 0; round < 40; round++) {
      const startMs = performance.now();
      const run = await runCell(deps, planCellRun(project, 0), new AbortController().signal, () => {});
      const output = toOutput(run, { runId: "", evm: undefined, service: "", isSandbox: true });
      const ms = performance.now() - startMs;
      const inRequests = output.calls.reduce((sum, call) => sum + call.ms, 0);
      if (output.lines.some(({ outcome }) => outcome.kind !== "result"))
        throw new Error("a line has no result");
      added.push(ms - inRequests);
    }
    return atMost(median(added), "ms", 30);
  } finally {
    server.kill();
    await transport.close();
  }
}
