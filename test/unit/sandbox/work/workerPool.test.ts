// Worker threads: results and refusals are returned, a caller's disconnect ends the work, and concurrency is bounded.
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Threads } from "../../../../src/sandbox/work/threads.ts";
import { createSlots, createWorkerPool } from "../../../../src/sandbox/work/workerPool.ts";
import { patient, refusalOf } from "../sandboxMedia.ts";

const speech = {
  text: "One. Two. Three.",
  voice: { variant: "m3", pitchHz: 120 },
  format: "pcm",
  speed: 1,
  language: undefined,
  liveliness: 0,
  streaming: true,
  program: undefined,
} as const;

test("a job's result and its refusal are returned from the thread", async () => {
  const workerPool = createWorkerPool();
  assert.equal(await workerPool.run("parseDocument", Buffer.from("plain words"), patient), "plain words");
  const refusal = await refusalOf(() => workerPool.run("parseDocument", Buffer.from([0, 1, 2, 3]), patient));
  assert.equal(refusal.status, 400);
  assert.deepEqual(
    refusal.details.issues?.map(({ path }) => path),
    [["file"]],
  );
});

test("a job that throws is an error, not a refusal", async () => {
  const noPictures = { images: [] } as never;
  await assert.rejects(createWorkerPool().run("editPicture", noPictures, patient), /an edit needs a picture/);
});

test("chunks arrive as they are produced, and an early return releases the thread", async () => {
  const workerPool = createWorkerPool(1);
  for await (const piece of workerPool.pieces("speak", speech, patient)) {
    assert.ok(piece.byteLength > 1000);
    break;
  }
  assert.equal(await workerPool.run("parseDocument", Buffer.from("next"), patient), "next");
});

test("a return after the last chunk, before the end of the job, releases the thread too", async () => {
  const workerPool = createWorkerPool(1);
  for (const text of ["first", "second"]) {
    for await (const piece of workerPool.pieces("parseDocument", Buffer.from(text), patient)) {
      assert.equal(piece, text);
      break;
    }
  }
  assert.equal(await workerPool.run("parseDocument", Buffer.from("next"), patient), "next");
});

test("an idle thread does the next job, one that exited does not", async () => {
  const threads = new Threads();
  const first = threads.take();
  const second = threads.take();
  threads.keep(first);
  threads.keep(second);
  assert.equal(threads.take(), second);
  assert.equal(threads.take(), first);
  threads.keep(first);
  await first.terminate();
  const third = threads.take();
  assert.notEqual(third, first);
  await Promise.all([second.terminate(), third.terminate()]);
});

test("a signal ends a running job and a waiting one, with its own reason", async () => {
  const workerPool = createWorkerPool(1);
  const leave = new AbortController();
  const running = workerPool.pieces("speak", { ...speech, text: "One. ".repeat(800) }, patient);
  await running.next();
  const waiting = workerPool.run("parseDocument", Buffer.from("never"), leave.signal);
  leave.abort(new Error("gone"));
  await assert.rejects(waiting, /gone/);
  await running.return(undefined);

  const stop = new AbortController();
  const long = workerPool.pieces("speak", { ...speech, text: "One. ".repeat(800) }, stop.signal);
  await long.next();
  stop.abort(new Error("enough"));
  await assert.rejects(async () => {
    for await (const piece of long) assert.ok(piece);
  }, /enough/);
  await assert.rejects(workerPool.run("parseDocument", Buffer.from("x"), stop.signal), /enough/);
});

test("a job without a listener releases its thread", async () => {
  const workerPool = createWorkerPool(1);
  const forgotten = workerPool.pieces("speak", speech, patient);
  await forgotten.next();
  assert.equal(await workerPool.run("parseDocument", Buffer.from("next"), patient), "next");
  const leave = new AbortController();
  const left = workerPool.pieces("speak", { ...speech, text: "One. ".repeat(800) }, leave.signal);
  await left.next();
  leave.abort(new Error("gone"));
  assert.equal(await workerPool.run("parseDocument", Buffer.from("again"), patient), "again");
});

test("jobs beyond the number of threads wait in their order", async () => {
  const slots = createSlots(1);
  const order: string[] = [];
  const first = await slots.take(patient);
  const second = slots.take(patient).then((release) => {
    order.push("second");
    return release;
  });
  const third = slots.take(patient).then(() => order.push("third"));
  order.push("first done");
  first();
  (await second)();
  await third;
  assert.deepEqual(order, ["first done", "second", "third"]);
});

test("a thread that was idle for too long is not reused, even before it has exited", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const threads = new Threads();
  const old = threads.take();
  await once(old, "online");
  threads.keep(old);
  const exited = once(old, "exit");
  t.mock.timers.tick(60_000);
  const next = threads.take();
  assert.notEqual(next, old);
  await exited;
  await next.terminate();
});
