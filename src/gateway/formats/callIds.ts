/**
 * The ids of the calls of one answer. A client finds the result of a call by its id, so that a call without one, and a second
 * one with the same, gets its own.
 */
export class CallIds {
  readonly #newId: () => string;
  readonly #taken = new Set<string>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** The id for the next call, for which the service has said this one. */
  next(said: string | null | undefined): string {
    const id = said && !this.#taken.has(said) ? said : this.#newId();
    this.#taken.add(id);
    return id;
  }
}
