// Contestants of the benchmark `account-table`, and their records. Each returns the number of records that it found.

import { newStringTables, toColumns } from "../../../src/account/host/usage/days/dayColumns.ts";
import { createRecordTable, type RecordTable } from "../../../src/account/host/usage/recordTable.ts";
import type { UsageRecord } from "../../../src/api/endpoints/account/billing.ts";
import { dayMs } from "../../../src/shared/time/days.ts";
import type { Prepare } from "../interleave.ts";

const days = 30;
const perDay = Math.ceil(1_000_000 / days);

export const ours: Prepare<string> = (text) => {
  const table = openTable();
  return async () => {
    const view = await table.query({ text, sort: "time", isDescending: true });
    view?.rows(0, 60);
    return view?.size;
  };
};

/** Array.filter over objects. */
export const filter: Prepare<string> = (text) => {
  const records = Array.from({ length: days }, (_, day) => recordsOf(day)).flat();
  return () =>
    records.filter(({ notes, sku, inferenceDetails }) =>
      [notes ?? "", sku, inferenceDetails?.requestId ?? ""].some((one) => one.toLowerCase().includes(text)),
    ).length;
};

export function openTable(): RecordTable {
  const words = newStringTables();
  const columns = Array.from({ length: days }, (_, day) => toColumns(day, recordsOf(day), words));
  return createRecordTable(columns, words);
}

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
