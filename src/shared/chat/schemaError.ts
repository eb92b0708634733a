/** A violation of a JSON schema. */
export interface SchemaError {
  /** The path, as in `people/1`; empty for the whole document. */
  readonly at: string;
  readonly message: string;
}
