import * as z from "zod";
import { isAccountAmount } from "../../../shared/money/believable.ts";
import { endpoint } from "../../endpoint.ts";
import { free } from "../../money/price.ts";
import { listOf } from "../list.ts";
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

const amount = z.custom<number>(isAccountAmount, { error: "must be an amount" });
/** An address of an EVM chain. */
const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, { error: "must be the address of a wallet" });

/** The credits of a wallet in USD (api-missing.md, Wallet). */
export const WalletBalance = z.looseObject({
  balanceUsd: amount,
  /** Allocation of a linked account, which is spent first. */
  diemBalanceUsd: amount.nullish(),
  canConsume: z.boolean().nullish(),
  minimumTopUpUsd: amount.nullish(),
  suggestedTopUpUsd: amount.nullish(),
});
export type WalletBalance = z.infer<typeof WalletBalance>;

/** One line of a wallet's ledger. A charge is negative. */
export const WalletTransaction = z.looseObject({
  id: z.string(),
  amount,
  balanceAfter: amount.nullish(),
  /** Open enum: TOP_UP, CHARGE, REFUND. */
  type: z.string(),
  createdAt: Timestamp,
  requestId: z.string().nullish(),
  modelId: z.string().nullish(),
});
export type WalletTransaction = z.infer<typeof WalletTransaction>;

/** The accounts of wallets, where a service has them. Each call needs a sign-in of the wallet itself. */
export const wallet = {
  /** GET /x402/balance/{address}. */
  balance: endpoint({
    method: "GET",
    path: "/x402/balance/{address}",
    auth: "wallet",
    wallet: true,
    encode: "query",
    decode: "json",
    resend: "reading",
    price: free,
    input: z.strictObject({ address: Address }),
    output: z.looseObject({ data: WalletBalance }),
  }),
  /** GET /x402/transactions/{address}: newest first. */
  transactions: endpoint({
    method: "GET",
    path: "/x402/transactions/{address}",
    auth: "wallet",
    wallet: true,
    encode: "query",
    decode: "json",
    resend: "reading",
    price: free,
    input: z.strictObject({
      address: Address,
      limit: z.int().min(1).max(100).optional(),
      offset: z.int().min(0).optional(),
    }),
    output: z.looseObject({
      data: z.looseObject({
        currentBalance: amount.nullish(),
        transactions: listOf(WalletTransaction),
        pagination: z.looseObject({ hasMore: z.boolean().nullish() }).nullish(),
      }),
    }),
  }),
};
