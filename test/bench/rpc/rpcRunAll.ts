// All cells of a notebook in a window: 500 cells of two lines before a node. Beside it the runner without an editor, and
// what the editor itself needs for 500 cells that only show an output.
import { findAnvil, startNode } from "../../../src/platform/process/anvil.ts";
import { runInHost } from "../../vscode/hostRun.ts";
import { atMostTimes, type Benchmark, paired } from "../figure.ts";
import type { RunAllSamples } from "./runAllInHost.ts";

const cells = 500;

export const benchmark: Benchmark = {
  name: "rpc-run-all",
  needsPackage: true,
  async run() {
    const anvil = await findAnvil({ folders: [import.meta.dirname], searchPath: process.env.PATH });
    if (!anvil) throw new Error("anvil is missing: run npm ci");
    const genesis = { chainId: 1, genesisMs: Date.now() };
    const node = await startNode(anvil, genesis, new AbortController().signal);
    try {
      const { failed, values } = await runInHost({
        name: "run-all",
        files: ["test/bench/rpc/runAllInHost.ts"],
        env: { RUN_ALL_NODE: `http://127.0.0.1:${node.port}`, RUN_ALL_CELLS: String(cells) },
      });
      const [failure] = failed;
      if (failure) throw new Error(`${failure.title}: ${failure.stack}`);
      const { ours, floor, runner } = values.get("run-all") as RunAllSamples;
      return {
        "rpc-run-all": atMostTimes(paired(ours, runner), "ms", 2, "the runner"),
        "rpc-run-all.editor": atMostTimes(paired(ours, floor), "ms", 1.5, "the editor's own time"),
      };
    } finally {
      await node.close();
    }
  },
};
