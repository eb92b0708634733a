/** A piece of text that a search can find. */
export interface Passage {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  /** Other words for it, which are looked up but not shown. */
  readonly also: string;
  readonly text: string;
  /** ISO 8601, empty where unknown. */
  readonly date: string;
}
