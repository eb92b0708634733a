import assert from "node:assert/strict";
import { test } from "node:test";
import { createDaySums } from "../../../src/features/rpc/daySums.ts";
import { dayMs } from "../../../src/shared/days.ts";

type Notebook = Parameters<ReturnType<typeof createDaySums>["of"]>[0];
const notebook = (uri: string) => ({ uri: { toString: () => uri } }) as Notebook;
const [one, other] = [notebook("file:///one.rpc.md"), notebook("untitled:/other.rpc.md")];

/** A store that windows share, as the editor keeps one. */
function createStore() {
  const kept = new Map<string, unknown>();
  return {
    get: <Value>(key: string) => kept.get(key) as Value,
    update: async (key: string, value: unknown) => void kept.set(key, structuredClone(value)),
  };
}

test("what notebooks cost adds up for each and for all, in every window, until the day is over", async () => {
  const store = createStore() as Parameters<typeof createDaySums>[0];
  let nowMs = 20_000 * dayMs;
  const [here, there] = [createDaySums(store, () => nowMs), createDaySums(store, () => nowMs)];
  await here.add(one, { credits: 40, usd: 0.5 });
  await there.add(one, { credits: 20, usd: 0.25 });
  await there.add(other, { credits: 5, usd: 0.125 });
  await there.add(other, { credits: 0, usd: 0 });
  assert.deepEqual(here.of(one), { credits: 60, usd: 0.75 });
  assert.deepEqual(here.all(), { credits: 65, usd: 0.875 });
  await here.forget(other);
  await here.forget(other);
  assert.equal(there.of(other).credits, 0);
  assert.equal(there.all().credits, 65);
  nowMs += dayMs - 1;
  assert.equal(here.of(one).credits, 60);
  nowMs += 1;
  assert.deepEqual(
    [here.of(one), here.all()],
    [
      { credits: 0, usd: 0 },
      { credits: 0, usd: 0 },
    ],
  );
});
