import type { BillCurrency, LedgerEntry } from "./ledger/entry.ts";
import type { Ledger, Selection } from "./ledger/ledger.ts";

/** GET /billing/usage (spec E8). */
export interface UsageQuery {
  readonly currency?: BillCurrency | undefined;
  /** ISO date-times. The end is exclusive. */
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  readonly limit?: number | undefined;
  readonly page?: number | undefined;
  readonly sortOrder?: "asc" | "desc" | undefined;
}

export interface PageInfo {
  readonly limit: number;
  readonly page: number;
  readonly total: number;
  readonly totalPages: number;
}

export interface BillPage {
  readonly entries: readonly LedgerEntry[];
  readonly pagination: PageInfo;
  readonly warningMessage: string | undefined;
}

/** One page of the bill. Empty after the last one. */
export function usagePage(ledger: Ledger, query: UsageQuery): BillPage {
  const { currency, startDate, endDate, limit = 200, page = 1, sortOrder = "desc" } = query;
  const found = ledger.select({ currency, fromMs: msOf(startDate), toMs: msOf(endDate) });
  const total = found.size;
  return {
    entries: slice(found, (page - 1) * limit, limit, sortOrder),
    pagination: { limit, page, total, totalPages: Math.ceil(total / limit) },
    warningMessage: warningFor(currency),
  };
}

/** Distinguishes DIEM from the legacy name VCU (spec, Billing usage record). */
export function warningFor(currency: BillCurrency | undefined): string | undefined {
  if (currency === "DIEM") {
    return "Only usage billed in DIEM is listed. Usage billed in legacy DIEM (formerly VCU) is listed under VCU.";
  }
  if (currency !== "VCU") return undefined;
  return "Only usage billed in legacy DIEM (formerly VCU) is listed. Usage billed in DIEM is listed under DIEM.";
}

export function msOf(date: string | undefined): number | undefined {
  return date === undefined ? undefined : Date.parse(date);
}

function slice(found: Selection, skipped: number, limit: number, order: "asc" | "desc"): LedgerEntry[] {
  const count = Math.max(0, Math.min(limit, found.size - skipped));
  return Array.from({ length: count }, (_, index) => {
    const position = skipped + index;
    return found.at(order === "asc" ? position : found.size - 1 - position);
  });
}
