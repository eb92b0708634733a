// The report of a month of random accounts: each sum is the bill's, in its own currency, and what was not read says so.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { createAccountData } from "../../../../../src/account/host/accountData.ts";
import { comparedMonths } from "../../../../../src/account/host/report/comparison.ts";
import { toMonthReport } from "../../../../../src/account/host/report/monthReport.ts";
import { readPeriod } from "../../../../../src/account/host/report/periodSums.ts";
import type { MonthReport } from "../../../../../src/account/host/report/reportShape.ts";
import { reportCsv, reportMarkdown } from "../../../../../src/account/host/report/reportText.ts";
import { noDayFiles } from "../../../../../src/account/host/usage/days/dayFiles.ts";
import { ApiError } from "../../../../../src/api/errors/errors.ts";
import type { Connection } from "../../../../../src/session/connection/connection.ts";
import type { SpentEntry } from "../../../../../src/session/spend/spendLines.ts";
import { Amounts, amountIn } from "../../../../../src/shared/money/amounts.ts";
import { dayMs } from "../../../../../src/shared/time/days.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { billDouble, type Charge } from "../billDouble.ts";

const october = Date.parse("2026-10-01T00:00:00.000Z");
const november = Date.parse("2026-11-01T00:00:00.000Z");
const december = Date.parse("2026-12-01T00:00:00.000Z");
const nowMs = december + 5 * dayMs;
const connection: Connection = { id: "c", name: "My *service*", kind: "live", baseUrl: "", dialect: "auto" };
const noBudgets = { dayUsd: undefined, monthUsd: undefined, hardStop: false };

interface Setup {
  readonly calls?: readonly SpentEntry[];
  readonly atMs?: number;
  readonly nowMs?: number;
  readonly budgets?: Parameters<typeof toMonthReport>[0]["budgets"];
  readonly fails?: (call: string, from: string) => void;
}

async function reportOf(charges: readonly Charge[], setup: Setup = {}): Promise<MonthReport> {
  const { calls = [], budgets = noBudgets, fails } = setup;
  const atNow = setup.nowMs ?? nowMs;
  const api = billDouble(charges);
  if (fails)
    for (const name of ["usage", "analytics"] as const) {
      const call = api.billing[name] as (input: { startDate?: string }, options: object) => Promise<unknown>;
      Object.assign(api.billing, {
        [name]: async (input: { startDate?: string }, options: object) => {
          fails(name, input.startDate ?? "");
          return call(input, options);
        },
      });
    }
  const data = createAccountData({
    api: async () => api,
    admin: async () => api,
    files: noDayFiles,
    createdKeys: () => [],
    now: () => atNow,
    onChange() {},
    report: (error) => assert.fail(String(error)),
  });
  const of = { identity: "c", connection, admin: connection, data };
  const months = comparedMonths(setup.atMs ?? november, atNow);
  const signal = new AbortController().signal;
  const read = (range: typeof months.now) =>
    readPeriod({ of, range, calls, hasTop: true, signal, onProgress() {} });
  const [now, before] = [await read(months.now), await read(months.before)];
  const { name: service } = connection;
  return toMonthReport({ service, isPlayMoney: false, months, now, before, budgets, nowMs: atNow });
}

const section = ({ sections }: MonthReport, title: string) =>
  sections.find((one) => one.title === title) ?? assert.fail(`no section ${title}`);
const rowsOf = (report: MonthReport, title: string) =>
  section(report, title).rows.map(({ name, currency, before, now, difference, detail }) => {
    const text = (of: typeof now) => (of?.is === "value" ? of.value.digits() : of?.is);
    return { name, currency, before: text(before), now: text(now), difference: text(difference), detail };
  });
/** The sums of a section's column, which is how a reader would add them. */
const columnOf = (report: MonthReport, title: string, side: "before" | "now"): Amounts =>
  Amounts.sum(
    section(report, title).rows.map(({ currency, [side]: amount }) =>
      amountIn(currency, amount?.is === "value" ? amount.value.digits() : assert.fail("not read")),
    ),
  );

const charge: fc.Arbitrary<Charge> = fc.record({
  atMs: fc.integer({ min: october, max: december - 1 }),
  currency: fc.constantFrom("USD", "DIEM", "VCU", "BUNDLED_CREDITS"),
  nano: fc.integer({ min: 1, max: 200_000_000_000 }),
  model: fc.constantFrom("guide", "thinker", "__proto__"),
  requestId: fc.constantFrom("r1", "r2", "r3", "r4"),
});
const sumOf = (charges: readonly Charge[], from: number, to: number) =>
  Amounts.sum(
    charges
      .filter(({ atMs }) => atMs >= from && atMs < to)
      .map(({ currency, nano }) => amountIn(currency, nano / 1e9)),
  );
const sorted = (amounts: Amounts) => [...amounts].map((one) => `${one.currency} ${one.digits()}`).sort();

test("random months: each compared section adds up to the bill of both months, in every currency", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(charge, { maxLength: 40 }), async (charges) => {
      const own = charges.filter((_, index) => index % 3 === 0);
      const calls = own.map(
        ({ atMs, requestId = "" }, index): SpentEntry => ({
          id: `e${index}`,
          atMs,
          endpoint: "chat.stream",
          requestId: `${requestId}`,
          source: { kind: index % 2 ? "chat" : "mcp" },
          folder: "app",
          cost: amountIn("USD", 0),
        }),
      );
      const report = await reportOf(charges, { calls });
      const [then, since] = [sumOf(charges, october, november), sumOf(charges, november, december)];
      for (const title of ["Total", "Products and models", "Keys"]) {
        assert.deepEqual(sorted(columnOf(report, title, "before")), sorted(then), title);
        assert.deepEqual(sorted(columnOf(report, title, "now")), sorted(since), title);
      }
      const counted = rowsOf(report, "Products and models").filter(({ detail }) => detail !== "");
      assert.equal(new Set(counted.map(({ name }) => name)).size, counted.length, "tokens are stated once");
      const used = charges.filter(({ atMs }) => atMs >= november && atMs < december);
      assert.equal(counted.length, new Set(used.map(({ model }) => model)).size);
      for (const { rows } of report.sections)
        for (const { before, now, difference } of rows)
          if (before?.is === "value" && now?.is === "value" && difference?.is === "value")
            assert.equal(
              difference.value.digits(),
              amountIn("x", now.value.digits())
                .plus(amountIn("x", before.value.digits()).negated())
                .in("x")
                .digits(),
            );
      const top = rowsOf(report, "Most expensive calls");
      for (const currency of since.currencies) {
        const amounts = top.filter((row) => row.currency === currency).map(({ now }) => Number(now));
        assert.ok(amounts.length > 0 && amounts.length <= 10);
        assert.deepEqual(
          amounts,
          amounts.toSorted((a, b) => b - a),
        );
      }
    }),
    { numRuns: randomCases(60) },
  );
});

test("a bill of the month before that can't be read is not read, in each row, with the reason", async () => {
  const charges: Charge[] = [
    { atMs: november + 1, currency: "USD", nano: 2_000_000_000 },
    { atMs: november + 1, currency: "VCU", nano: 3_000_000_000 },
  ];
  const report = await reportOf(charges, {
    fails(_, from) {
      if (from < "2026-11")
        throw new ApiError("network", "refused", { reason: "refused", mayHaveArrived: false });
    },
  });
  for (const title of ["Total", "Products and models", "Keys", "Workspace folders"])
    for (const { before, difference, now } of rowsOf(report, title)) {
      if (title !== "Workspace folders" || now !== "0") assert.notEqual(now, "unknown");
      assert.deepEqual([before, difference], ["unknown", "unknown"], title);
    }
  const [why] = report.unknowns;
  assert.match(why ?? "", /^The bill of the month before was not read: .{10,}/);
  assert.match(reportMarkdown(report), /\| All \| not read \| \\\$2\.00 \| not read \|/);
  assert.match(reportCsv(report), /Total,All,USD,not read,2,not read,/);
});

test("without account rights the report says what is unknown, why, and the step; the calls of this computer stay", async () => {
  const call: SpentEntry = {
    id: "e",
    atMs: november + 5,
    endpoint: "chat.stream",
    folder: "app",
    cost: amountIn("USD", "0.5"),
  };
  const report = await reportOf([], {
    calls: [call],
    budgets: { ...noBudgets, monthUsd: 5, dayUsd: 1 },
    fails() {
      throw new ApiError("admin-key-required", "Admin API key required", { mayHaveArrived: true });
    },
  });
  const text = reportMarkdown(report);
  assert.match(report.unknowns[0] ?? "", /key of type ADMIN.*Add ADMIN Key…/);
  assert.deepEqual(rowsOf(report, "Total"), []);
  assert.match(section(report, "Total").empty, /^Not read\. .*ADMIN/);
  assert.equal(rowsOf(report, "Workspace folders").find(({ name }) => name === "app")?.now, "0.5");
  const elsewhere = rowsOf(report, "Workspace folders").find(({ name }) => name === "Elsewhere");
  assert.deepEqual([elsewhere?.before, elsewhere?.now], ["unknown", "unknown"]);
  assert.ok(rowsOf(report, "Budgets").every(({ detail }) => detail.startsWith("not read. ")));
  assert.doesNotMatch(text, /Nothing was spent/);
  for (const title of ["Total", "Products and models", "Cache", "Keys", "Most expensive calls"])
    assert.deepEqual(section(report, title).rows, [], title);
});

test("budgets end as the bill says: USD and DIEM count, VCU and credits do not", async () => {
  const day = (index: number) => november + index * dayMs + 1;
  const charges: Charge[] = [
    { atMs: day(0), currency: "USD", nano: 3_000_000_000 },
    { atMs: day(1), currency: "DIEM", nano: 1_000_000_000 },
    { atMs: day(1), currency: "VCU", nano: 90_000_000_000 },
  ];
  const scoped = { per: { folder: "app" }, period: "month", limitUsd: 1, onReach: "warn" } as const;
  const calls: SpentEntry[] = [
    { id: "e", atMs: day(0), endpoint: "chat.stream", folder: "app", cost: amountIn("USD", "1.25") },
  ];
  const budgets = { dayUsd: 1.2, monthUsd: 5, hardStop: false, parts: { scoped: [scoped], faults: [] } };
  const rows = rowsOf(await reportOf(charges, { calls, budgets }), "Budgets");
  assert.deepEqual(
    rows.map(({ name, detail }) => `${name}: ${detail}`),
    [
      "All calls, month: kept, from 80 % on: $3.00 · 1.00 DIEM of $5.00, 20 % of the budget left",
      "All calls, each day: used up on 1 of 30 days, from 80 % on 1 more. Highest day 2026-11-01: $3.00 of $1.20",
      "the folder app, month: used up: $1.25 of $1.00, $0.25 over budget",
    ],
  );
});

test("a call of this computer counts at what the bill says, whichever balance paid, and names it among the top calls", async () => {
  const charges: Charge[] = [
    { atMs: november + 5, currency: "DIEM", nano: 700_000_000, requestId: "mine", part: "input" },
    { atMs: november + 5, currency: "DIEM", nano: 300_000_000, requestId: "mine" },
  ];
  const call: SpentEntry = {
    id: "e",
    atMs: november + 5,
    endpoint: "chat.stream",
    requestId: "mine",
    folder: "app",
    branch: "main",
    source: { kind: "chat" },
    cost: amountIn("USD", "1"),
  };
  const report = await reportOf(charges, { calls: [call] });
  assert.deepEqual(rowsOf(report, "Workspace folders"), [
    { name: "app", currency: "DIEM", before: "0", now: "1", difference: "1", detail: "" },
  ]);
  const [top] = rowsOf(report, "Most expensive calls");
  assert.deepEqual([top?.currency, top?.now], ["DIEM", "1"]);
  assert.match(top?.detail ?? "", /^guide-llm-input-token · Chat · app · main · mine$/);
});

test("names are neither markup nor formulas", async () => {
  const name = "=HYPERLINK(1)|![x](http://evil.example/a.png)<b>`";
  const call = (folder: string): SpentEntry => ({
    id: folder,
    atMs: november + 5,
    endpoint: "chat.stream",
    folder,
    cost: amountIn("USD", "1"),
  });
  const report = await reportOf([], { calls: [call(name), call("-2+3")] });
  const text = reportMarkdown(report);
  assert.doesNotMatch(text, /(?<!\\)!\[|(?<!\\)<b>|\*service\*(?<!\\\*)/);
  assert.match(text, /# Usage of My \\\*service\\\* in November 2026/);
  const line = text.split("\n").find((one) => one.includes("HYPERLINK")) ?? assert.fail();
  assert.equal(line.replace(/\\\|/g, "").split("|").length, 6, "one row with four cells");
  const csv = reportCsv(report);
  assert.match(csv, /,"?'=HYPERLINK/);
  assert.match(csv, /,'-2\+3,USD,0,1,1,/);
});

test("a name is no link, not even as the viewer of the editor makes links of addresses", async () => {
  const viewer = new MarkdownIt({ html: false, linkify: true });
  const names = ["https://evil.example/a", "//evil.example", "ftp://evil.example", "mailto:a@evil.example"];
  const calls = [...names, "b@evil.example", "[x](https://evil.example)"].map(
    (folder): SpentEntry => ({
      id: folder,
      atMs: november + 5,
      endpoint: "chat.stream",
      folder,
      cost: amountIn("USD", "1"),
    }),
  );
  const html = viewer.render(reportMarkdown(await reportOf([], { calls })));
  for (const name of names) assert.ok(html.includes(name), name);
  assert.doesNotMatch(html, /<a |<img/);
});

test("the running month is compared with the same days of the month before, a complete one with all of it", () => {
  const text = ({ now, before, isOver }: ReturnType<typeof comparedMonths>) => {
    const day = (of: number) => new Date(of * dayMs).toISOString().slice(0, 10);
    return `${day(before.from)}..${day(before.to)} ${day(now.from)}..${day(now.to)} ${isOver}`;
  };
  assert.equal(text(comparedMonths(november, nowMs)), "2026-10-01..2026-10-31 2026-11-01..2026-11-30 true");
  const inDecember = december + 12 * dayMs + 5;
  assert.equal(
    text(comparedMonths(inDecember, inDecember)),
    "2026-11-01..2026-11-13 2026-12-01..2026-12-13 false",
  );
  const lastOfMarch = Date.parse("2027-03-31T12:00:00Z");
  assert.equal(
    text(comparedMonths(lastOfMarch, lastOfMarch)),
    "2027-02-01..2027-02-28 2027-03-01..2027-03-31 false",
  );
});
