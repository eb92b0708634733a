// 10,000 chain calls in batches of 100 to the sandbox, through the client and as raw posts of the same bytes.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { atMostTimes, type Benchmark, paired } from "../figure.ts";
import { interleave, msOf } from "../interleave.ts";
import type { RpcBatches } from "./rpcBatchContestants.ts";

const batches = 100;
const batchSize = 100;

export const benchmark: Benchmark = {
  name: "rpc-batch",
  async run() {
    const server = fork(join(import.meta.dirname, "../sandboxServer.ts"));
    try {
      const [service] = (await once(server, "message")) as [{ baseUrl: string; apiKey: string }];
      const given: RpcBatches = { ...service, batches, batchSize };
      const { raw, ours } = await interleave({
        module: "rpc/rpcBatchContestants.ts",
        names: ["raw", "ours"],
        given,
        rounds: 9,
        expected: batches * batchSize,
      });
      return { "rpc-batch": atMostTimes(paired(msOf(ours), msOf(raw)), "ms", 1.3, "raw posts") };
    } finally {
      server.kill();
    }
  },
};
