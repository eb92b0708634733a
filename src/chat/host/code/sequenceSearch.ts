/** A beginning of sought sequences. */
interface Beginning<Item> {
  readonly next: Map<Item, Beginning<Item>>;
  /** Undefined unless a sought sequence ends here. */
  id: number | undefined;
  /** The longest other beginning that this one ends with; undefined for the empty one. */
  shorter: Beginning<Item> | undefined;
  /** The longest other sought sequence that this beginning ends with. */
  within: Beginning<Item> | undefined;
}

/**
 * Finds many sequences in one pass (Aho and Corasick): it takes time linear in them, in the text that is searched, and in the
 * matches.
 */
export class SequenceSearch<Item> {
  readonly #empty = newBeginning<Item>();
  readonly #lengths: number[] = [];
  #isLinked = false;

  /** Returns the id of the sequence, which an equal one shares. */
  add(sequence: Iterable<Item>): number {
    let [place, length] = [this.#empty, 0];
    for (const item of sequence) {
      const next = place.next.get(item) ?? newBeginning<Item>();
      place.next.set(item, next);
      place = next;
      length += 1;
    }
    this.#isLinked = false;
    if (place.id === undefined) {
      place.id = this.#lengths.length;
      this.#lengths.push(length);
    }
    return place.id;
  }

  /** Tells where each sequence begins in a text, in the order of their ends. */
  find(text: Iterable<Item>, onFound: (id: number, start: number) => void): void {
    this.#link();
    let [place, end] = [this.#empty, 0];
    for (const item of text) {
      place = after(place, item) ?? this.#empty;
      end += 1;
      for (let found = place.id === undefined ? place.within : place; found; found = found.within)
        if (found.id !== undefined) onFound(found.id, end - (this.#lengths[found.id] ?? 0));
    }
  }

  #link(): void {
    if (this.#isLinked) return;
    this.#isLinked = true;
    const queue = [this.#empty];
    for (const place of queue)
      for (const [item, next] of place.next) {
        const { shorter } = place;
        next.shorter = shorter ? (after(shorter, item) ?? this.#empty) : this.#empty;
        next.within = next.shorter.id === undefined ? next.shorter.within : next.shorter;
        queue.push(next);
      }
  }
}

function newBeginning<Item>(): Beginning<Item> {
  return { next: new Map(), id: undefined, shorter: undefined, within: undefined };
}

/** The longest beginning that is there after one more item; undefined for the empty one. */
function after<Item>(place: Beginning<Item>, item: Item): Beginning<Item> | undefined {
  for (let from: Beginning<Item> | undefined = place; from; from = from.shorter) {
    const next = from.next.get(item);
    if (next) return next;
  }
  return undefined;
}
