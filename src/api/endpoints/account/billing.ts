import * as z from "zod";
import { isAccountAmount } from "../../../shared/money/believable.ts";
import { endpoint } from "../../endpoint.ts";
import { free } from "../../money/price.ts";
import { listOf } from "../list.ts";
import { Timestamp } from "./timestamp.ts";

export const Currency = z.enum(["USD", "VCU", "DIEM", "BUNDLED_CREDITS"]);
export type Currency = z.infer<typeof Currency>;

const amount = z.custom<number>(isAccountAmount, { error: "must be an amount" });
const text = z.string().nullish();

/** One record of the bill (spec, Billing usage record). The currency is an open enum; a charge is a negative amount. */
export const UsageRecord = z.object({
  timestamp: Timestamp,
  sku: z.string(),
  pricePerUnitUsd: amount,
  units: amount,
  amount,
  currency: z.string(),
  notes: text,
  inferenceDetails: z
    .object({
      requestId: text,
      /** Milliseconds. */
      inferenceExecutionTime: amount.nullish(),
      promptTokens: amount.nullish(),
      completionTokens: amount.nullish(),
    })
    .nullish(),
});
export type UsageRecord = z.infer<typeof UsageRecord>;

/** Columns of both CSV routes (wire.md section 6). */
export const usageCsvColumns = [
  "timestamp",
  "sku",
  "pricePerUnitUsd",
  "units",
  "amount",
  "currency",
  "notes",
  "inferenceDetails.requestId",
  "inferenceDetails.inferenceExecutionTime",
  "inferenceDetails.promptTokens",
  "inferenceDetails.completionTokens",
] as const;

const Pagination = z.looseObject({ limit: amount, page: amount, total: amount, totalPages: amount });

const dateTime = z.iso.datetime({ offset: true });
const day = z.iso.date({ error: "must be YYYY-MM-DD" });

const UsageQuery = z.strictObject({
  currency: Currency.optional(),
  startDate: dateTime.optional(),
  endDate: dateTime.optional(),
  limit: z.int().min(1).max(500).optional(),
  page: z.int().min(1).optional(),
  sortOrder: z.enum(["asc", "desc"]).optional(),
});

const HistoryQuery = z
  .strictObject({
    startTimestamp: dateTime.optional(),
    endTimestamp: dateTime.optional(),
    currency: Currency.optional(),
    pageSize: z.int().min(10).max(1000).optional(),
    cursor: z.string().min(1).optional(),
  })
  .refine(
    ({ cursor, ...filters }) => cursor === undefined || Object.values(filters).every((v) => v === undefined),
    {
      path: ["cursor"],
      error: "must be the only parameter: it contains the filters of the first page",
    },
  );

const AnalyticsQuery = z
  .strictObject({
    lookback: z
      .string()
      .regex(/^[1-9][0-9]*d$/, "must be a number of days such as 7d")
      .refine((value) => Number.parseInt(value, 10) <= 90, "must be at most 90d")
      .optional(),
    startDate: day.optional(),
    endDate: day.optional(),
  })
  .superRefine(({ lookback, startDate, endDate }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (startDate !== undefined && endDate === undefined) refuse("endDate", "is needed with startDate");
    if (endDate !== undefined && startDate === undefined) refuse("startDate", "is needed with endDate");
    if (lookback !== undefined && startDate !== undefined)
      refuse("lookback", "and a date range exclude each other");
    if (startDate !== undefined && endDate !== undefined && startDate > endDate)
      refuse("startDate", "is after endDate");
  });

const Spend = { totalUsd: amount, totalDiem: amount, totalUnits: amount };

/** Series are named by model or key description. A name may equal a member of Object.prototype. */
const DailySeries = z.record(z.string(), z.unknown());

/** Reply of GET /billing/usage-analytics (spec E1). */
export const UsageAnalytics = z.looseObject({
  lookback: z.string(),
  byDate: listOf(z.looseObject({ date: z.string(), USD: amount.default(0), DIEM: amount.default(0) })),
  byModel: listOf(
    z.looseObject({
      modelName: z.string(),
      unitType: text,
      modelType: text,
      ...Spend,
      breakdown: listOf(
        z.looseObject({ type: z.string(), usd: amount, diem: amount, units: amount }),
      ).nullish(),
    }),
  ),
  byModelDaily: listOf(DailySeries),
  topModels: z.array(z.string()),
  byKey: listOf(
    z.looseObject({ apiKeyId: z.string().nullable(), description: z.string().default(""), ...Spend }),
  ),
  byKeyDaily: listOf(DailySeries),
  topKeyNames: z.array(z.string()),
  byModelDailyUsd: listOf(DailySeries).nullish(),
  byKeyDailyUsd: listOf(DailySeries).nullish(),
});
export type UsageAnalytics = z.infer<typeof UsageAnalytics>;

const get = { method: "GET", auth: "admin", encode: "query", resend: "reading", price: free } as const;

export const billing = {
  /** GET /billing/usage (spec E8). Retired on venice; its successor is `history`. */
  usage: endpoint({
    ...get,
    path: "/billing/usage",
    decode: "json",
    items: { member: "data", schema: UsageRecord },
    input: UsageQuery,
    output: z.object({ data: z.array(UsageRecord), pagination: Pagination, warningMessage: text }),
  }),
  /** GET /billing/usage as CSV; columns in wire.md section 6. */
  usageCsv: endpoint({
    ...get,
    path: "/billing/usage",
    decode: "binary",
    accept: "text/csv",
    input: UsageQuery,
    output: z.unknown(),
  }),
  /** GET /billing/usage-history (wire.md section 6): oldest first, page by cursor, no totals. */
  history: endpoint({
    ...get,
    path: "/billing/usage-history",
    decode: "json",
    items: { member: "data", schema: UsageRecord },
    input: HistoryQuery,
    output: z.object({ data: z.array(UsageRecord), nextCursor: text, warningMessage: text }),
  }),
  /** GET /billing/usage-history as CSV. The header `x-next-cursor` has the next page's cursor. */
  historyCsv: endpoint({
    ...get,
    path: "/billing/usage-history",
    decode: "binary",
    accept: "text/csv",
    input: HistoryQuery,
    output: z.unknown(),
  }),
  /** GET /billing/usage-analytics (spec E1). The service caches it for 10 minutes. */
  analytics: endpoint({
    ...get,
    path: "/billing/usage-analytics",
    status: "beta",
    decode: "json",
    input: AnalyticsQuery,
    output: UsageAnalytics,
  }),
  /** GET /billing/balance, if the service has it (wire.md section 6). */
  balance: endpoint({
    ...get,
    path: "/billing/balance",
    decode: "json",
    input: z.strictObject({}),
    output: z.looseObject({
      canConsume: z.boolean().nullish(),
      consumptionCurrency: text,
      balances: z.looseObject({ diem: amount.nullish(), usd: amount.nullish() }).nullish(),
      diemEpochAllocation: amount.nullish(),
    }),
  }),
};
