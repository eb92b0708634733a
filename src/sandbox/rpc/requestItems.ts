import * as z from "zod";
import type { DialectId } from "../../api/dialect/dialect.ts";
import { badField, type Issue, Refusal } from "../refusal.ts";
import { tierOf } from "./methods.ts";

/** One item (spec, JSON-RPC item). */
const Item = z.strictObject({
  jsonrpc: z.literal("2.0"),
  method: z.string().min(1),
  params: z.array(z.unknown()).default([]),
  id: z.union([z.string(), z.number(), z.bigint(), z.null()]).optional(),
});
export type RequestItem = z.infer<typeof Item>;

export interface RpcRequestBody {
  readonly items: readonly RequestItem[];
  readonly batch: boolean;
}

const maxItems = 100;

/** Reads a body of one item or up to 100, and validates each. The 400 lists all invalid items. */
export function readItems(body: unknown): RpcRequestBody {
  if (!Array.isArray(body)) return { items: itemsOf([body], () => []), batch: false };
  if (body.length === 0) throw badField([], "A batch needs at least one item");
  if (body.length > maxItems)
    throw badField([], `A batch takes at most ${maxItems} items, not ${body.length}`);
  const items = itemsOf(body, (index) => [index]);
  refuse(idIssues(items));
  return { items, batch: true };
}

/** The 400 for methods that the proxy does not allow. It lists all of them. One fails the whole request. */
export function checkMethods(items: readonly RequestItem[], dialect: DialectId): void {
  const methods = [...new Set(items.map(({ method }) => method))];
  const refused = methods.flatMap((method) => {
    const tier = tierOf(method, dialect);
    return "refused" in tier ? [`${method} (${tier.refused})`] : [];
  });
  if (refused.length === 0) return;
  throw new Refusal(400, `Unsupported method${refused.length > 1 ? "s" : ""}: ${refused.join(", ")}`);
}

function itemsOf(values: readonly unknown[], pathOf: (index: number) => number[]): RequestItem[] {
  const parsed = values.map((value) => Item.safeParse(value));
  refuse(parsed.flatMap((result, index) => (result.success ? [] : issuesOf(result.error, pathOf(index)))));
  return parsed.flatMap((result) => (result.success ? [result.data] : []));
}

function issuesOf(error: z.ZodError, path: number[]): Issue[] {
  return error.issues.map((issue) => ({
    code: issue.code,
    path: [...path, ...issue.path.map((step) => (typeof step === "number" ? step : String(step)))],
    message: issue.message,
  }));
}

/** Responses of a batch are matched by id only. */
function idIssues(items: readonly RequestItem[]): Issue[] {
  const seen = new Set<unknown>();
  return items.flatMap(({ id }, index) => {
    const issue = (message: string) => [{ code: "custom", path: [index, "id"], message }];
    if (id === undefined) return issue("An id is required in a batch");
    if (seen.has(id)) return issue("The id stands twice in the batch");
    seen.add(id);
    return [];
  });
}

function refuse(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new Refusal(400, "Invalid JSON-RPC request", { issues });
}
