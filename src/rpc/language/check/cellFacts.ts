/** The attributes in the info string of a cell's fence: `name=head network=a, b`. */
export interface CellFacts {
  readonly name?: string;
  /** One slug, or several for a comparison. */
  readonly networks?: readonly string[];
  readonly view?: string;
}
