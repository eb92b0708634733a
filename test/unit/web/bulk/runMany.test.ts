import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { ApiError } from "../../../../src/api/errors/errors.ts";
import { runMany } from "../../../../src/web/bulk/runMany.ts";
import { openParseManifest } from "../../../../src/web/parse/parseManifest.ts";

const { signal: patient } = new AbortController();

test("each item is in one result list, and concurrency is limited", async () => {
  const outcomes = fc.array(fc.constantFrom("done", "failed"), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(outcomes, fc.integer({ min: 1, max: 5 }), async (items, concurrency) => {
      let running = 0;
      const numbered = items.map((outcome, index) => ({ outcome, index }));
      const run = async ({ outcome }: { outcome: string }) => {
        running += 1;
        assert.ok(running <= concurrency);
        await Promise.resolve();
        running -= 1;
        if (outcome === "failed") throw new ApiError("unavailable", "no");
      };
      const { done, failed, left } = await runMany({ items: numbered, concurrency, signal: patient, run });
      assert.ok(done.every(({ outcome }) => outcome === "done"));
      assert.ok(failed.every(({ item }) => item.outcome === "failed"));
      assert.equal(done.length + failed.length, items.length);
      assert.deepEqual(left, []);
    }),
  );
});

test("waits for a rate limit and repeats the refused item", async () => {
  const tried: number[] = [];
  const waits: number[] = [];
  const run = async (item: number) => {
    tried.push(item);
    if (tried.length === 2)
      throw new ApiError("rate-limited", "20 requests/min", { retryAtMs: Date.now() + 15 });
  };
  const report = ({ waitsUntilMs }: { waitsUntilMs?: number }) => void waits.push(waitsUntilMs ?? 0);
  const ended = await runMany({ items: [1, 2, 3], concurrency: 1, signal: patient, run, report });
  assert.deepEqual(ended.done, [1, 2, 3]);
  assert.deepEqual(tried, [1, 2, 2, 3]);
  assert.equal(waits.filter((until) => until > 0).length > 0, true);
});

test("cancelling leaves the other items, also those waiting for a limit", async () => {
  const stopping = new AbortController();
  const run = async (item: number) => {
    if (item === 1) return;
    setImmediate(() => stopping.abort());
    throw new ApiError("rate-limited", "later", { retryAtMs: Date.now() + 600_000 });
  };
  const ended = await runMany({ items: [1, 2, 3], concurrency: 1, signal: stopping.signal, run });
  assert.deepEqual(ended, { done: [1], failed: [], left: [2, 3] });
});

test("waits for a limit in a thousand years without overflow", async (t) => {
  const warnings: string[] = [];
  const handle = ({ name }: Error) => void warnings.push(name);
  process.on("warning", handle);
  t.after(() => process.off("warning", handle));
  const stopping = new AbortController();
  const run = async () => {
    setImmediate(() => setImmediate(() => stopping.abort()));
    throw new ApiError("rate-limited", "later", { retryAtMs: Date.now() + 3.2e13 });
  };
  await runMany({ items: [1], concurrency: 1, signal: stopping.signal, run });
  assert.deepEqual(warnings, []);
});

test("an error that applies to every item is requested once", async () => {
  let calls = 0;
  const run = async () => {
    calls += 1;
    throw new ApiError("payment-required", "the budget of this day is used up");
  };
  const { failed } = await runMany({ items: [1, 2, 3], concurrency: 1, signal: patient, run });
  assert.equal(calls, 1);
  assert.deepEqual(
    failed.map(({ item }) => item),
    [1, 2, 3],
  );
});

test("after a restart the manifest knows unchanged results; a damaged line is ignored", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "inference-ledger-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = { path: "a/b.pdf", changedMs: 5, size: 10 };
  const ledger = await openParseManifest(folder, "file:///x");
  assert.equal(ledger.has(file), false);
  await ledger.add(file);
  appendFileSync(join(folder, readdirSync(folder)[0] ?? ""), '{"path":"a/c.pdf","cha\nnull\n');
  await ledger.add({ ...file, path: "d.pdf" });
  const again = await openParseManifest(folder, "file:///x");
  assert.ok(again.has(file));
  assert.ok(again.has({ ...file, path: "d.pdf" }));
  assert.equal(again.has({ ...file, size: 11 }), false);
  assert.equal((await openParseManifest(folder, "file:///y")).has(file), false);
});
