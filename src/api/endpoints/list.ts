import * as z from "zod";

/** A list in which one odd row never fails the others: rows that do not fit `row` are left out. */
export function listOf<Row extends z.ZodType>(row: Row) {
  return z.array(z.unknown()).transform((rows) =>
    rows.flatMap((value) => {
      const parsed = row.safeParse(value);
      return parsed.success ? [parsed.data as z.output<Row>] : [];
    }),
  );
}
