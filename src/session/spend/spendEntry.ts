import { modelOfInput } from "../../api/call/attempt.ts";
import type { Model } from "../../api/endpoints/models.ts";
import { type Charged, knownMembers, type SpendSource, type Uncharged } from "../../api/money/charge.ts";
import type { Amount } from "../../api/money/estimate.ts";
import { toChargeEntry } from "../../api/money/ledger.ts";
import { namesIn, needsListing, type PaidCall, type UpperPrices } from "../../api/money/upperPrice.ts";
import { splitModelId } from "../../shared/chat/modelId.ts";
import { type NameLists, noNames, resolveName } from "../../shared/chat/modelNames.ts";
import { optionalMember } from "../../shared/members.ts";
import { Amounts, amountIn, amountsOf, nothing } from "../../shared/money/amounts.ts";
import { Counted, type CountedCurrency } from "../../shared/money/budgetRule.ts";
import { statedCosts, statedPrice } from "../../shared/money/statedPrice.ts";
import { type Doubt, doubtOf } from "./doubts.ts";
import { promptIn } from "./promptCounts.ts";
import { boundedName } from "./scopes/spendTags.ts";
import type { SpentEntry } from "./spendLines.ts";

/** Prices of one service: its models after they were loaded, their other names, and the price of an RPC credit. */
export interface Prices {
  /**
   * With a name that is not among them they are loaded again, if that may help: a server on this machine may have been
   * started since.
   */
  readonly models: (name?: string) => Promise<ReadonlyMap<string, Model>>;
  /** The names that the service accepts in place of ids of text models; read on first need. */
  readonly names: () => Promise<NameLists>;
  /** USD per RPC credit, lowest and highest stated. */
  readonly usdPerCredit: readonly [low: number, high: number];
}

/** A name that the list of a live service lacks makes it load again after this time. */
export const relistMs = 60_000;

/** Loads a list on first use, after a failure, and for a name that it lacks, if it is older than `staleMs`. */
export function createListing(
  load: () => Promise<readonly Model[]>,
  staleMs: number,
  now: () => number = Date.now,
  names: Prices["names"] = async () => noNames,
): Prices["models"] {
  let listing: { readonly models: Promise<ReadonlyMap<string, Model>>; readonly atMs: number } | undefined;
  const read = () => {
    const models = load().then((data) => new Map(data.map((model) => [model.id, model])));
    const mine = { models, atMs: now() };
    listing = mine;
    models.catch(() => {
      if (listing === mine) listing = undefined;
    });
    return models;
  };
  return async (name) => {
    const known = listing;
    if (!known) return read();
    const models = await known.models;
    if (name === undefined || models.has(splitModelId(name).id) || now() - known.atMs < staleMs)
      return models;
    // A trait is never listed.
    if (find(name, models, await names().catch(() => noNames))) return models;
    // What is known is better than nothing, and another call may have loaded the list meanwhile.
    return (listing === known || !listing ? read() : listing.models).catch(() => models);
  };
}

/** What the ledger knows of a call before its end. */
interface KnownOfCall {
  /** Its upper bound, if money was reserved for it. */
  readonly reserved?: Counted | undefined;
  /** The currency in which the service says that calls are paid. */
  readonly paidIn?: CountedCurrency | undefined;
  readonly onDoubt?: (doubt: Doubt) => void;
}

/** The entry of the ledger for a call that is or may be billed. */
export async function entryOf(
  id: string,
  event: Charged | Uncharged,
  prices: Prices,
  atMs: number,
  { reserved, paidIn, onDoubt }: KnownOfCall = {},
): Promise<SpentEntry> {
  if (event.type !== "charged") return unsureOf(event, atMs);
  const { entry, isStated } = await toSpent(id, event, prices, { atMs, paidIn });
  const counted = Counted.of(entry.cost ?? nothing);
  const most = reserved?.sign ? reserved.scaled(mostOverrun) : undefined;
  const isAbsurd = !isStated && most !== undefined && counted.exceeds(most);
  const doubt =
    isAbsurd || !entry.cost ? doubtOf(event, reserved, isAbsurd ? entry.cost : undefined) : undefined;
  if (doubt) onDoubt?.(doubt);
  if (!isAbsurd) return entry;
  // Neither is what the same count says of the prompt: it would be money lost to the cache.
  const { prompt: _, ...known } = entry;
  return { ...known, cost: undefined };
}

/**
 * A computed price that is so many times its upper bound comes from a count that can't be right, so it is unknown. A price
 * that the service itself states is counted: it bills what it says.
 */
const mostOverrun = 10n;

interface Spent {
  readonly entry: SpentEntry;
  /** True if the service has stated the amount itself. */
  readonly isStated: boolean;
}

/** A call that may be billed, with the reserved amount as its upper bound. */
function unsureOf(event: Uncharged, atMs: number): SpentEntry {
  const { hold, endpoint, model, requestId, caller, source, keyEnding } = event;
  const known = { ...knownMembers({ model, requestId, caller, keyEnding }), ...sourceMember(source) };
  return { id: hold, atMs, endpoint, ...known, cost: undefined };
}

async function toSpent(
  id: string,
  event: Charged,
  prices: Prices,
  { atMs, paidIn }: Pick<KnownOfCall, "paidIn"> & { readonly atMs: number },
): Promise<Spent> {
  const models =
    event.model && needsModel(event) ? await prices.models(event.model).catch(() => undefined) : undefined;
  const { model: name } = event;
  const names = models && event.fact.by === "tokens" ? await namesFor([name], models, prices) : noNames;
  const book = {
    model: (of: string) => models && find(of, models, names),
    usdPerCredit: prices.usdPerCredit,
  };
  const { endpoint, model, requestId, amount, basis } = toChargeEntry(event, book, atMs);
  const entry = {
    id,
    atMs,
    endpoint,
    ...knownMembers({ model: model ?? name, requestId, caller: event.caller, keyEnding: event.keyEnding }),
    ...sourceMember(event.source),
    ...creditsIn(event),
    cost: basis === "stated" ? statedCostOf(amount, paidIn) : costOf(amount, paidIn),
    ...(paidIn === undefined && mayBePaidInDiem(amount) ? { isUnitOpen: true as const } : {}),
  };
  const prompt = await promptIn(event, entry.cost, () => modelOf(event, prices));
  return { entry: { ...entry, ...optionalMember("prompt", prompt) }, isStated: basis === "stated" };
}

/** The model of a call, from the list. */
async function modelOf({ model: name }: Charged, prices: Prices): Promise<Model | undefined> {
  const models = name === undefined ? undefined : await prices.models(name).catch(() => undefined);
  return name === undefined || !models
    ? undefined
    : find(name, models, await namesFor([name], models, prices));
}

function find(name: string, models: ReadonlyMap<string, Model>, names: NameLists): Model | undefined {
  return models.get(resolveName(name, (id) => models.has(id), names).modelId);
}

/** The lists of names, if one of these is no model's id. Without the lists such a name stays unknown. */
async function namesFor(
  asked: readonly (string | undefined)[],
  models: ReadonlyMap<string, Model>,
  { names }: Pick<Prices, "names">,
): Promise<NameLists> {
  const isNeeded = asked.some((name) => name !== undefined && !models.has(splitModelId(name).id));
  return isNeeded ? names().catch(() => noNames) : noNames;
}

/**
 * Tells the id that the name of a call's model stands for; the name without its switches if it is unknown. Throws if the
 * lists can't be read and `isStrict` is true; else all names stand for themselves then.
 */
export async function modelIdsOf(
  prices: Prices,
  { price, input }: Pick<PaidCall, "price" | "input">,
  isStrict: boolean,
): Promise<(name: string) => string> {
  const asked = needsListing(price) ? modelOfInput(input) : undefined;
  const orNone = <Value>(read: Promise<Value>, other: Value) =>
    read.catch((error: unknown) => {
      if (isStrict) throw error;
      return other;
    });
  if (asked === undefined) return (name) => splitModelId(name).id;
  const models = await orNone(prices.models(asked), new Map<string, Model>());
  const isText = price.by === "tokens" && !models.has(splitModelId(asked).id);
  const names = isText ? await orNone(prices.names(), noNames) : noNames;
  return (name) => resolveName(name, (id) => models.has(id), names).modelId;
}

/** What bounds the price of a call: the listed models, and what its names stand for. */
export async function upperPricesOf(
  prices: Prices,
  call: Pick<PaidCall, "price" | "input">,
  models: ReadonlyMap<string, Model>,
): Promise<UpperPrices> {
  const names = call.price.by === "tokens" ? await namesFor(namesIn(call.input), models, prices) : noNames;
  return { models: [...models.values()], usdPerCredit: prices.usdPerCredit, names };
}

/** The resource stays out of the ledger: a path can name more than the folder. */
function sourceMember(source: SpendSource | undefined): Pick<SpentEntry, "source"> {
  if (!source) return {};
  const client = source.client && boundedName(source.client);
  const { kind, task } = source;
  const round = task ? { round: task.round } : {};
  return {
    source: {
      kind,
      ...knownMembers({ client, task: task?.id ?? source.session, subagent: task?.subagent?.id }),
      ...round,
    },
  };
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

/** What the service says that the call has cost. */
function statedCostOf(amount: Amount, paidIn: CountedCurrency | undefined): Amounts | undefined {
  const costs = statedCosts(amount.usd?.[1], amount.diem?.[1]);
  return costs.length > 1
    ? Amounts.sum(costs.map((cost) => amountIn(cost.currency, cost.amount)))
    : costOf(amount, paidIn);
}

/**
 * The upper bound of a price. Where the service says that calls are paid in DIEM, it is the price in DIEM, which is the same
 * number, until the bill tells what was paid.
 */
function costOf({ usd, diem }: Amount, paidIn: CountedCurrency | undefined): Amounts | undefined {
  const price = statedPrice(usd?.[1], diem?.[1]);
  if (!price) return undefined;
  // Float products of price and tokens have errors after the twelfth digit.
  const cost = amountIn(price.currency, Number(price.amount.toPrecision(12)));
  return paidIn === "DIEM" && mayBePaidInDiem({ usd, diem }) ? inDiem(cost) : cost;
}

/** False for a price of 0 DIEM beside one of dollars: it says that it is paid in dollars. */
function mayBePaidInDiem({ usd, diem }: Amount): boolean {
  return usd !== undefined && (diem === undefined || diem[1] === usd[1]);
}

/** A price of the list as one in DIEM, which is the same number. */
function inDiem(price: Amounts): Amounts {
  return amountsOf(Counted.of(price).in("DIEM"));
}
