// The shipped runner of RPC notebooks as a process, before a real node: `rpc-run.start`, a notebook of one cell, and
// `rpc-run.cells`, 1,000 cells of ten lines beside a process that posts the same batches.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findAnvil, startNode } from "../../../src/platform/process/anvil.ts";
import { root } from "../../tools/paths.ts";
import { atMost, atMostTimes, type Benchmark, median, paired } from "../figure.ts";

const cells = 1_000;
const linesPerCell = 10;
const rounds = 7;

export const benchmark: Benchmark = {
  name: "rpc-run",
  needsPackage: true,
  async run() {
    const home = mkdtempSync(join(tmpdir(), "rpc-run-"));
    const anvil = await findAnvil({ folders: [import.meta.dirname], searchPath: process.env.PATH });
    if (!anvil) throw new Error("anvil is missing: run npm ci");
    const genesis = { chainId: 1, genesisMs: Date.now() };
    const node = await startNode(anvil, genesis, new AbortController().signal);
    const url = `http://127.0.0.1:${node.port}`;
    try {
      const cell = Array.from({ length: linesPerCell }, () => "eth_gasPrice").join("\n");
      const notebook = (count: number) => {
        const path = join(home, `${count}.rpc.md`);
        writeFileSync(path, `\`\`\`rpc\n${cell}\n\`\`\`\n`.repeat(count));
        return path;
      };
      const runner = (count: number) => [
        join(root, "dist", "rpc-run.js"),
        notebook(count),
        ...["--network", "local", "--local-node", url],
      ];
      const raw = [join(import.meta.dirname, "rpcRunRaw.ts"), url, String(cells), String(linesPerCell)];
      const [one, many] = [runner(1), runner(cells)];
      const starts: number[] = [];
      const ours: number[] = [];
      const peers: number[] = [];
      // The first round warms the caches of the disk and of the node.
      for (let round = 0; round <= rounds; round++) {
        const [start, own, peer] = [await msOfProcess(one), await msOfProcess(many), await msOfProcess(raw)];
        if (round === 0) continue;
        starts.push(start);
        ours.push(own);
        peers.push(peer);
      }
      return {
        "rpc-run.start": atMost(median(starts), "ms", 300),
        "rpc-run.cells": atMostTimes(paired(ours, peers), "ms", 1.3, "raw posts"),
      };
    } finally {
      await node.close();
      rmSync(home, { recursive: true });
    }
  },
};

async function msOfProcess(args: readonly string[]): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, [...args], { stdio: ["ignore", "ignore", "inherit"] });
  const [status] = await once(child, "close");
  if (status !== 0) throw new Error(`${args[0]} ended with ${status}`);
  return performance.now() - started;
}
