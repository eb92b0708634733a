import * as z from "zod";
import { isMembers } from "../../shared/members.ts";
import { endpoint } from "../endpoint.ts";
import { free } from "../money/price.ts";

const Id = z.union([z.string(), z.number(), z.bigint(), z.null()]);

/** One call (spec, JSON-RPC item). */
export const RpcItem = z.strictObject({
  jsonrpc: z.literal("2.0"),
  method: z.string().min(1),
  params: z.array(z.unknown()).optional(),
  id: Id.optional(),
});
export type RpcItem = z.infer<typeof RpcItem>;

/** Up to 100 items with unique ids (spec E3; wire.md section 9). */
const RpcBatch = z
  .array(RpcItem)
  .min(1)
  .max(100)
  .superRefine((items, context) => {
    const seen = new Set<unknown>();
    items.forEach(({ id }, index) => {
      if (id === undefined)
        context.addIssue({ code: "custom", path: [index, "id"], message: "is required in a batch" });
      else if (seen.has(id)) {
        context.addIssue({ code: "custom", path: [index, "id"], message: "is used twice in the batch" });
      }
      seen.add(id);
    });
  });

/** Nodes omit members of it, or send only a sentence. */
const AnswerError = z.union([
  z.looseObject({
    code: z.number().nullish().catch(undefined),
    message: z.string().nullish().catch(undefined),
    data: z.unknown().optional(),
  }),
  z.string().transform((message) => ({ message, code: undefined, data: undefined })),
]);

/** The answer to one call: either `result` or `error`. */
export const RpcAnswer = z.looseObject({
  jsonrpc: z.string().nullish(),
  id: Id.optional(),
  result: z.unknown().optional(),
  error: AnswerError.nullish(),
});
export type RpcAnswer = z.infer<typeof RpcAnswer>;

/** One call or a batch. Thousands of items pass per second, so a valid batch is neither walked twice nor copied. */
const RpcBody = z.custom<RpcItem | RpcItem[]>().superRefine((body, context) => {
  if (Array.isArray(body) && isSoundBatch(body)) return;
  addIssues(context, Array.isArray(body) ? RpcBatch.safeParse(body) : RpcItem.safeParse(body));
});

/** An invalid answer is dropped as if it was missing, so that it affects only its own call. */
export const RpcAnswers = z.custom<unknown>().transform((answer, context): RpcAnswer | RpcAnswer[] => {
  if (Array.isArray(answer)) return answer.every(isPlainResult) ? answer : answer.flatMap(readAnswer);
  const parsed = RpcAnswer.safeParse(answer);
  if (parsed.success) return parsed.data;
  addIssues(context, parsed);
  return z.NEVER;
});

function readAnswer(answer: unknown): RpcAnswer[] {
  const { data } = RpcAnswer.safeParse(answer);
  return data ? [data] : [];
}

function addIssues(context: z.RefinementCtx, parsed: z.ZodSafeParseResult<unknown>): void {
  for (const { message, path } of parsed.error?.issues ?? []) {
    context.addIssue({ code: "custom", message, path: [...path] });
  }
}

/** True only for batches that `RpcBatch` accepts. Other batches are left to the schema. */
function isSoundBatch(items: readonly unknown[]): boolean {
  const ids = new Set(items.map((item) => (isMembers(item) ? item.id : undefined)));
  return items.length > 0 && items.length <= 100 && ids.size === items.length && items.every(isSoundItem);
}

function isSoundItem(item: unknown): boolean {
  if (!isMembers(item)) return false;
  const { jsonrpc, method, params, id, ...others } = item;
  if (jsonrpc !== "2.0" || typeof method !== "string" || method === "") return false;
  if (params !== undefined && !Array.isArray(params)) return false;
  return (typeof id === "string" || Number.isFinite(id)) && Object.keys(others).length === 0;
}

/** A result without an error, as nearly all answers are. */
function isPlainResult(answer: unknown): boolean {
  if (!isMembers(answer) || answer.error !== undefined || answer.jsonrpc !== "2.0") return false;
  return "result" in answer && (typeof answer.id === "string" || Number.isFinite(answer.id));
}

const IdempotencyKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,255}$/, "must be 1 to 255 of A-Z, a-z, 0-9, _ and -");

export const rpc = {
  /** POST /crypto/rpc/{network} (spec E3): one call or a batch, answered in any order. */
  call: endpoint({
    method: "POST",
    path: "/crypto/rpc/{network}",
    auth: "inference",
    wallet: true,
    encode: "whole",
    headers: { idempotencyKey: "Idempotency-Key" },
    decode: "json",
    exact: true,
    resend: "keyed",
    price: { by: "credits" },
    input: z.strictObject({
      network: z.string().regex(/^[a-z0-9-]{1,64}$/, "must be a slug such as ethereum-mainnet"),
      body: RpcBody,
      idempotencyKey: IdempotencyKey.optional(),
    }),
    output: RpcAnswers,
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
