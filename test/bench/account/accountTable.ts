// 1,000,000 usage records: filtered, sorted and read in windows, as by the dashboard's table.
import type { RecordQuery, RecordTable } from "../../../src/account/host/usage/recordTable.ts";
import { atMost, type Benchmark, compared, median, paired, pairOf, quantile } from "../figure.ts";
import { interleave, msOf } from "../interleave.ts";
import { longestTaskMs } from "./accountScroll.ts";
import { openTable } from "./accountTableContestants.ts";

const rounds = 7;
/** Contained in the notes of a few records. */
const text = "call 77";
const query = { text: "", sort: "time", isDescending: true } as const satisfies RecordQuery;

export const benchmark: Benchmark = {
  name: "account-table",
  async run() {
    const table = openTable();
    const found = (await table.query({ ...query, text }))?.size;
    const { ours, filter } = await interleave({
      module: "account/accountTableContestants.ts",
      names: ["ours", "filter"],
      given: text,
      rounds,
      expected: found,
    });
    const request = await time(table, { ...query, text: "99e" });
    const sorted = await time(table, { ...query, sort: "amount" });
    const startMs = performance.now();
    await table.query({ ...query, sort: "units" });
    const firstSort = performance.now() - startMs;
    const view = await table.query(query);
    const windows = Array.from({ length: 200 }, (_, index) => {
      const start = performance.now();
      view?.rows((index * 4999) % table.size, 60);
      return performance.now() - start;
    });
    return {
      "account-table.task": atMost(await longestTaskMs(table), "ms", 50),
      "account-table.text": atMost(median(msOf(ours)), "ms", 200),
      "account-table.request": atMost(request, "ms", 200),
      "account-table.sort": atMost(sorted, "ms", 200),
      "account-table.firstSort": compared(pairOf(firstSort, sorted), "ms", "the same order again"),
      "account-table.window": atMost(quantile(windows, 0.99), "ms", 50),
      "account-table.naive": compared(paired(msOf(ours), msOf(filter)), "ms", "Array.filter over objects"),
    };
  },
};

async function time(table: RecordTable, asked: RecordQuery): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const view = await table.query(asked);
    view?.rows(0, 60);
    times.push(performance.now() - start);
  }
  return median(times);
}
