// A window in a separate process: requests a given number of searches at once and prints how many were sent.
import type { SpendTask } from "../../../src/api/money/charge.ts";
import { openWindow } from "./budgetWindow.ts";

const { folder, baseUrl, dayUsd, calls, task } = JSON.parse(process.argv[2] ?? "{}") as {
  readonly folder: string;
  readonly baseUrl: string;
  readonly dayUsd?: number;
  readonly calls: number;
  /** The task that the calls belong to. */
  readonly task?: SpendTask;
};
const { api, spend } = openWindow({
  folder,
  baseUrl,
  apiKey: process.env.TEST_API_KEY ?? "",
  budgets: { dayUsd: dayUsd, monthUsd: undefined, hardStop: true },
});
process.stdout.write("ready\n");
process.stdin.once("data", async () => {
  const options = task ? { source: { kind: "chat", task } as const } : {};
  const all = Array.from({ length: calls }, () => api.augment.search({ query: "chat" }, options));
  const settled = await Promise.allSettled(all);
  await spend.totals({ id: "c-1", name: "", kind: "live", baseUrl: "", dialect: "standard" });
  process.stdout.write(`${settled.filter(({ status }) => status === "fulfilled").length}\n`);
  process.exit(0);
});
