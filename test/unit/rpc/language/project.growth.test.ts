// Everything that runs while the user types takes time proportional to the length of the text.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { listedCases } from "../../../runner/cases.ts";
import { constructs } from "../growth/constructs.ts";
import { type Growth, isSteep } from "../growth/worker.ts";

/** A test that hangs is ended, and named. */
const patienceMs = 600_000;

test("the steps for a text grow linearly with the text: parse, diagnose, price, encode, complete, write", async () => {
  const worker = new Worker(new URL("../growth/worker.ts", import.meta.url));
  const grown: Growth[] = [];
  let last: Growth | undefined;
  const hang = setTimeout(() => void worker.terminate(), patienceMs);
  const code = await new Promise((done, failed) => {
    worker.on("error", failed);
    worker.on("exit", done);
    worker.on("message", (growth: Growth) => {
      last = growth;
      if (growth.works.length > 0) grown.push(growth);
    });
  }).finally(() => clearTimeout(hang));
  assert.equal(code, 0, `ended at ${last?.construct}`);
  assert.ok(constructs.length >= 80 && grown.length === listedCases(constructs).length);
  const steep = grown.flatMap(({ construct, works }) =>
    works.flatMap(({ name, steps }) =>
      isSteep(steps) ? [`${construct}: ${name}: ${steps.join(", ")}`] : [],
    ),
  );
  assert.deepEqual(steep, []);
  const all = grown.flatMap(({ works }) => works.flatMap(({ steps }) => steps));
  assert.ok(all.every((count) => count > 0));
});

test("the count detects what is not linear", () => {
  assert.ok(isSteep([10_000, 40_000, 160_000]));
  assert.ok(!isSteep([10_000, 20_100, 40_500]));
});
