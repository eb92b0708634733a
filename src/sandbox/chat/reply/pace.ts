import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";

/** The shortest timer in milliseconds. Faster rates yield several items at once. */
const minWaitMs = 4;
/** The most items before control returns to the event loop. */
const maxBatch = 256;

/**
 * Yields items at a rate, in batches. An infinite rate is limited by the reader only. The rate is read before each
 * batch. Throws the signal's reason.
 */
export async function* paced<T>(
  items: Iterable<T>,
  perSecond: () => number,
  signal: AbortSignal,
): AsyncGenerator<readonly T[]> {
  const iterator = items[Symbol.iterator]();
  let due = 1;
  let lastMs = performance.now();
  for (;;) {
    const batch = take(iterator, Math.min(maxBatch, Math.floor(due)));
    if (batch.length > 0) yield batch;
    if (batch.length < Math.min(maxBatch, Math.floor(due))) return;
    due -= batch.length;
    await wait(due, perSecond(), signal);
    const nowMs = performance.now();
    const rate = perSecond();
    due = Number.isFinite(rate) ? due + ((nowMs - lastMs) / 1000) * rate : maxBatch;
    lastMs = nowMs;
  }
}

async function wait(due: number, rate: number, signal: AbortSignal): Promise<void> {
  const ms = due >= 1 || !Number.isFinite(rate) ? 0 : ((1 - due) / rate) * 1000;
  if (ms === 0) await nextTurn(undefined, { signal });
  else await delay(Math.max(minWaitMs, ms), undefined, { signal });
}

function take<T>(iterator: Iterator<T>, count: number): T[] {
  const taken: T[] = [];
  while (taken.length < count) {
    const { done, value } = iterator.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}
