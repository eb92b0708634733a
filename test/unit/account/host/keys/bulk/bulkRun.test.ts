// Many keys at once: what fails, what is stopped and what may be done is told apart, and nothing is done twice.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { bulkReport, listed } from "../../../../../../src/account/host/keys/bulk/bulkReport.ts";
import { BulkRun, type BulkWork } from "../../../../../../src/account/host/keys/bulk/bulkRun.ts";
import { ApiError } from "../../../../../../src/api/errors/errors.ts";

const never = new AbortController().signal;
const refused = () => new ApiError("invalid-request", "no", { status: 400, mayHaveArrived: true });
const broken = () => new ApiError("unavailable", "broken", { status: 500, mayHaveArrived: true });
const away = () => new ApiError("network", "away", { mayHaveArrived: false });

function workOf(act: BulkWork<string, string>["act"], isRepeatable = true): BulkWork<string, string> {
  return { nameOf: (item) => item, act, isRepeatable, reasonOf: (error) => (error as ApiError).message };
}
const namesOf = (run: BulkRun<string, string>) => ({
  done: run.done.map(([item]) => item).join(""),
  failed: run.failed.map(({ item }) => item).join(""),
  unsure: run.unsure.map(({ item }) => item).join(""),
  left: run.left.join(""),
});

test("a service that fails on the third of five: the others are done, and the third again on Continue", async () => {
  const asked: string[] = [];
  const run = new BulkRun(
    [..."abcde"],
    workOf(async (item) => {
      asked.push(item);
      if (item === "c" && asked.length === 3) throw broken();
      return item;
    }),
  );
  await run.run(never, () => {});
  assert.deepEqual(namesOf(run), { done: "abde", failed: "c", unsure: "", left: "" });
  assert.equal(run.hasMore, true);
  await run.run(never, () => {});
  assert.deepEqual(namesOf(run), { done: "abdec", failed: "", unsure: "", left: "" });
  assert.equal(asked.join(""), "abcdec");
  assert.equal(run.hasMore, false);
});

test("a key that may have been created is not created again; one that was refused is tried again", async () => {
  const asked: string[] = [];
  const errors: Record<string, () => ApiError> = { b: broken, c: refused, d: away };
  const run = new BulkRun(
    [..."abcde"],
    workOf(async (item) => {
      asked.push(item);
      const error = errors[item]?.();
      delete errors[item];
      if (error) throw error;
      return item;
    }, false),
  );
  // Three failures in a row end a run.
  await run.run(never, () => {});
  assert.deepEqual(namesOf(run), { done: "a", failed: "cd", unsure: "b", left: "e" });
  await run.run(never, () => {});
  assert.deepEqual(namesOf(run), { done: "acde", failed: "", unsure: "b", left: "" });
  assert.equal(asked.join(""), "abcdcde");
  const { message, detail } = bulkReport(run, { title: "Creating keys", done: "created" });
  assert.equal(message, "4 of 5 keys were created.");
  assert.equal(
    detail,
    "May be created, so not tried again. Look at the list of keys:\n  b: broken\n\nCreated:\n  a\n  c\n  d\n  e",
  );
});

test("a stop leaves the rest, and the item in progress is done or left, never half counted", async () => {
  const stopping = new AbortController();
  const run = new BulkRun(
    [..."abcd"],
    workOf(async (item) => {
      if (item === "b") {
        stopping.abort();
        throw new ApiError("cancelled", "stopped", { mayHaveArrived: true });
      }
      return item;
    }),
  );
  await run.run(stopping.signal, () => {});
  assert.deepEqual(namesOf(run), { done: "a", failed: "", unsure: "", left: "bcd" });
  const { message, detail } = bulkReport(run, { title: "Revoking keys", done: "revoked" });
  assert.equal(message, "1 of 4 keys was revoked.");
  assert.match(detail, /^Not tried:\n {2}b\n {2}c\n {2}d\n\nRevoked:\n {2}a$/);
});

test("a stop during the wait for the service's rate leaves the key that waits", async () => {
  const stopping = new AbortController();
  const run = new BulkRun([..."ab"], {
    ...workOf(async (item) => item, false),
    async pause(signal) {
      if (run.done.length === 0) return;
      stopping.abort();
      if (signal.aborted) throw new ApiError("cancelled", "stopped", { mayHaveArrived: false });
    },
  });
  await run.run(stopping.signal, () => {});
  assert.deepEqual(namesOf(run), { done: "a", failed: "", unsure: "", left: "b" });
});

const failures: Readonly<Record<string, () => ApiError>> = {
  refused,
  broken,
  away,
  stop: () => new ApiError("cancelled", "stopped", { mayHaveArrived: false }),
};

test("over any failures and stops each item is in one list, and none that is or may be done is asked again", async () => {
  const outcome = fc.constantFrom("done", "done", "done", "refused", "broken", "away", "stop");
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(outcome, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      async (plans, isRepeatable) => {
        const items = plans.map((_, index) => String(index));
        const tries = new Map<string, number>();
        const settled = new Set<string>();
        let stopping = new AbortController();
        const run = new BulkRun(
          items,
          workOf(async (item) => {
            assert.equal(settled.has(item), false, `${item} again`);
            const count = tries.get(item) ?? 0;
            tries.set(item, count + 1);
            const how = plans[Number(item)]?.[count] ?? "done";
            if (how === "done" || (how === "broken" && !isRepeatable)) settled.add(item);
            if (how === "stop") stopping.abort();
            const error = failures[how]?.();
            if (error) throw error;
            return item;
          }, isRepeatable),
        );
        for (let round = 0; run.hasMore && round < 100; round++) {
          stopping = new AbortController();
          await run.run(stopping.signal, () => {});
          const all = Object.values(namesOf(run)).join("").length;
          assert.equal(all, items.join("").length);
        }
        assert.equal(run.hasMore, false);
      },
    ),
  );
});

test("long lists are cut, and say how many are left out", () => {
  const lines = listed(Array.from({ length: 35 }, (_, index) => `key ${index}`)).split("\n");
  assert.deepEqual([lines.length, lines.at(-1)], [31, "  and 5 more"]);
});

test("what fails after a key was created, such as a full disk, does not create it again", async () => {
  const asked: string[] = [];
  const run = new BulkRun(
    [..."ab"],
    workOf(async (item) => {
      asked.push(item);
      if (item === "a") throw new Error("ENOSPC");
      return item;
    }, false),
  );
  await run.run(never, () => {});
  await run.run(never, () => {});
  assert.deepEqual(namesOf(run), { done: "b", failed: "", unsure: "a", left: "" });
  assert.equal(asked.join(""), "ab");
});
