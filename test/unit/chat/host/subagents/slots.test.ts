import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Slots } from "../../../../../src/chat/host/subagents/slots.ts";
import { randomCases } from "../../../../runner/cases.ts";

test("no more runs at once than there are slots, all of it runs in its order, and what is aborted leaves no slot taken", () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.record({ fails: fc.boolean(), isAborted: fc.boolean(), turns: fc.nat(5) }), {
        maxLength: 20,
      }),
      async (count, works) => {
        const slots = new Slots(count);
        let [running, most] = [0, 0];
        const begun: number[] = [];
        const settled = await Promise.allSettled(
          works.map(({ fails, isAborted, turns }, index) => {
            const abort = new AbortController();
            const done = slots.run(abort.signal, async () => {
              begun.push(index);
              running += 1;
              most = Math.max(most, running);
              for (let turn = 0; turn < turns; turn++) await Promise.resolve();
              running -= 1;
              if (fails) throw new Error("failed");
              return index;
            });
            if (isAborted) abort.abort(new Error("aborted"));
            return done;
          }),
        );
        assert.ok(most <= count, `${most} of ${count}`);
        assert.deepEqual(
          begun,
          begun.toSorted((one, other) => one - other),
        );
        for (const [index, { fails, isAborted }] of works.entries()) {
          const hasRun = begun.includes(index);
          if (!isAborted) assert.ok(hasRun);
          assert.equal(settled[index]?.status, hasRun && !fails ? "fulfilled" : "rejected");
        }
        assert.equal(await slots.run(new AbortController().signal, async () => "free"), "free");
      },
    ),
    { numRuns: randomCases(100) },
  ));
