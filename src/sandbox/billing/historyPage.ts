import * as z from "zod";
import { parseJson } from "../../shared/text/json/parseJson.ts";
import { badField } from "../refusal.ts";
import type { LedgerEntry } from "./ledger/entry.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { msOf, warningFor } from "./usagePage.ts";

const Filters = z.strictObject({
  startTimestamp: z.string().optional(),
  endTimestamp: z.string().optional(),
  currency: z.enum(["USD", "VCU", "DIEM", "BUNDLED_CREDITS"]).optional(),
  pageSize: z.int().min(10).max(1000).optional(),
});
type Filters = z.infer<typeof Filters>;

/** A cursor contains the filters of the first page and the number of entries returned so far. */
const Cursor = z.strictObject({ ...Filters.shape, read: z.int().min(1) });

/** GET /billing/usage-history (wire.md section 6): filters, or a cursor alone. */
export interface HistoryQuery extends Filters {
  readonly cursor?: string | undefined;
}

export interface HistoryPage {
  readonly entries: readonly LedgerEntry[];
  /** Null after the last page. */
  readonly nextCursor: string | null;
  readonly warningMessage: string | undefined;
}

/** One page of the bill, oldest first. Throws a 400 for a cursor with filters, or an invalid one. */
export function historyPage(ledger: Ledger, query: HistoryQuery): HistoryPage {
  const { cursor, ...filters } = query;
  if (cursor !== undefined && Object.values(filters).some((value) => value !== undefined)) {
    throw badField(
      ["cursor"],
      "A cursor can't be combined with filters: it contains those of the first page",
    );
  }
  const { read, ...asked } = cursor === undefined ? { ...filters, read: 0 } : parseCursor(cursor);
  const { startTimestamp, endTimestamp, currency, pageSize = 100 } = asked;
  const found = ledger.select({ currency, fromMs: msOf(startTimestamp), toMs: msOf(endTimestamp) });
  const count = Math.max(0, Math.min(pageSize, found.size - read));
  const next = read + count;
  return {
    entries: Array.from({ length: count }, (_, index) => found.at(read + index)),
    nextCursor: next < found.size ? toCursor({ ...asked, read: next }) : null,
    warningMessage: warningFor(currency),
  };
}

function toCursor(cursor: z.infer<typeof Cursor>): string {
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

function parseCursor(text: string): z.infer<typeof Cursor> {
  const parsed = Cursor.safeParse(parseJson(Buffer.from(text, "base64url").toString("utf8")));
  if (parsed.success) return parsed.data;
  throw badField(["cursor"], "The cursor is not valid");
}
