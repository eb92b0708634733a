import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";

/** The shortest wait that a timer is asked for, in milliseconds: faster rates hand out several items at once. */
const minWaitMs = 4;
/** The most items handed out before the event loop gets its turn. */
const maxBatch = 256;

/**
 * Hands out items at a rate, in batches of what has become due. An infinite rate goes as fast as the reader takes
 * them. The rate is asked anew each time; the signal ends the wait by throwing its reason.
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
