// 1,000,000 usage records: filtered, sorted, and windows of them made, as the dashboard's table asks for it.
import type { UsageRecord } from "../../src/api/endpoints/billing.ts";
import { newStringTables, toColumns } from "../../src/features/account/dayColumns.ts";
import { createRecordTable, type RecordQuery } from "../../src/features/account/recordTable.ts";
import { dayMs } from "../../src/shared/days.ts";
import { longestTaskMs } from "./accountScroll.ts";
import { atMost, type Benchmark, compared, median, quantile } from "./figure.ts";

const days = 30;
const perDay = Math.ceil(1_000_000 / days);
const rounds = 7;

export const benchmark: Benchmark = {
  name: "account-table",
  async run() {
    const words = newStringTables();
    const columns = Array.from({ length: days }, (_, day) => toColumns(day, recordsOf(day), words));
    const table = createRecordTable(columns, words);
    const query = { text: "", sort: "time", isDescending: true } as const satisfies RecordQuery;
    const time = async (asked: RecordQuery) => {
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const start = performance.now();
        const view = await table.query(asked);
        view?.rows(0, 60);
        times.push(performance.now() - start);
      }
      return median(times);
    };
    const text = await time({ ...query, text: "call 77" });
    const request = await time({ ...query, text: "99e" });
    const sorted = await time({ ...query, sort: "amount" });
    const startMs = performance.now();
    await table.query({ ...query, sort: "units" });
    const firstSort = performance.now() - startMs;
    const view = await table.query(query);
    const windows = Array.from({ length: 200 }, (_, index) => {
      const start = performance.now();
      view?.rows((index * 4999) % table.size, 60);
      return performance.now() - start;
    });
    const naive = columns.flatMap((_, day) => recordsOf(day));
    const start = performance.now();
    naive.filter(({ notes, sku, inferenceDetails }) =>
      [notes ?? "", sku, inferenceDetails?.requestId ?? ""].some((one) =>
        one.toLowerCase().includes("call 77"),
      ),
    );
    const plain = performance.now() - start;
    const task = await longestTaskMs(table);
    return {
      "account-table.task": atMost(task, "ms", 50),
      "account-table.text": atMost(text, "ms", 200),
      "account-table.request": atMost(request, "ms", 200),
      "account-table.sort": atMost(sorted, "ms", 200),
      "account-table.firstSort": compared(firstSort, "ms", sorted, "the same order again"),
      "account-table.window": atMost(quantile(windows, 0.99), "ms", 50),
      "account-table.naive": compared(text, "ms", plain, "Array.filter over objects"),
    };
  },
};

function recordsOf(day: number): UsageRecord[] {
  return Array.from({ length: perDay }, (_, index) => ({
    timestamp: new Date(day * dayMs + Math.floor((index * dayMs) / perDay)).toISOString(),
    sku: ["guide-llm-input-token", "guide-llm-cache-input-token", "guide-llm-output-token"][index % 3] ?? "",
    pricePerUnitUsd: 2e-7,
    units: 1 + ((index * 7919) % 9973),
    amount: -(1 + ((index * 7919) % 9973)) * 2e-7,
    currency: index % 4 ? "USD" : "DIEM",
    notes: `API Inference, call ${index % 5000}`,
    inferenceDetails: {
      requestId: `chatcmpl-${day.toString(16)}-${Math.floor(index / 3).toString(16)}`,
      inferenceExecutionTime: 40 + (index % 9000),
      promptTokens: 100 + (index % 4000),
      completionTokens: 20 + (index % 1500),
    },
  }));
}
