import { type Charged, knownMembers, type SpendSource, type Uncharged } from "../api/charge.ts";
import type { Model } from "../api/endpoints/models.ts";
import type { Amount } from "../api/money/estimate.ts";
import { toChargeEntry } from "../api/money/ledger.ts";
import { type Exact, toExact } from "../shared/money/exact.ts";
import { boundedName, type SpentEntry } from "./spendLines.ts";

/** Prices of one service: its models after they were loaded, and the price of an RPC credit. */
export interface Prices {
  readonly models: () => Promise<ReadonlyMap<string, Model>>;
  /** USD per RPC credit, lowest and highest stated. */
  readonly usdPerCredit: readonly [low: number, high: number];
}

/** The entry of the ledger for a call that is or may be billed. */
export async function entryOf(
  id: string,
  event: Charged | Uncharged,
  prices: Prices,
  atMs: number,
): Promise<SpentEntry> {
  return event.type === "charged" ? toSpent(id, event, prices, atMs) : unsureOf(event, atMs);
}

/** A call that may be billed, with the reserved amount as its upper bound. */
function unsureOf({ hold, endpoint, model, requestId, caller, source }: Uncharged, atMs: number): SpentEntry {
  const known = { ...knownMembers({ model, requestId, caller }), ...sourceMember(source) };
  return { id: hold, atMs, endpoint, ...known, usd: undefined };
}

async function toSpent(id: string, event: Charged, prices: Prices, atMs: number): Promise<SpentEntry> {
  const models = event.model && needsModel(event) ? await prices.models().catch(() => undefined) : undefined;
  const { model: name } = event;
  const book = { model: (of: string) => models?.get(of), usdPerCredit: prices.usdPerCredit };
  const { endpoint, model, requestId, amount } = toChargeEntry(event, book, atMs);
  return {
    id,
    atMs,
    endpoint,
    ...knownMembers({ model: model ?? name, requestId, caller: event.caller }),
    ...sourceMember(event.source),
    ...creditsIn(event),
    usd: worthOf(amount),
  };
}

/** The resource stays out of the ledger: a path can name more than the folder. */
function sourceMember(source: SpendSource | undefined): Pick<SpentEntry, "source"> {
  if (!source) return {};
  const client = source.client && boundedName(source.client);
  const { kind, task } = source;
  const round = task ? { round: task.round } : {};
  return { source: { kind, ...knownMembers({ client, task: task?.id }), ...round } };
}

function creditsIn({ fact }: Charged): Pick<SpentEntry, "credits"> {
  if (fact.by !== "credits") return {};
  const credits = fact.replayed ? 0 : fact.credits;
  return credits === undefined ? {} : { credits };
}

/** A call that states its own price needs no list of models. */
function needsModel({ fact }: Charged): boolean {
  return fact.by === "image" || fact.by === "characters" || (fact.by === "tokens" && !fact.cost);
}

/** The upper bound in USD. A price in DIEM alone is taken 1:1, as the service does. */
function worthOf({ usd, diem }: Amount): Exact | undefined {
  const bound = usd?.[1] ?? diem?.[1];
  // Float products of price and tokens have errors after the twelfth digit.
  return bound === undefined ? undefined : toExact(Number(bound.toPrecision(12)));
}
