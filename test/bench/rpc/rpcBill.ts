// 10,000 random cells and batches, with error items and replays: each must be charged as predicted.
import fc from "fast-check";
import { billCase, checkBill } from "../../unit/rpc/bill.ts";
import { openBench } from "../../unit/rpc/notebook.ts";
import { atMost, type Benchmark } from "../figure.ts";

const cells = 10_000;
/** The same cells at each run. */
const seed = 6;

export const benchmark: Benchmark = {
  name: "rpc-bill",
  async run() {
    const bench = await openBench({ balances: { usd: 1e6, diemPerDay: 0 } });
    const sum = { items: 0, errors: 0, replays: 0, wrong: 0 };
    try {
      for (const one of fc.sample(billCase, { numRuns: cells, seed })) {
        const seen = await checkBill(bench, one).catch(() => undefined);
        sum.items += seen?.items ?? 0;
        sum.errors += seen?.errors ?? 0;
        sum.replays += seen?.replays ?? 0;
        if (!seen) sum.wrong++;
      }
    } finally {
      await bench.close();
    }
    console.log(`${cells} cells: ${sum.items} items, ${sum.errors} with an error, ${sum.replays} replays`);
    return { "rpc-bill.wrong": atMost(sum.wrong, "cells", 0, cells) };
  },
};
