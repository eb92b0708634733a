/** A search result's text. */
export interface Passage {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  /** Synonyms that are searched but not shown. */
  readonly also: string;
  readonly text: string;
  /** ISO 8601, empty if unknown. */
  readonly date: string;
}
