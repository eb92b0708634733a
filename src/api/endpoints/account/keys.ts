import * as z from "zod";
import { endpoint } from "../../endpoint.ts";
import { free } from "../../money/price.ts";
import { listOf } from "../list.ts";
import { Timestamp } from "./timestamp.ts";

const ApiKeyType = z.enum(["INFERENCE", "ADMIN"]);
const LimitPeriod = z.enum(["EPOCH", "MONTH", "LIFETIME"]);

/** The models that a key may call: all, private text models, or only private models. */
export const ModelPrivacy = z.enum(["ALL", "PRIVATE_TEXT", "PRIVATE_ONLY"]);
export type ModelPrivacy = z.infer<typeof ModelPrivacy>;

const amount = z.number().min(0).nullable().optional();

/** Limits of one key; `vcu` is deprecated in favour of `diem`. */
const ConsumptionLimit = z.strictObject({ usd: amount, diem: amount, vcu: amount });

const expiresAt = z.union([z.iso.datetime({ offset: true }), z.iso.date(), z.literal("")]);
const text = z.string().nullish();
const decimal = z.union([z.string(), z.number()]).nullish();

const Limits = z.looseObject({
  usd: z.number().nullish(),
  diem: z.number().nullish(),
  vcu: z.number().nullish(),
});

/** A key in a reply (spec, API key record). Enums are open because a newer service may have more values. */
export const ApiKey = z.looseObject({
  id: z.string(),
  apiKeyType: text,
  description: text,
  consumptionLimits: Limits.nullish(),
  limitPeriod: text,
  expiresAt: Timestamp.nullish(),
  createdAt: Timestamp.nullish(),
  lastUsedAt: Timestamp.nullish(),
  last6Chars: text,
  usage: z
    .looseObject({
      trailingSevenDays: z.looseObject({ usd: decimal, vcu: decimal, diem: decimal }).nullish(),
    })
    .nullish(),
  modelPrivacy: text,
});
export type ApiKey = z.infer<typeof ApiKey>;

const Created = z.looseObject({
  id: z.string(),
  /** The secret. The service returns it only once. */
  apiKey: z.string(),
  apiKeyType: text,
  description: text,
  consumptionLimit: Limits.nullish(),
  limitPeriod: text,
  expiresAt: Timestamp.nullish(),
  modelPrivacy: text,
});

/** The reply to a change, which may leave `success` out. False is a failure, whatever the status says. */
const doneUnless = (error: string) =>
  z
    .looseObject({ success: z.boolean().nullish() })
    .refine(({ success }) => success !== false, { path: ["success"], error });

const admin = { path: "/api_keys", auth: "admin", decode: "json", price: free } as const;

export const keys = {
  /** POST /api_keys (spec E6): 20 a minute, 500 active keys. Never retried: each success creates another key. */
  create: endpoint({
    ...admin,
    method: "POST",
    encode: "json",
    resend: "billed",
    hasSecretReply: true,
    input: z.strictObject({
      apiKeyType: ApiKeyType,
      description: z.string(),
      consumptionLimit: ConsumptionLimit.optional(),
      limitPeriod: LimitPeriod.optional(),
      expiresAt: expiresAt.optional(),
      modelPrivacy: ModelPrivacy.optional(),
    }),
    output: z
      .looseObject({ success: z.boolean(), data: Created })
      .refine(({ success }) => success, { path: ["success"], error: "the service made no key" }),
  }),
  /** GET /api_keys/{id} (spec E12). */
  read: endpoint({
    ...admin,
    method: "GET",
    path: "/api_keys/{id}",
    encode: "query",
    resend: "reading",
    input: z.strictObject({ id: z.string().min(1) }),
    output: z.looseObject({ data: ApiKey }),
  }),
  /** GET /api_keys, if the service has it (wire.md section 6). */
  list: endpoint({
    ...admin,
    method: "GET",
    encode: "query",
    resend: "reading",
    input: z.strictObject({}),
    output: z.looseObject({ data: listOf(ApiKey) }),
  }),
  /** PATCH /api_keys, if the service has it (wire.md section 6). */
  update: endpoint({
    ...admin,
    method: "PATCH",
    encode: "json",
    resend: "reading",
    input: z.strictObject({
      id: z.string().min(1),
      description: z.string().optional(),
      expiresAt: expiresAt.optional(),
      consumptionLimit: ConsumptionLimit.optional(),
      limitPeriod: LimitPeriod.optional(),
      modelPrivacy: ModelPrivacy.optional(),
    }),
    output: doneUnless("the service did not change the key"),
  }),
  /** DELETE /api_keys?id=, if the service has it (wire.md section 6). */
  revoke: endpoint({
    ...admin,
    method: "DELETE",
    encode: "query",
    resend: "reading",
    input: z.strictObject({ id: z.string().min(1) }),
    output: doneUnless("the service did not revoke the key"),
  }),
};
