/** What the opening line of a cell says beside the language: `name=head network=a, b`. */
export interface CellFacts {
  readonly name?: string;
  /** One slug, or several for a comparison. */
  readonly networks?: readonly string[];
  readonly view?: string;
}
