// A window in a separate process: requests a given number of searches at once and prints how many were sent.
import type { CallOptions } from "../../../src/api/call/client.ts";
import type { SpendTask } from "../../../src/api/money/charge.ts";
import type { ReadBudgets } from "../../../src/shared/money/scopedBudget.ts";
import { openWindow } from "./budgetWindow.ts";

const { folder, baseUrl, dayUsd, calls, task, parts, places } = JSON.parse(process.argv[2] ?? "{}") as {
  readonly folder: string;
  readonly baseUrl: string;
  readonly dayUsd?: number;
  readonly calls: number;
  /** The task that the calls belong to. */
  readonly task?: SpendTask;
  /** Budgets of parts of the calls. */
  readonly parts?: ReadBudgets;
  /** The workspace folders of the calls, in turn. */
  readonly places?: readonly string[];
};
const { api, spend } = openWindow({
  folder,
  baseUrl,
  apiKey: process.env.TEST_API_KEY ?? "",
  budgets: { dayUsd, monthUsd: undefined, hardStop: true, ...(parts ? { parts } : {}) },
  placeOf: async (resource) => (resource === undefined ? {} : { folder: resource }),
});
process.stdout.write("ready\n");
process.stdin.once("data", async () => {
  const optionsOf = (index: number): CallOptions => {
    const resource = places?.[index % places.length];
    if (resource !== undefined) return { source: { kind: "web", resource } };
    return task ? { source: { kind: "chat", task } } : {};
  };
  const all = Array.from({ length: calls }, (_, index) =>
    api.augment.search({ query: "chat" }, optionsOf(index)),
  );
  const settled = await Promise.allSettled(all);
  await spend.totals({ id: "c-1", name: "", kind: "live", baseUrl: "", dialect: "standard" });
  process.stdout.write(`${settled.filter(({ status }) => status === "fulfilled").length}\n`);
  process.exit(0);
});
