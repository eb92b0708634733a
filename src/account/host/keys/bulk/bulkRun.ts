import { isApiError, isCancelled } from "../../../../api/errors/errors.ts";

/** What is done to each of many items, one after the other. */
export interface BulkWork<Item, Result> {
  readonly nameOf: (item: Item) => string;
  /** Rejects with the reason of a failure. */
  readonly act: (item: Item, signal: AbortSignal) => Promise<Result>;
  /** Waits before an item, if the service wants that. */
  readonly pause?: (signal: AbortSignal) => Promise<void>;
  /** True if doing it twice is the same as doing it once. If not, an item that may be done is not tried again. */
  readonly isRepeatable: boolean;
  readonly reasonOf: (error: unknown) => string;
}

interface Failure<Item> {
  readonly item: Item;
  readonly reason: string;
}

/** After so many failures in a row the others would fail, too, and the service may refuse the key for a while. */
const mostFailures = 3;

/** Does something to many items. It can be stopped, and run again for what is left: nothing is done twice. */
export class BulkRun<Item, Result> {
  readonly #work: BulkWork<Item, Result>;
  readonly #done: (readonly [item: Item, result: Result])[] = [];
  readonly #unsure: Failure<Item>[] = [];
  #failed: Failure<Item>[] = [];
  #left: readonly Item[];

  constructor(items: readonly Item[], work: BulkWork<Item, Result>) {
    this.#left = items;
    this.#work = work;
  }

  get done(): readonly (readonly [item: Item, result: Result])[] {
    return this.#done;
  }

  /** Items that may be done: the service received the request, and its answer did not arrive. */
  get unsure(): readonly Failure<Item>[] {
    return this.#unsure;
  }

  get failed(): readonly Failure<Item>[] {
    return this.#failed;
  }

  /** Items that were not tried since the last start. */
  get left(): readonly Item[] {
    return this.#left;
  }

  get size(): number {
    return this.#done.length + this.#unsure.length + this.#failed.length + this.#left.length;
  }

  /** True if another run has something to do. */
  get hasMore(): boolean {
    return this.#failed.length + this.#left.length > 0;
  }

  nameOf(item: Item): string {
    return this.#work.nameOf(item);
  }

  /** Tries what failed and what is left. Never rejects. */
  async run(signal: AbortSignal, onStep: (item: Item) => void): Promise<void> {
    this.#left = [...this.#failed.map(({ item }) => item), ...this.#left];
    this.#failed = [];
    let failures = 0;
    while (failures < mostFailures && !signal.aborted) {
      const [item, ...others] = this.#left;
      if (item === undefined) return;
      onStep(item);
      const outcome = await this.#try(item, signal);
      if (outcome === "stopped") return;
      this.#left = others;
      failures = outcome === "failed" ? failures + 1 : 0;
    }
  }

  async #try(item: Item, signal: AbortSignal): Promise<"done" | "failed" | "stopped"> {
    const { act, pause, isRepeatable, reasonOf } = this.#work;
    try {
      await pause?.(signal);
      if (signal.aborted) return "stopped";
      this.#done.push([item, await act(item, signal)]);
      return "done";
    } catch (error) {
      const mayBeDone = !isRepeatable && !isUndone(error);
      const failure = { item, reason: reasonOf(error) };
      if (mayBeDone) this.#unsure.push(failure);
      else if (isCancelled(error) || signal.aborted) return "stopped";
      else this.#failed.push(failure);
      return "failed";
    }
  }
}

/** True if nothing was done: nothing was sent, or the answer says no. Any other error may have come afterwards. */
function isUndone(error: unknown): boolean {
  if (!isApiError(error)) return false;
  const { status, mayHaveArrived } = error.details;
  return (
    mayHaveArrived === false || (status !== undefined && status >= 400 && status < 500 && status !== 408)
  );
}
