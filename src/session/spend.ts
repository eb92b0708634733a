import { type Charged, knownMembers, type Uncharged } from "../api/charge.ts";
import type { ClientEvent } from "../api/client.ts";
import type { Model } from "../api/endpoints/models.ts";
import type { Amount } from "../api/money/estimate.ts";
import { toChargeEntry } from "../api/money/ledger.ts";
import { createJournal, createMemoryJournal, type Journal } from "../platform/journal.ts";
import { dayText, monthOf } from "../shared/days.ts";
import { type Exact, toExact } from "../shared/money/exact.ts";
import type { Connection } from "./connection.ts";
import {
  type Bill,
  createSpendBook,
  type SpendBook,
  type SpendClaims,
  type SpendTotals,
  silentMs,
} from "./spendBook.ts";
import { lineOfEntry, lineOfHold, lineOfRelease, lineOfSign, type SpentEntry } from "./spendLines.ts";

/** Prices of one service: its models after they were loaded, and the price of an RPC credit. */
export interface Prices {
  readonly models: () => Promise<ReadonlyMap<string, Model>>;
  /** USD per RPC credit, lowest and highest stated. */
  readonly usdPerCredit: readonly [low: number, high: number];
}

/** Cost of chain RPC. */
export interface ChainSpend {
  /** As far as the service stated them. */
  readonly credits: number;
  readonly usd: Exact;
  /** Calls with unknown credits. */
  readonly unstated: number;
}

/** The reason to refuse a call, from the totals and claims; undefined to admit it. */
export type Judge<Refusal> = (totals: SpendTotals, claims: SpendClaims) => Refusal | undefined;

/** The spend of each connection this month: recorded per call, and reconciled with the bill. All windows share it. */
export interface Spend {
  /** Processes every event of a connection's client. Records charges and settles their holds. */
  record(connection: Connection, event: ClientEvent, prices: Prices): void;
  /**
   * Reserves money for a call, unless `judge` refuses it for the totals and claims. If two windows reserve at once, the
   * later one sees the earlier hold.
   */
  reserve<Refusal>(
    connection: Connection,
    usd: Exact,
    judge: Judge<Refusal>,
  ): Promise<{ readonly hold: string } | { readonly refusal: Refusal }>;
  totals(connection: Connection): Promise<SpendTotals>;
  /** This month's calls of this extension, newest first. */
  entries(connection: Connection): Promise<readonly SpentEntry[]>;
  /** Cost of chain RPC since a time of this month or the last one: in total, or of one caller. */
  chainSpend(connection: Connection, sinceMs: number, caller?: string): Promise<ChainSpend>;
  takeBill(connection: Connection, bill: Bill): Promise<void>;
}

export interface SpendDeps {
  /** Absolute path of the folder with the journals. */
  readonly folder: string;
  readonly now: () => number;
  readonly onChange: (connection: Connection, totals: SpendTotals) => void;
  readonly report: (error: unknown) => void;
}

interface Purse {
  readonly book: SpendBook;
  readonly journal: Journal;
  /** Days of the bill. Windows share them, except for the sandbox, which runs once per window. */
  readonly bill: Journal;
}

export function createSpend({ folder, now, onChange, report }: SpendDeps): Spend {
  const purseOf = createPurses(folder, now);
  const recent = async (connection: Connection, sinceMs: number) => {
    const purses = new Set([purseOf(connection, sinceMs), purseOf(connection)]);
    const books = await Promise.all([...purses].map(async (purse) => (await synced(purse)).book));
    return books.flatMap(({ entries }) => entries.filter(({ atMs }) => atMs >= sinceMs));
  };
  /** The journal of each hold of this window. */
  const held = new Map<string, Purse>();
  let queue: Promise<unknown> = Promise.resolve();
  const window = crypto.randomUUID();
  let count = 0;

  /** Serialized, so that a total includes everything that was recorded before the call. */
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = queue.then(work);
    queue = done.catch(report);
    return done;
  };
  const add = async (connection: Connection, lines: (book: SpendBook) => readonly string[]) => {
    const purse = await synced(purseOf(connection));
    await write(purse, lines(purse.book));
    onChange(connection, purse.book.totals(now()));
  };
  /** While a call is in progress, other windows must know that this one is alive. */
  const signs = createSigns(() =>
    inTurn(async () => {
      for (const purse of new Set(held.values())) await write(purse, [lineOfSign(window, now())]);
    }),
  );
  const forget = (hold: string): Purse | undefined => {
    const purse = held.get(hold);
    held.delete(hold);
    signs.set(held.size > 0);
    return purse;
  };
  const enter = async (connection: Connection, event: Charged | Uncharged, entry: SpentEntry) => {
    const purse = event.hold === undefined ? undefined : forget(event.hold);
    const mostUsd = purse?.book.held(entry.id);
    const isOpenEnded = entry.usd === undefined && mostUsd !== undefined;
    await add(connection, () => [lineOfEntry(isOpenEnded ? { ...entry, mostUsd } : entry)]);
    // A call may end in another month than it began.
    if (purse && purse !== purseOf(connection)) await write(purse, [lineOfRelease(entry.id)]);
  };
  const reserve = async <Refusal>(purse: Purse, usd: Exact, judge: Judge<Refusal>) => {
    const [id, atMs] = [`${window}-${count++}`, now()];
    // Written before it is judged: entries before it in the file have priority, in any window.
    await write(purse, [lineOfHold({ id, window, atMs, usd })]);
    const refusal = judge(purse.book.totals(atMs), purse.book.claims(atMs, id));
    if (refusal !== undefined) {
      await write(purse, [lineOfRelease(id)]);
      return { refusal };
    }
    held.set(id, purse);
    signs.set(true);
    return { hold: id };
  };
  return {
    record(connection, event, prices) {
      if (event.type !== "charged" && event.type !== "uncharged") return;
      const atMs = now();
      const id = event.hold ?? `${window}-${count++}`;
      void inTurn(async () => {
        if (event.type === "charged") return enter(connection, event, await toSpent(id, event, prices, atMs));
        if (event.mayBeBilled) return enter(connection, event, unsureOf(event, atMs));
        const purse = forget(event.hold);
        if (purse) await write(purse, [lineOfRelease(event.hold)]);
      }).catch(() => {});
    },
    reserve: (connection, usd, judge) => inTurn(() => reserve(purseOf(connection), usd, judge)),
    totals: (connection) => inTurn(async () => (await synced(purseOf(connection))).book.totals(now())),
    entries: (connection) =>
      inTurn(async () => (await synced(purseOf(connection))).book.entries.toReversed()),
    chainSpend: (connection, sinceMs, caller) =>
      inTurn(async () => {
        const calls = (await recent(connection, sinceMs)).filter(({ endpoint }) =>
          endpoint.startsWith("rpc."),
        );
        return sumOf(caller === undefined ? calls : calls.filter((call) => call.caller === caller));
      }),
    takeBill: (connection, bill) =>
      inTurn(async () => {
        const purse = await synced(purseOf(connection));
        await purse.bill.append(purse.book.linesOfBill(bill));
        onChange(connection, (await synced(purse)).book.totals(now()));
      }),
  };
}

function sumOf(calls: readonly SpentEntry[]): ChainSpend {
  return {
    credits: calls.reduce((sum, { credits = 0 }) => sum + credits, 0),
    usd: calls.reduce((sum, { usd = 0n }) => sum + usd, 0n),
    unstated: calls.filter(({ credits }) => credits === undefined).length,
  };
}

/** The journal of a connection for the month of a time; default now. */
function createPurses(folder: string, now: () => number) {
  const purses = new Map<string, Purse>();
  return ({ id, kind }: Connection, atMs = now()): Purse => {
    const month = dayText(monthOf(atMs).from).slice(0, 7);
    const name = `${id}/${month}`;
    const known = purses.get(name);
    if (known) return known;
    const journal = createJournal(`${folder}/${safe(id)}/${month}.jsonl`);
    const bill = kind === "sandbox" ? createMemoryJournal() : journal;
    const purse = { book: createSpendBook(), journal, bill };
    purses.set(name, purse);
    return purse;
  };
}

/** The journal with the entries of all windows. */
async function synced(purse: Purse): Promise<Purse> {
  for (const journal of new Set([purse.journal, purse.bill]))
    for (const line of await journal.read()) purse.book.take(line);
  return purse;
}

async function write(purse: Purse, lines: readonly string[]): Promise<void> {
  await purse.journal.append(lines);
  await synced(purse);
}

/** Calls `sign` periodically while it is set, often enough that the window does not count as closed. */
function createSigns(sign: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined;
  return {
    set(isOn: boolean) {
      if (isOn === (timer !== undefined)) return;
      clearInterval(timer);
      timer = isOn ? setInterval(() => void sign().catch(() => {}), silentMs / 10).unref() : undefined;
    },
  };
}

/** A call that may be billed, with the reserved amount as its upper bound. */
function unsureOf({ hold, endpoint, model, requestId, caller }: Uncharged, atMs: number): SpentEntry {
  return { id: hold, atMs, endpoint, ...knownMembers({ model, requestId, caller }), usd: undefined };
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
    ...creditsIn(event),
    usd: worthOf(amount),
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

/** The upper bound in USD. A price in DIEM alone is taken 1:1, as the service does. */
function worthOf({ usd, diem }: Amount): Exact | undefined {
  const bound = usd?.[1] ?? diem?.[1];
  // Float products of price and tokens have errors after the twelfth digit.
  return bound === undefined ? undefined : toExact(Number(bound.toPrecision(12)));
}

/** An id is ours or `environment`. Still, only letters, digits and similar characters may become a folder name. */
function safe(id: string): string {
  return id.replace(/[^\w-]/g, "_");
}
