// All cells of a notebook in a window, beside the runner without an editor: 500 cells of two lines before the same node.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findAnvil, startNode } from "../../../src/platform/process/anvil.ts";
import { root } from "../../tools/paths.ts";
import { runInHost } from "../../vscode/hostRun.ts";
import { atMostTimes, type Benchmark, paired } from "../figure.ts";
import { msOfProcess } from "./rpcRun.ts";

const cells = 500;

export const benchmark: Benchmark = {
  name: "rpc-run-all",
  needsPackage: true,
  async run() {
    const anvil = await findAnvil({ folders: [import.meta.dirname], searchPath: process.env.PATH });
    if (!anvil) throw new Error("anvil is missing: run npm ci");
    const genesis = { chainId: 1, genesisMs: Date.now() };
    const node = await startNode(anvil, genesis, new AbortController().signal);
    const url = `http://127.0.0.1:${node.port}`;
    const home = mkdtempSync(join(tmpdir(), "rpc-run-all-"));
    try {
      const { failed, values } = await runInHost({
        name: "run-all",
        files: ["test/bench/rpc/runAllInHost.ts"],
        env: { RUN_ALL_NODE: url, RUN_ALL_CELLS: String(cells) },
      });
      const [failure] = failed;
      if (failure) throw new Error(`${failure.title}: ${failure.stack}`);
      const ours = values.get("run-all") as readonly number[];
      const file = join(home, "run-all.rpc.md");
      writeFileSync(file, "```rpc\neth_gasPrice\neth_blockNumber\n```\n\n".repeat(cells));
      const args = [join(root, "dist", "rpc-run.js"), file, "--network", "local", "--local-node", url];
      const runner: number[] = [];
      for (let round = 0; round < ours.length; round++) runner.push(await msOfProcess(args));
      return { "rpc-run-all": atMostTimes(paired(ours, runner), "ms", 2, "the runner") };
    } finally {
      await node.close();
      rmSync(home, { recursive: true, force: true });
    }
  },
};
