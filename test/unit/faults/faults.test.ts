// kill -9 and a full disk at each write of each store: what was told as kept is there, nothing torn counts as something
// else, no temporary file stays.
import { test } from "node:test";
import { callsOf, fullDisksOf, killsOf, runPlans } from "./faults.ts";
import { loadWorkload, storeNames } from "./stores.ts";

for (const store of storeNames)
  test(`${store}: killed or on a full disk at any write, what was kept is there and nothing is torn`, async (t) => {
    const workload = await loadWorkload(store);
    const calls = await callsOf(store, workload);
    const [kills, fullDisks] = [killsOf(calls), fullDisksOf(calls)];
    t.diagnostic(`${store}: ${calls.length} writes, ${kills.length} kills, ${fullDisks.length} full disks`);
    await runPlans(store, workload, kills);
    await runPlans(store, workload, fullDisks);
  });
