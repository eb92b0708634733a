import * as z from "zod";

/** A list that drops rows which do not match `row`, so that one invalid row does not fail the whole list. */
export function listOf<Row extends z.ZodType>(row: Row) {
  return z.array(z.unknown()).transform((rows) =>
    rows.flatMap((value) => {
      const parsed = row.safeParse(value);
      return parsed.success ? [parsed.data as z.output<Row>] : [];
    }),
  );
}
