import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { free } from "../money/price.ts";
import { listOf } from "./list.ts";
import { Timestamp } from "./timestamp.ts";

/** One limit of one model: `amount` requests or tokens per period. */
export const RateLimit = z.looseObject({
  amount: z.number(),
  /** Open enum: RPM, RPD, TPM. */
  type: z.string(),
});
export type RateLimit = z.infer<typeof RateLimit>;

/** Reply of GET /api_keys/rate_limits (wire.md section 6). */
export const RateLimits = z.looseObject({
  data: z.looseObject({
    accessPermitted: z.boolean().nullish(),
    apiTier: z.looseObject({ id: z.string(), isCharged: z.boolean().nullish() }).nullish(),
    balances: z.record(z.string(), z.number().nullable()).nullish(),
    /** ISO date-time of the key's expiry; null if it never expires. */
    keyExpiration: z.string().nullish(),
    /** ISO date-time. */
    nextEpochBegins: z.string().nullish(),
    rateLimits: listOf(z.looseObject({ apiModelId: z.string(), rateLimits: listOf(RateLimit) })).nullish(),
  }),
});
export type RateLimits = z.infer<typeof RateLimits>;

/** One request that was refused because of a limit. */
export const RateLimitLogEntry = z.looseObject({
  apiKeyId: z.string().nullish(),
  modelId: z.string().nullish(),
  rateLimitTier: z.string().nullish(),
  rateLimitType: z.string().nullish(),
  /** ISO date-time. */
  timestamp: Timestamp,
});
export type RateLimitLogEntry = z.infer<typeof RateLimitLogEntry>;

export const account = {
  /**
   * GET /api_keys/rate_limits (spec E14). Unlike the list of models it refuses an invalid key, so it is used to verify
   * keys.
   */
  rateLimits: endpoint({
    method: "GET",
    path: "/api_keys/rate_limits",
    auth: "inference",
    encode: "query",
    decode: "json",
    resend: "reading",
    price: free,
    input: z.strictObject({}),
    output: RateLimits,
  }),
  /** GET /api_keys/rate_limits/log, if the service has it (wire.md section 6): the last 50 refusals. */
  rateLimitLog: endpoint({
    method: "GET",
    path: "/api_keys/rate_limits/log",
    auth: "inference",
    encode: "query",
    decode: "json",
    resend: "reading",
    price: free,
    input: z.strictObject({}),
    output: z.looseObject({ data: listOf(RateLimitLogEntry) }),
  }),
};
