// A window in a separate process: requests a given number of searches at once and prints how many were sent.
import { openWindow } from "./budgetWindow.ts";

const { folder, baseUrl, dayUsd, calls } = JSON.parse(process.argv[2] ?? "{}") as {
  readonly folder: string;
  readonly baseUrl: string;
  readonly dayUsd: number;
  readonly calls: number;
};
const { api, spend } = openWindow({
  folder,
  baseUrl,
  apiKey: process.env.TEST_API_KEY ?? "",
  budgets: { dayUsd, monthUsd: undefined, hardStop: true },
});
process.stdout.write("ready\n");
process.stdin.once("data", async () => {
  const all = Array.from({ length: calls }, () => api.augment.search({ query: "chat" }));
  const settled = await Promise.allSettled(all);
  await spend.totals({ id: "c-1", name: "", kind: "live", baseUrl: "", dialect: "standard" });
  process.stdout.write(`${settled.filter(({ status }) => status === "fulfilled").length}\n`);
  process.exit(0);
});
