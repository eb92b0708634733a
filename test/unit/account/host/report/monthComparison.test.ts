import assert from "node:assert/strict";
import { test } from "node:test";
import { createAccountData } from "../../../../../src/account/host/accountData.ts";
import { MonthComparison } from "../../../../../src/account/host/report/monthComparison.ts";
import { noDayFiles } from "../../../../../src/account/host/usage/days/dayFiles.ts";
import type { ComparisonState } from "../../../../../src/account/protocol/comparisonProtocol.ts";
import { ApiError } from "../../../../../src/api/errors/errors.ts";
import type { Connection } from "../../../../../src/session/connection/connection.ts";
import { billDouble, type Charge } from "../billDouble.ts";

const nowMs = Date.parse("2026-11-10T12:00:00Z");
const at = (text: string) => Date.parse(`${text}T06:00:00Z`);
const connection: Connection = { id: "c", name: "C", kind: "live", baseUrl: "", dialect: "auto" };

/** A bill that fails for the months that `isUnread` names. */
async function compare(
  charges: readonly Charge[],
  isUnread = (_: string) => false,
): Promise<ComparisonState> {
  const api = billDouble(charges);
  const { usage } = api.billing;
  Object.assign(api.billing, {
    usage: async (...args: Parameters<typeof usage>) => {
      if (isUnread(String(args[0].startDate)))
        throw new ApiError("admin-key-required", "Admin API key required", { mayHaveArrived: true });
      return usage(...args);
    },
  });
  const data = createAccountData({
    api: async () => api,
    admin: async () => api,
    files: noDayFiles,
    createdKeys: () => [],
    now: () => nowMs,
    onChange() {},
    report: (error) => assert.fail(String(error)),
  });
  const states: ComparisonState[] = [];
  const account = { identity: "c", connection, admin: connection, data };
  await new MonthComparison(
    () => account,
    ({ state }) => void states.push(state),
  ).show();
  return states[0] ?? assert.fail("no comparison");
}

const linesIn = ({ groups }: ComparisonState, title: string) => {
  const lines = groups.find((group) => group.title === title)?.lines;
  if (lines?.is !== "value") return lines?.is;
  const text = (of: { readonly is: string; readonly value?: string }) => of.value ?? of.is;
  return lines.value.map((line) =>
    [line.name, text(line.before), text(line.now), text(line.difference)].join(" | "),
  );
};

const charges: readonly Charge[] = [
  { atMs: at("2026-10-03"), currency: "USD", nano: 2_000_000_000, model: "guide" },
  { atMs: at("2026-10-11"), currency: "USD", nano: 90_000_000_000, model: "guide" },
  { atMs: at("2026-10-02"), currency: "VCU", nano: 5_000_000_000, model: "thinker" },
  { atMs: at("2026-11-09"), currency: "USD", nano: 3_250_000_000, model: "guide" },
  { atMs: at("2026-11-10"), currency: "DIEM", nano: 500_000_000, model: "guide" },
];

test("this month stands beside the same days of the last one, each currency in a line of its own", async () => {
  const state = await compare(charges);
  assert.deepEqual(
    [state.beforeDays, state.nowDays, state.problem],
    ["2026-10-01 to 2026-10-10", "2026-11-01 to 2026-11-10", ""],
  );
  assert.deepEqual(linesIn(state, "Total"), [
    "All | $2.00 | $3.25 | +$1.25",
    "All | 0.00 DIEM | 0.50 DIEM | +0.50 DIEM",
    "All | 5.00 VCU | 0.00 VCU | -5.00 VCU",
  ]);
  assert.deepEqual(linesIn(state, "Products and models"), [
    "guide | $2.00 | $3.25 | +$1.25",
    "guide | 0.00 DIEM | 0.50 DIEM | +0.50 DIEM",
    "thinker | 5.00 VCU | 0.00 VCU | -5.00 VCU",
  ]);
});

test("a month that was not read is not read in each of its cells, and the reason is said", async () => {
  const state = await compare(charges, (from) => from < "2026-11");
  assert.deepEqual(linesIn(state, "Total"), [
    "All | unknown | $3.25 | unknown",
    "All | unknown | 0.50 DIEM | unknown",
  ]);
  assert.match(state.problem, /key of type ADMIN/);
  const none = await compare(charges, () => true);
  assert.deepEqual(
    none.groups.map(({ lines }) => lines.is),
    ["unknown", "unknown", "unknown"],
  );
});
