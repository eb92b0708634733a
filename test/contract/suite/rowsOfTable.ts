import type { Endpoint } from "../../../src/api/endpoint.ts";
import { table } from "../../../src/api/table.ts";

type Rows = Readonly<Record<string, Readonly<Record<string, Endpoint>>>>;

/** All rows by name, `chat.stream`. */
export const rows: ReadonlyMap<string, Endpoint> = new Map(
  Object.entries(table as Rows).flatMap(([resource, calls]) =>
    Object.entries(calls).map(([name, row]) => [`${resource}.${name}`, row] as const),
  ),
);
