import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { listOf } from "./list.ts";

/** One limit of one model: `amount` requests or tokens per period. */
export const RateLimit = z.looseObject({
  amount: z.number(),
  /** Open: RPM, RPD, TPM. */
  type: z.string(),
});
export type RateLimit = z.infer<typeof RateLimit>;

/** Reply of GET /api_keys/rate_limits (wire.md section 6). */
export const RateLimits = z.looseObject({
  data: z.looseObject({
    accessPermitted: z.boolean().nullish(),
    apiTier: z.looseObject({ id: z.string(), isCharged: z.boolean().nullish() }).nullish(),
    balances: z.record(z.string(), z.number().nullable()).nullish(),
    /** ISO date-time at which the key expires; null for never. */
    keyExpiration: z.string().nullish(),
    /** ISO date-time. */
    nextEpochBegins: z.string().nullish(),
    rateLimits: listOf(z.looseObject({ apiModelId: z.string(), rateLimits: listOf(RateLimit) })).nullish(),
  }),
});
export type RateLimits = z.infer<typeof RateLimits>;

export const account = {
  /** GET /api_keys/rate_limits (spec E14). Refuses a bad key, which listing models does not: it proves keys. */
  rateLimits: endpoint({
    method: "GET",
    path: "/api_keys/rate_limits",
    auth: "inference",
    encode: "query",
    decode: "json",
    resend: "reading",
    input: z.strictObject({}),
    output: RateLimits,
  }),
};
