// Days of usage that are read once, and exports that can be gone on with.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AlertMarks } from "../../../../src/account/host/alerts/alertMarks.ts";
import { partOf, unfinished } from "../../../../src/account/host/export/exportFile.ts";
import { exportUsage } from "../../../../src/account/host/export/exportUsage.ts";
import { newStringTables, recordAt, toColumns } from "../../../../src/account/host/usage/days/dayColumns.ts";
import { createDayFiles } from "../../../../src/account/host/usage/days/dayFiles.ts";
import type { UsageRecord } from "../../../../src/api/endpoints/account/billing.ts";
import type { BillingApi } from "../../../../src/api/usagePages.ts";
import { dayOf } from "../../../../src/shared/time/days.ts";
import type { Folders, Workload } from "../workload.ts";

const start = "2026-01-01T00:00:00.000Z";
const pages = 3;
const perPage = 4;
const recordOf = (index: number): UsageRecord =>
  ({
    timestamp: new Date(Date.parse(start) + index * 1_000).toISOString(),
    sku: "model-llm-output-mtoken",
    pricePerUnitUsd: 2,
    units: 0.5,
    amount: -1,
    currency: "USD",
    notes: "",
    inferenceDetails: null,
  }) as UsageRecord;
const all = Array.from({ length: pages * perPage }, (_, index) => recordOf(index));
const range = { start, end: "2026-01-02T00:00:00.000Z" };
const job = ({ user }: Folders, name: string) => ({ range, format: "csv", path: join(user, name) }) as const;
const { signal } = new AbortController();

const api = {
  billing: {
    async usage(
      { page = 1 }: { readonly page?: number },
      { onItem }: { readonly onItem: (item: unknown) => void },
    ) {
      for (const record of all.slice((page - 1) * perPage, page * perPage)) onItem(record);
      return { pagination: { totalPages: pages, total: all.length } };
    },
  },
} as unknown as BillingApi;

async function exportAll(folders: Folders, name: string): Promise<void> {
  const from = await unfinished(job(folders, name));
  await exportUsage(api, job(folders, name), { signal, ...(from ? { from } : {}) });
}

const alertsOf = ({ storage }: Folders) => new AlertMarks(join(storage, "alerts"), Date.now);

const isWhole = (path: string) =>
  readFileSync(path, "utf8").trimEnd().split("\r\n").length === all.length + 1;

export const workload: Workload = {
  writers: [
    "src/account/host/usage/days/dayFiles.ts",
    "src/account/host/export/exportFile.ts",
    "src/account/host/alerts/alertMarks.ts",
  ],
  async run(folders, told) {
    const words = newStringTables();
    const day = dayOf(Date.parse(start));
    const files = createDayFiles(join(folders.storage, "usage"));
    const write = (count: number) => files.write(toColumns(day, all.slice(0, count), words), words);
    await told.step("day 3", () => write(3));
    await told.step("day 9", () => write(9));
    await told.step("alert", () => alertsOf(folders).claim("a budget"));
    await told.step("export", () => exportAll(folders, "usage.csv"));
    await told.space();
    await told.step("day 12", () => write(12));
    await told.step("last export", () => exportAll(folders, "usage.csv"));
  },
  async check(folders, told) {
    const words = newStringTables();
    const day = dayOf(Date.parse(start));
    const columns = await createDayFiles(join(folders.storage, "usage")).read(day, words);
    const kept = told.kept.flatMap((what) => Number(/^day (\d+)$/.exec(what)?.[1] ?? 0));
    assert.ok((columns?.size ?? 0) >= Math.max(0, ...kept), `${columns?.size} records`);
    if (columns)
      for (let row = 0; row < columns.size; row++)
        assert.deepEqual(recordAt(columns, row, words).timestamp, all[row]?.timestamp);
    if (told.kept.includes("alert")) assert.equal(await alertsOf(folders).claim("a budget"), false);
    const { path } = job(folders, "usage.csv");
    if (existsSync(path)) assert.ok(isWhole(path), "a file of this name is complete");
    else assert.ok(!told.kept.includes("export"));
    // Whatever a part is there, going on makes the whole.
    await exportAll(folders, "usage.csv");
    assert.ok(isWhole(path));
    assert.deepEqual([existsSync(partOf(path)), existsSync(`${partOf(path)}.json`)], [false, false]);
  },
};
