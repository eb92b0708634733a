// Random reservations, settlements and releases in three windows of one ledger.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import fc from "fast-check";
import type { SpendSource } from "../../../src/api/money/charge.ts";
import type { PaidCall } from "../../../src/api/money/upperPrice.ts";
import { randomCases } from "../../runner/cases.ts";
import { createClock } from "../sandbox/clock.ts";
import { temporaryFolder } from "../temporaryFolder.ts";
import { connection, openWindow, type WindowOptions } from "./budgetWindow.ts";
import { noService } from "./spendGateKit.ts";

interface Limit {
  /** USD that all windows together may spend. */
  readonly usd: number;
  readonly budgets: WindowOptions["budgets"];
  readonly source?: SpendSource;
  readonly isRefused: (error: unknown) => boolean;
}

type Window = ReturnType<typeof openWindow>;

interface Step {
  readonly kind: "reserve" | "settle" | "release" | "unsure";
  readonly part: number;
}

/** Asserts that no order of calls spends more than the limit, if calls that may have been billed are billed. */
export async function spendsAtMost({ usd: limit, budgets, source, isRefused }: Limit): Promise<void> {
  const step = fc.record({
    kind: fc.constantFrom("reserve", "reserve", "reserve", "settle", "release", "unsure"),
    window: fc.nat(2),
    usd: fc.integer({ min: 1, max: 6 }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
    const folder = temporaryFolder();
    const model = { id: "m", type: "tts", model_spec: { pricing: { input: { usd: 1e6 } } } };
    const options = { ...noService, folder, now: createClock().now, budgets, models: [model] };
    const open: { readonly hold: string; readonly usd: number; readonly window: number }[] = [];
    let spent = 0;
    const by = source ? { source } : {};
    const reserve = async ({ prices, gate }: Window, window: number, usd: number) => {
      const input = { model: "m", input: "x".repeat(usd) };
      const call: PaidCall = { endpoint: "audio.speech", price: { by: "characters" }, input, ...by };
      const hold = await gate.admit(connection, call, prices, undefined).catch((error: unknown) => {
        assert.ok(isRefused(error), String(error));
      });
      if (hold !== undefined) open.push({ hold, usd, window });
    };
    const end = async ({ spend, prices }: Window, window: number, { kind, part }: Step) => {
      const index = open.findIndex((reserved) => reserved.window === window);
      const [reserved] = index < 0 ? [] : open.splice(index, 1);
      if (!reserved) return;
      const cost = Math.floor(reserved.usd * part);
      const about = { endpoint: "audio.speech", hold: reserved.hold, ...by } as const;
      const fact = { by: "request", usd: cost } as const;
      if (kind === "settle") spend.record(connection, { type: "charged", fact, ...about }, prices);
      else spend.record(connection, { type: "uncharged", mayBeBilled: kind === "unsure", ...about }, prices);
      if (kind !== "release") spent += cost;
      await spend.totals(connection);
    };
    const runWindow = async (window: number) => {
      const opened = openWindow(options);
      for (const step of steps.filter((each) => each.window === window))
        await (step.kind === "reserve" ? reserve(opened, window, step.usd) : end(opened, window, step));
    };
    await Promise.all([0, 1, 2].map(runWindow));
    assert.ok(spent <= limit, `${spent} of ${limit}`);
    rmSync(folder, { recursive: true, force: true });
  });
  await fc.assert(property, { numRuns: randomCases(60) });
}
