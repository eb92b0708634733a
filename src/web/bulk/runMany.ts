import { type ErrorKind, isApiError, isLimit } from "../../api/errors/errors.ts";
import type { Step } from "../../platform/editor/dialogs/progress.ts";

interface ItemFailure<Item> {
  readonly item: Item;
  readonly error: unknown;
}

/** Each item of a run is in one of these lists, each in the order in which the items were asked for. */
export interface ManyDone<Item> {
  readonly done: readonly Item[];
  readonly failed: readonly ItemFailure<Item>[];
  /** Not started, or interrupted, when the run was stopped. */
  readonly left: readonly Item[];
}

export interface ManyOptions<Item> {
  readonly items: readonly Item[];
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly run: (item: Item) => Promise<void>;
  /** Called before and after each item, and while the run waits for a rate limit. */
  readonly report?: (progress: ManyProgress) => void;
  readonly now?: () => number;
}

export interface ManyProgress {
  /** Number of items that have ended, including failed ones. */
  readonly ended: number;
  /** Number of failed items. */
  readonly failed: number;
  /** Unix milliseconds. */
  readonly waitsUntilMs?: number;
}

/** Number of waits after which a rejected item counts as failed. */
const mostWaits = 20;
/** Errors that every other item would get, too. */
const fatal: ReadonlySet<ErrorKind> = new Set([
  "unauthorized",
  "admin-key-required",
  "payment-required",
  "forbidden",
  "gone",
]);

/** Runs a call for each item, a few at once. Continues after failures, and waits for rate limits. */
export async function runMany<Item>(options: ManyOptions<Item>): Promise<ManyDone<Item>> {
  const { items, concurrency, signal, run, report = () => {}, now = Date.now } = options;
  const done: Item[] = [];
  const failed: ItemFailure<Item>[] = [];
  const left: Item[] = [];
  const queue = items[Symbol.iterator]();
  let opensAtMs = 0;
  let abort: { readonly error: unknown } | undefined;
  const progress = () => ({ ended: done.length + failed.length, failed: failed.length });
  const waitForLimit = async () => {
    while (!signal.aborted && opensAtMs > now()) {
      report({ ...progress(), waitsUntilMs: opensAtMs });
      await pause(opensAtMs - now(), signal);
    }
  };
  const attempt = async (item: Item, waits = 0): Promise<void> => {
    await waitForLimit();
    if (signal.aborted) return void left.push(item);
    if (abort) return void failed.push({ item, error: abort.error });
    try {
      await run(item);
      done.push(item);
    } catch (error) {
      await afterFailure(item, error, waits);
    }
  };
  const afterFailure = async (item: Item, error: unknown, waits: number): Promise<void> => {
    if (signal.aborted) return void left.push(item);
    const retryAtMs = waits < mostWaits ? limitEnd(error) : undefined;
    if (retryAtMs !== undefined) {
      opensAtMs = Math.max(opensAtMs, retryAtMs);
      return attempt(item, waits + 1);
    }
    if (isFatal(error)) abort = { error };
    failed.push({ item, error });
  };
  const work = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      report(progress());
      await attempt(next.value);
      report(progress());
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(concurrency, items.length)) }, work));
  const places = new Map(items.map((item, index) => [item, index]));
  const asAsked = (one: Item, other: Item) => (places.get(one) ?? 0) - (places.get(other) ?? 0);
  return {
    done: done.toSorted(asAsked),
    failed: failed.toSorted((one, other) => asAsked(one.item, other.item)),
    left: left.toSorted(asAsked),
  };
}

function isFatal(error: unknown): boolean {
  return isApiError(error) && fatal.has(error.kind);
}

/** Unix milliseconds when the rate limit that rejected a call ends. Undefined for other errors. */
function limitEnd(error: unknown): number | undefined {
  if (!isApiError(error) || !isLimit(error)) return undefined;
  return error.details.retryAtMs;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    // setTimeout fires at once for a longer time. The caller checks the clock again.
    const timer = setTimeout(wake, Math.min(ms, 2 ** 31 - 1));
    signal.addEventListener("abort", wake, { once: true });
  });
}

/** Reports the progress of a run of many: `5 of 12 read, 7 failed`. */
export function manyText(count: number, report: (step: Step) => void): (progress: ManyProgress) => void {
  let reported = 0;
  return ({ ended, failed, waitsUntilMs }) => {
    const increment = ((ended - reported) / count) * 100;
    reported = ended;
    const time = waitsUntilMs === undefined ? undefined : new Date(waitsUntilMs).toLocaleTimeString();
    const waiting = time === undefined ? "" : `, waiting for the rate limit until ${time}`;
    const failures = failed === 0 ? "" : `, ${failed} failed`;
    const message = `${ended - failed} of ${count} read${failures}${waiting}`;
    if (count > 1 || time !== undefined) report({ message, increment });
  };
}
