import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { free } from "../price.ts";

const Id = z.union([z.string(), z.number(), z.null()]);

/** One call. `params` may also be an object on chains whose nodes take names. */
export const RpcItem = z.strictObject({
  jsonrpc: z.literal("2.0"),
  method: z.string().min(1),
  params: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).optional(),
  id: Id.optional(),
});
export type RpcItem = z.infer<typeof RpcItem>;

/** Up to 100 items with an id each, no two alike (spec E3; wire.md section 9). */
export const RpcBatch = z
  .array(RpcItem)
  .min(1)
  .max(100)
  .superRefine((items, context) => {
    const seen = new Set<unknown>();
    items.forEach(({ id }, index) => {
      if (id === undefined)
        context.addIssue({ code: "custom", path: [index, "id"], message: "is needed in a batch" });
      else if (seen.has(id)) {
        context.addIssue({ code: "custom", path: [index, "id"], message: "stands twice in the batch" });
      }
      seen.add(id);
    });
  });

/** What came back for one call; either `result` or `error`. */
export const RpcAnswer = z.looseObject({
  jsonrpc: z.string().nullish(),
  id: Id.optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number(), message: z.string(), data: z.unknown().optional() }).nullish(),
});
export type RpcAnswer = z.infer<typeof RpcAnswer>;

export const IdempotencyKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,255}$/, "must be 1 to 255 of A-Z, a-z, 0-9, _ and -");

export const rpc = {
  /** POST /crypto/rpc/{network} (spec E3): one call or a batch, answered in any order. */
  call: endpoint({
    method: "POST",
    path: "/crypto/rpc/{network}",
    auth: "inference",
    encode: "whole",
    headers: { idempotencyKey: "Idempotency-Key" },
    decode: "json",
    resend: "keyed",
    price: { by: "credits" },
    input: z.strictObject({
      network: z.string().regex(/^[a-z0-9-]{1,64}$/, "must be a slug such as ethereum-mainnet"),
      body: z.union([RpcBatch, RpcItem]),
      idempotencyKey: IdempotencyKey.optional(),
    }),
    output: z.union([z.array(RpcAnswer), RpcAnswer]),
  }),
  /** GET /crypto/rpc/networks (wire.md section 1): the slugs that the service offers now. */
  networks: endpoint({
    method: "GET",
    path: "/crypto/rpc/networks",
    auth: "public",
    encode: "query",
    decode: "json",
    resend: "reading",
    price: free,
    input: z.strictObject({}),
    output: z.looseObject({ networks: z.array(z.string()) }),
  }),
};
