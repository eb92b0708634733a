// Set-up of the tests of the spend gate.
import type { TestContext } from "node:test";
import { isApiError } from "../../../src/api/errors/errors.ts";
import type { PaidCall } from "../../../src/api/money/upperPrice.ts";
import { type Exact, toExact } from "../../../src/shared/money/exact.ts";
import { startTestSandbox, type TestSandbox } from "../../serviceKit/testSandbox.ts";
import { openWindow, type WindowOptions } from "./budgetWindow.ts";

export const hard = (dayUsd: number) => ({ dayUsd, monthUsd: undefined, hardStop: true });

export const search: PaidCall = {
  endpoint: "augment.search",
  price: { by: "request", usd: 0.01 },
  input: {},
};

export async function serve(t: TestContext): Promise<TestSandbox> {
  const pages = [{ title: "Chat", text: "# Chat\n\nIt answers.\n" }];
  const sandbox = await startTestSandbox({ tokensPerSecond: 1e6, limits: "none", pages });
  t.after(() => sandbox.close());
  return sandbox;
}

/** The amount that the service charged, by its own list. */
export async function billed(sandbox: TestSandbox, folder: string): Promise<Exact> {
  const { api } = openWindow({ ...sandbox, folder, budgets: hard(1) });
  const { data } = await api.billing.usage({ limit: 500 });
  return data.reduce((sum, { amount }) => sum - toExact(amount), 0n);
}

export const isRefused = (error: unknown) =>
  isApiError(error) &&
  error.kind === "payment-required" &&
  ["budget", "unpriced", "unbounded", "ledger"].includes(error.details.source ?? "");

export const noService: Omit<WindowOptions, "folder" | "budgets"> = {
  baseUrl: "http://127.0.0.1:9/api/v1",
  apiKey: "key",
};
