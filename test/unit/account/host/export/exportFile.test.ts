import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type ExportFormat, partOf, unfinished } from "../../../../../src/account/host/export/exportFile.ts";
import { createCsvRows, createJsonRows, csvHead } from "../../../../../src/account/host/export/exportRows.ts";
import { exportRecords, exportUsage } from "../../../../../src/account/host/export/exportUsage.ts";
import type { UsageRecord } from "../../../../../src/api/endpoints/account/billing.ts";
import { csvText } from "../../../../../src/sandbox/billing/handlers.ts";
import { nanoText } from "../../../../../src/sandbox/billing/ledger/decimal.ts";
import { nothing } from "../../../../../src/shared/money/amounts.ts";
import { exactText, toExact } from "../../../../../src/shared/money/exact.ts";
import { toRuntimeCurrency } from "../../../../../src/shared/money/money.ts";
import { type Books, openBooks, spendAtRandom, start, withNumericTime } from "../bookkeeping.ts";

function pathIn(t: TestContext, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), "export-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, name);
}

const never = new AbortController().signal;
const rangeOf = (books: Books) => ({ start, end: new Date(books.clock.now() + 1).toISOString() });
const ledgerSum = (books: Books, currency: string) =>
  nanoText(books.entries().reduce((sum, entry) => sum - (entry.currency === currency ? entry.amount : 0), 0));
const lines = (path: string) => readFileSync(path, "utf8").trimEnd().split("\r\n").slice(1);

function sumOf(
  rows: readonly { readonly amount: string | number; readonly currency: string }[],
  currency: string,
) {
  return exactText(
    rows.reduce((sum, row) => sum - (row.currency === currency ? toExact(row.amount) : 0n), 0n),
  );
}

test("10,000 random calls: the files, their totals and the ledger agree to the last digit", async (t) => {
  for (const dialect of ["standard", "venice"] as const) {
    const books = await openBooks(t, dialect);
    spendAtRandom(books, 10_000, 20, ["key-1"]);
    for (const format of ["csv", "json"] as const) {
      const path = pathIn(t, `usage.${format}`);
      const job = { range: rangeOf(books), format, path };
      const { records, spend } = await exportUsage(books.admin, job, { signal: never });
      assert.equal(records, books.entries().length);
      const rows =
        format === "json"
          ? (JSON.parse(readFileSync(path, "utf8")) as UsageRecord[])
          : lines(path).map((line) => {
              const [timestamp = "", , , , amount = "", currency = ""] = line.split(",");
              return { timestamp, amount, currency };
            });
      assert.equal(rows.length, records);
      for (const currency of ["USD", "DIEM"]) {
        assert.equal(sumOf(rows, currency), ledgerSum(books, currency), `${format} ${currency}`);
        assert.equal(spend.in(toRuntimeCurrency(currency)).digits(), ledgerSum(books, currency));
      }
      assert.deepEqual([existsSync(partOf(path)), await unfinished(job)], [false, undefined]);
    }
  }
});

test("exports the dashboard's table as shown", async (t) => {
  const records = Array.from(
    { length: 12_001 },
    (_, index): UsageRecord => ({
      timestamp: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
      sku: `sku-${index % 7}`,
      pricePerUnitUsd: 0.01,
      units: 1,
      amount: -0.01,
      currency: index % 2 ? "USD" : "DIEM",
      notes: "API Inference",
      inferenceDetails: null,
    }),
  ).reverse();
  const view = {
    size: records.length,
    joined: (_: unknown, from: number, count: number) =>
      records.slice(from, from + count).map((record) => [record, undefined] as const),
  };
  for (const format of ["csv", "json"] as const) {
    const path = pathIn(t, `shown.${format}`);
    const job = { range: { start: "", end: "" }, format, path };
    const { records: count, spend } = await exportRecords(view, job, { signal: never });
    assert.equal(count, records.length);
    assert.deepEqual(spend.toTexts(), { DIEM: "60.01", USD: "60" });
    if (format === "json") assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), records);
    else
      assert.deepEqual(
        lines(path).map((line) => line.split(",")[0]),
        records.map(({ timestamp }) => timestamp),
      );
    assert.equal(existsSync(partOf(path)), false);
  }
});

test("saves the service's own CSV unchanged", async (t) => {
  const books = await openBooks(t);
  spendAtRandom(books, 1_500, 5, []);
  const path = pathIn(t, "own.csv");
  await exportUsage(books.admin, { range: rangeOf(books), format: "service", path }, { signal: never });
  assert.equal(readFileSync(path, "utf8"), csvText(books.entries()));
});

test("resumes at the page of an interruption: no record is lost or doubled", async (t) => {
  for (const dialect of ["standard", "venice"] as const) {
    for (const format of ["csv", "json", "service"] as const satisfies readonly ExportFormat[]) {
      const books = await openBooks(t, dialect);
      spendAtRandom(books, 7_000, 10, []);
      const whole = pathIn(t, "whole");
      const range = rangeOf(books);
      await exportUsage(books.admin, { range, format, path: whole }, { signal: never });
      const path = pathIn(t, "broken");
      const job = { range, format, path };
      const route = dialect === "standard" ? "/billing/usage" : "/billing/usage-history";
      books.setFaults([{ match: { path: route }, after: 3, kind: "status", status: 400 }]);
      await assert.rejects(exportUsage(books.admin, job, { signal: never }), { kind: "invalid-request" });
      assert.equal(existsSync(path), false, "half an export does not pass for a whole one");
      books.setFaults([]);
      const from = await unfinished(job);
      assert.ok(from, `${dialect} ${format}`);
      if (dialect === "standard") assert.equal(from.next, "page:4");
      // A crash within a page leaves more data behind than the state records.
      writeFileSync(partOf(path), Buffer.concat([readFileSync(partOf(path)), Buffer.from("half a rec")]));
      await exportUsage(books.admin, job, { signal: never, from });
      assert.equal(readFileSync(path, "utf8"), readFileSync(whole, "utf8"), `${dialect} ${format}`);
    }
  }
});

test("another range, a damaged state or a shorter file is not resumed", async (t) => {
  const books = await openBooks(t);
  spendAtRandom(books, 3_000, 10, []);
  const job = { range: rangeOf(books), format: "csv", path: pathIn(t, "usage.csv") } as const;
  books.setFaults([{ match: { path: "/billing/usage" }, after: 2, kind: "status", status: 400 }]);
  await assert.rejects(exportUsage(books.admin, job, { signal: never }));
  assert.ok(await unfinished(job));
  assert.equal(await unfinished({ ...job, range: { ...job.range, currency: "USD" } }), undefined);
  assert.equal(await unfinished({ ...job, format: "json" }), undefined);
  writeFileSync(partOf(job.path), "short");
  assert.equal(await unfinished(job), undefined);
  writeFileSync(`${job.path}.part.json`, "{");
  assert.equal(await unfinished(job), undefined);
});

test("can be resumed after cancelling", async (t) => {
  const books = await openBooks(t);
  spendAtRandom(books, 3_000, 10, []);
  const cancel = new AbortController();
  const job = { range: rangeOf(books), format: "csv", path: pathIn(t, "usage.csv") } as const;
  const onProgress = () => cancel.abort();
  await assert.rejects(exportUsage(books.admin, job, { signal: cancel.signal, onProgress }), {
    kind: "cancelled",
  });
  assert.equal((await unfinished(job))?.records, 500);
});

test("detects records that vanish while it reads", async (t) => {
  const books = await openBooks(t);
  spendAtRandom(books, 1_500, 3, []);
  const edit = (value: unknown) => {
    const page = value as { pagination: { total: number } };
    return { ...page, pagination: { ...page.pagination, total: page.pagination.total + 1 } };
  };
  books.setFaults([{ match: { path: "/billing/usage" }, kind: "edit", edit }]);
  const job = { range: rangeOf(books), format: "csv", path: pathIn(t, "usage.csv") } as const;
  await assert.rejects(exportUsage(books.admin, job, { signal: never }), /the service counts \d+ records/);
});

test("includes the service's warning", async (t) => {
  const books = await openBooks(t);
  const range = { ...rangeOf(books), currency: "DIEM" } as const;
  const job = { range, format: "csv", path: pathIn(t, "usage.csv") } as const;
  assert.match((await exportUsage(books.admin, job, { signal: never })).warningMessage ?? "", /legacy DIEM/);
  assert.equal(lines(job.path).length, 0, "an empty account is a header alone");
});

test("writes complete rows that exceed the buffer, with multi-byte characters", () => {
  const base = {
    timestamp: "t",
    pricePerUnitUsd: 0,
    units: 0,
    amount: 0,
    currency: "USD",
    inferenceDetails: null,
  };
  const csvRows = createCsvRows();
  for (const notes of ["ß€😀".repeat(60_000), "x"]) {
    csvRows.put({ ...base, sku: "a", notes }, undefined);
    const text = Buffer.from(csvRows.take()).toString();
    assert.equal(text, `t,a,0,0,0,USD,${notes},,,,,,,,,,\r\n`);
  }
});

test("escapes cells that a spreadsheet would execute, and keeps numbers", () => {
  const row = {
    timestamp: "2026-08-15T10:00:00Z",
    sku: "=HYPERLINK(1)",
    pricePerUnitUsd: 6.25e-7,
    units: 3,
    amount: -0.0000018,
    currency: "USD",
    notes: '@x, "quoted"\nline',
    inferenceDetails: null,
  };
  const rows = createCsvRows();
  rows.put(row, undefined);
  assert.equal(
    Buffer.from(rows.take()).toString(),
    `2026-08-15T10:00:00Z,'=HYPERLINK(1),0.000000625,3,-0.0000018,USD,"'@x, ""quoted""\nline",,,,,,,,,,\r\n`,
  );
});

test("a record whose call is in the spend ledger names its source, client, folder, branch and key", () => {
  const row = {
    timestamp: "t",
    sku: "a",
    pricePerUnitUsd: 1,
    units: 1,
    amount: -1,
    currency: "USD",
    notes: null,
    inferenceDetails: { requestId: "known" },
  };
  const entry = {
    id: "1",
    atMs: 0,
    endpoint: "chat.stream",
    cost: nothing,
    keyEnding: "abc123",
    source: { kind: "mcp", client: '=cmd|"x"' },
    folder: "a, b",
  };
  const rows = createCsvRows();
  rows.put(row, { entry, by: "requestId" });
  assert.equal(
    Buffer.from(rows.take()).toString(),
    `t,a,1,1,-1,USD,,known,,,,MCP client,"'=cmd|""x""","a, b",,…abc123,requestId\r\n`,
  );
  rows.put({ ...row, inferenceDetails: { requestId: "__proto__" } }, undefined);
  assert.equal(Buffer.from(rows.take()).toString(), "t,a,1,1,-1,USD,,__proto__,,,,,,,,,\r\n");
  assert.ok(csvHead.endsWith(",source,client,folder,branch,key,joinedBy\r\n"));
  const json = createJsonRows(false);
  json.put(row, { entry, by: "timeAndSum" });
  assert.deepEqual(JSON.parse(Buffer.from(json.take()).toString()).ledger, {
    source: "MCP client",
    client: '=cmd|"x"',
    folder: "a, b",
    key: "…abc123",
    joinedBy: "timeAndSum",
  });
});

test("a numeric timestamp in one record is a time in the files, and no record is lost", async (t) => {
  const books = await openBooks(t);
  spendAtRandom(books, 20, 1, ["key-1"]);
  const atMs = books.entries()[3]?.atMs ?? assert.fail();
  books.setFaults([{ match: { path: "/billing/usage" }, kind: "edit", edit: withNumericTime(3) }]);
  for (const format of ["csv", "json"] as const) {
    const path = pathIn(t, `usage.${format}`);
    const job = { range: rangeOf(books), format, path };
    const { records } = await exportUsage(books.admin, job, { signal: never });
    assert.equal(records, books.entries().length);
    const times =
      format === "json"
        ? (JSON.parse(readFileSync(path, "utf8")) as UsageRecord[]).map(({ timestamp }) => timestamp)
        : lines(path).map((line) => line.split(",")[0]);
    const iso = books.entries().map((entry) => new Date(entry.atMs).toISOString());
    assert.deepEqual(times.toSorted(), iso.toSorted());
    assert.ok(times.includes(new Date(atMs).toISOString()));
  }
});
