import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import type { PatchSteps } from "./patchGrowth.ts";

/** Twice as many hunks in a file of twice as many lines take twice as many steps; sorting takes a little more. */
const most = 2.15;

test("the steps of a patch grow linearly with its hunks and the file, whatever says where they stand", async () => {
  const worker = new Worker(new URL("patchGrowth.ts", import.meta.url));
  const grown: PatchSteps[] = [];
  const code = await new Promise((done, failed) => {
    worker.on("error", failed);
    worker.on("exit", done);
    worker.on("message", (steps: PatchSteps) => void grown.push(steps));
  });
  assert.equal(code, 0);
  assert.equal(grown.length, 6);
  const steep = grown.filter(({ steps: [n = 0, twice = 0, four = 0] }) =>
    [twice / n, four / twice].some((times) => !(times <= most)),
  );
  assert.deepEqual(steep, []);
});
