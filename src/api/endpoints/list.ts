import * as z from "zod";

/** In place of a row that does not match. */
const dropped = Symbol("dropped");

/**
 * A list that drops rows which do not match `row`, so that one invalid row does not fail the whole list. The schema of a
 * row can be read from the list's.
 */
export function listOf<Row extends z.ZodType>(row: Row) {
  return z
    .array(row.catch(dropped as z.output<Row>))
    .transform((rows) => rows.filter((value): value is z.output<Row> => value !== dropped));
}
