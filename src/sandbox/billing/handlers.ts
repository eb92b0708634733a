import { usageCsvColumns } from "../../api/endpoints/account/billing.ts";
import { csvCell } from "../../shared/text/csvCell.ts";
import { json, type Reply } from "../http/reply.ts";
import { Refusal } from "../refusal.ts";
import type { Handler, ServiceCall } from "../state/state.ts";
import { veniceOnly } from "../veniceOnly.ts";
import type { AnalyticsQuery } from "./analytics/period.ts";
import type { Billing } from "./billing.ts";
import type { HistoryQuery } from "./historyPage.ts";
import { nanoNumber, nanoText, plainDigits } from "./ledger/decimal.ts";
import { type LedgerEntry, toUsageRecord } from "./ledger/entry.ts";
import type { PageInfo, UsageQuery } from "./usagePage.ts";

const successor = '</api/v1/billing/usage-history>; rel="successor-version"';

/** The billing routes of both dialects, by route id. */
export function billingHandlers(billing: Billing): Readonly<Record<string, Handler>> {
  return {
    "GET /billing/usage": ({ dialect }, call) => {
      if (dialect.id === "venice") throw retired();
      return usageReply(billing, call);
    },
    "GET /billing/usage-history": veniceOnly((_, call) => historyReply(billing, call)),
    "GET /billing/usage-analytics": (_, { input }) => json(billing.analytics(input as AnalyticsQuery)),
    "GET /billing/balance": veniceOnly(() => json(balance(billing))),
  };
}

function usageReply(billing: Billing, { input, headers }: ServiceCall): Reply {
  const { entries, pagination, warningMessage } = billing.usage(input as UsageQuery);
  if (wantsCsv(headers)) return csv(csvText(entries), paginationHeaders(pagination));
  return json({ data: entries.map(toUsageRecord), pagination, warningMessage });
}

function historyReply(billing: Billing, { input, headers }: ServiceCall): Reply {
  const { entries, nextCursor, warningMessage } = billing.history(input as HistoryQuery);
  if (wantsCsv(headers))
    return csv(csvText(entries), nextCursor === null ? {} : { "x-next-cursor": nextCursor });
  return json({ data: entries.map(toUsageRecord), nextCursor, warningMessage });
}

/** Since 2026-09-16 (wire.md section 2). */
function retired(): Refusal {
  return new Refusal(410, "This route is retired: use GET /billing/usage-history", {
    headers: { link: successor },
  });
}

/** CSV if Accept names it before JSON (spec E8). */
function wantsCsv({ accept }: ServiceCall["headers"]): boolean {
  const types = String(accept ?? "").toLowerCase();
  const csvAt = types.indexOf("text/csv");
  const jsonAt = types.indexOf("application/json");
  return csvAt >= 0 && (jsonAt < 0 || csvAt < jsonAt);
}

function csv(text: string, headers: Record<string, string>): Reply {
  return { status: 200, headers, body: { kind: "text", text, contentType: "text/csv; charset=utf-8" } };
}

function paginationHeaders({ limit, page, total, totalPages }: PageInfo): Record<string, string> {
  return {
    "x-pagination-limit": String(limit),
    "x-pagination-page": String(page),
    "x-pagination-total": String(total),
    "x-pagination-total-pages": String(totalPages),
  };
}

/** DIEM is spent before USD. */
function balance({ account }: Billing): object {
  const { usd, diem } = account.balances();
  return {
    canConsume: diem > 0 || usd > 0,
    consumptionCurrency: diem > 0 ? "DIEM" : "USD",
    balances: { diem: nanoNumber(diem), usd: nanoNumber(usd) },
    diemEpochAllocation: nanoNumber(account.diemPerDay),
  };
}

const eol = "\r\n";

/** A page as CSV with a header row. */
export function csvText(entries: readonly LedgerEntry[]): string {
  const priceText = remembered(plainDigits);
  return [usageCsvColumns.join(","), ...entries.map((entry) => csvRow(entry, priceText)), ""].join(eol);
}

function csvRow(entry: LedgerEntry, priceText: (price: number) => string): string {
  const { requestId, inferenceExecutionTime, promptTokens, completionTokens } = entry.inferenceDetails ?? {};
  return [
    new Date(entry.atMs).toISOString(),
    csvCell(entry.sku),
    priceText(entry.pricePerUnitUsd),
    plainDigits(entry.units),
    nanoText(entry.amount),
    entry.currency,
    csvCell(entry.notes),
    csvCell(requestId ?? ""),
    inferenceExecutionTime,
    promptTokens,
    completionTokens,
  ].join(",");
}

/** Cached, because a page has few prices and many rows. */
function remembered(write: (price: number) => string): (price: number) => string {
  const texts = new Map<number, string>();
  return (price) => {
    const text = texts.get(price) ?? write(price);
    texts.set(price, text);
    return text;
  };
}
