import { type ApiError, type ErrorKind, isApiError } from "../../api/errors.ts";
import type { Step } from "../../platform/progress.ts";

interface ItemFailure<Item> {
  readonly item: Item;
  readonly error: unknown;
}

/** How a run of many calls ended. Each item is in one of the three lists. */
export interface ManyDone<Item> {
  readonly done: readonly Item[];
  readonly failed: readonly ItemFailure<Item>[];
  /** Not begun, or stopped on the way, when the run was stopped. */
  readonly left: readonly Item[];
}

export interface ManyOptions<Item> {
  readonly items: readonly Item[];
  readonly atOnce: number;
  readonly signal: AbortSignal;
  readonly run: (item: Item) => Promise<void>;
  /** Before each item, after each, and when the run waits for a limit until a time in Unix milliseconds. */
  readonly report?: (progress: ManyProgress) => void;
  readonly now?: () => number;
}

export interface ManyProgress {
  /** Items that are through, failed ones too. */
  readonly through: number;
  /** The number that failed. */
  readonly failed: number;
  readonly waitsUntilMs?: number;
}

/** A limit is waited for; an item that meets it again and again is at fault itself. */
const mostWaits = 20;
/** What will refuse every other item, too. */
const hopeless: ReadonlySet<ErrorKind> = new Set([
  "unauthorized",
  "admin-key-required",
  "payment-required",
  "forbidden",
  "gone",
]);

/** Runs a call for each item, a few at once. What fails is noted and the rest goes on; a limit is waited for. */
export async function runMany<Item>(options: ManyOptions<Item>): Promise<ManyDone<Item>> {
  const { items, atOnce, signal, run, report = () => {}, now = Date.now } = options;
  const done: Item[] = [];
  const failed: ItemFailure<Item>[] = [];
  const left: Item[] = [];
  const queue = items[Symbol.iterator]();
  let opensAtMs = 0;
  let end: { readonly error: unknown } | undefined;
  const progress = () => ({ through: done.length + failed.length, failed: failed.length });
  const waitForLimit = async () => {
    while (!signal.aborted && opensAtMs > now()) {
      report({ ...progress(), waitsUntilMs: opensAtMs });
      await pause(opensAtMs - now(), signal);
    }
  };
  const attempt = async (item: Item, waits = 0): Promise<void> => {
    await waitForLimit();
    if (signal.aborted) return void left.push(item);
    if (end) return void failed.push({ item, error: end.error });
    try {
      await run(item);
      done.push(item);
    } catch (error) {
      if (signal.aborted) return void left.push(item);
      const retryAtMs = limitEnd(error);
      if (retryAtMs !== undefined && waits < mostWaits) {
        opensAtMs = Math.max(opensAtMs, retryAtMs);
        return attempt(item, waits + 1);
      }
      if (isApiError(error) && hopeless.has(error.kind)) end = { error };
      failed.push({ item, error });
    }
  };
  const work = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      report(progress());
      await attempt(next.value);
      report(progress());
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(atOnce, items.length)) }, work));
  return { done, failed, left };
}

/** When a limit opens that turned a call away unbilled; undefined for every other error. */
function limitEnd(error: unknown): number | undefined {
  if (!isApiError(error) || !isLimit(error)) return undefined;
  return error.details.retryAtMs;
}

function isLimit({ kind }: ApiError): boolean {
  return kind === "rate-limited" || kind === "failure-budget";
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    // A timer takes no longer time than this, and fires at once for one; who waits looks at the clock again.
    const timer = setTimeout(wake, Math.min(ms, 2 ** 31 - 1));
    signal.addEventListener("abort", wake, { once: true });
  });
}

/** Reports the progress of a run of many: `5 of 12 read, 7 failed`. */
export function manyText(count: number, report: (step: Step) => void): (progress: ManyProgress) => void {
  let reported = 0;
  return ({ through, failed, waitsUntilMs }) => {
    const increment = ((through - reported) / count) * 100;
    reported = through;
    const time = waitsUntilMs === undefined ? undefined : new Date(waitsUntilMs).toLocaleTimeString();
    const waiting = time === undefined ? "" : `, the service takes more at ${time}`;
    const failures = failed === 0 ? "" : `, ${failed} failed`;
    const message = `${through - failed} of ${count} read${failures}${waiting}`;
    if (count > 1 || time !== undefined) report({ message, increment });
  };
}
