import * as z from "zod";
import type { Called } from "../../../api/call/record/callRecorder.ts";
import type { ChargeFact } from "../../../api/money/charge.ts";
import type { Connection } from "../../../session/connection/connection.ts";
import { tagsOfSource } from "../../../session/spend/scopes/callTags.ts";
import { entryOf, type Prices } from "../../../session/spend/spendEntry.ts";
import { optionalMember } from "../../../shared/members.ts";
import type { AmountTexts } from "../../../shared/money/amounts.ts";

const text = z.string();
const count = z.number();

/** The facts of a recorded call that lists and filters use. Lines of other versions may have other members. */
export const RequestHead = z.object({
  id: text,
  connectionId: text,
  connection: text,
  endpoint: text,
  method: text,
  /** Of the last attempt, below the API root. */
  path: text,
  model: text.optional(),
  /** A key of `clientNames`; other versions may have others. */
  source: text.optional(),
  client: text.optional(),
  /** Unix milliseconds. */
  queuedMs: count,
  /** Duration of the call in milliseconds. */
  ms: count,
  /** Until the first token of a stream, else the first byte of the answer. */
  firstMs: count.optional(),
  status: count.optional(),
  /** The kind of the error, if it failed. */
  error: text.optional(),
  requestIds: z.array(text),
  attempts: count,
  promptTokens: count.optional(),
  cachedTokens: count.optional(),
  completionTokens: count.optional(),
  /** Decimal amounts by currency; absent if nothing is charged, or if the price is not known. */
  cost: z.record(text, text).optional(),
  /** True if it was charged, and the price is not known. */
  isCostUnknown: z.literal(true).optional(),
  /** True for calls of the sandbox. */
  isPlayMoney: z.literal(true).optional(),
  /** Id of the call that it repeats. */
  replayOf: text.optional(),
});
export type RequestHead = z.infer<typeof RequestHead>;

/** The price of a call. `undefined`: nothing is charged. */
type CallCost = { readonly amounts: AmountTexts } | "unknown" | undefined;

/** The caller of a replay names the call that it repeats. */
export const replayPrefix = "replay:";

/** A call of a connection's client, as it is listed. Its price is that of the ledger. */
export async function headOf(
  connection: Pick<Connection, "id" | "name" | "kind">,
  called: Called,
  prices: Prices,
): Promise<RequestHead> {
  const cost = await costOf(called, prices).catch((): CallCost => "unknown");
  return toHead(connection, called, cost);
}

async function costOf({ charge, endMs }: Called, prices: Prices): Promise<CallCost> {
  if (!charge) return undefined;
  const { cost } = await entryOf("", charge, prices, endMs);
  return cost ? { amounts: cost.toTexts() } : "unknown";
}

function toHead(
  { id, name, kind }: Pick<Connection, "id" | "name" | "kind">,
  called: Called,
  cost: CallCost,
): RequestHead {
  const { endpoint, model, source, caller, queuedMs, endMs, attempts, charge, error } = called;
  const last = attempts.at(-1);
  const firstMs = last?.firstTokenMs ?? last?.firstByteMs;
  const known = {
    model: model?.slice(0, maxName),
    firstMs: firstMs === undefined ? undefined : firstMs - queuedMs,
    status: last?.status,
    error: error?.kind,
    ...tokensIn(charge?.fact),
    cost: typeof cost === "object" ? cost.amounts : undefined,
    isCostUnknown: cost === "unknown" ? true : undefined,
    isPlayMoney: kind === "sandbox" ? true : undefined,
    replayOf: caller?.startsWith(replayPrefix) ? caller.slice(replayPrefix.length) : undefined,
  };
  return {
    id: called.id,
    connectionId: id,
    connection: name,
    endpoint,
    method: last?.method ?? "",
    path: (last?.path ?? "").slice(0, maxPath),
    queuedMs,
    ms: endMs - queuedMs,
    requestIds: attempts.flatMap(({ requestId }) => requestId ?? []),
    attempts: attempts.length,
    ...sourceIn(source),
    ...(Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)) as object),
  };
}

/** As budgets name it: an agent is no chat. */
function sourceIn(source: Called["source"]): Pick<RequestHead, "source" | "client"> {
  const { kind, client } = tagsOfSource(source);
  return { ...optionalMember("source", kind), ...optionalMember("client", client) };
}

const maxName = 200;
const maxPath = 500;

function tokensIn(fact: ChargeFact | undefined) {
  if (fact?.by !== "tokens" || !fact.usage) return {};
  const { prompt_tokens: prompt, completion_tokens: completion, prompt_tokens_details: details } = fact.usage;
  const cached = details?.cached_tokens;
  return {
    promptTokens: prompt ?? undefined,
    completionTokens: completion ?? undefined,
    cachedTokens: cached ?? undefined,
  };
}

/** The head in a line of the log; undefined if it is none. */
export function parseHead(line: string): RequestHead | undefined {
  try {
    return RequestHead.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
