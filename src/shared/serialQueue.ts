/**
 * Runs tasks one after the other, in the order of their calls. A task that fails does not stop the next one. Its caller
 * gets the error, and so does `report`, for callers that don't wait.
 */
export class SerialQueue {
  readonly #report: (error: unknown) => void;
  #last: Promise<unknown> = Promise.resolve();

  constructor(report: (error: unknown) => void = () => {}) {
    this.#report = report;
  }

  run<Value>(task: () => Value | PromiseLike<Value>): Promise<Value> {
    const done = this.#last.then(task);
    this.#last = done.catch(this.#report);
    return done;
  }
}
