import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SerialQueue } from "../../../src/shared/serialQueue.ts";

test("tasks run in the order of their calls, one at a time, whatever each does and whoever fails", async () => {
  const task = fc.record({ turns: fc.nat(4), fails: fc.boolean(), throws: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(task), async (tasks) => {
      const reported: unknown[] = [];
      const queue = new SerialQueue((error) => reported.push(error));
      const began: number[] = [];
      const ended: number[] = [];
      let running = 0;
      const results = tasks.map(({ turns, fails, throws }, index) =>
        queue.run(() => {
          began.push(index);
          assert.equal(++running, 1);
          if (throws) {
            running -= 1;
            throw index;
          }
          return (async () => {
            for (let turn = 0; turn < turns; turn++) await null;
            running -= 1;
            ended.push(index);
            if (fails) throw index;
            return index;
          })();
        }),
      );
      const settled = await Promise.allSettled(results);
      assert.deepEqual(began, [...tasks.keys()]);
      assert.deepEqual(
        ended,
        began.filter((index) => !tasks[index]?.throws),
      );
      const failed = began.filter((index) => tasks[index]?.throws || tasks[index]?.fails);
      assert.deepEqual(reported, failed);
      settled.forEach((result, index) => {
        assert.equal(result.status === "rejected" ? result.reason : result.value, index);
        assert.equal(result.status === "rejected", failed.includes(index));
      });
    }),
  );
});
