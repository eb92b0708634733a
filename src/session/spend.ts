import type { Charged } from "../api/charge.ts";
import type { ClientEvent } from "../api/client.ts";
import type { Model } from "../api/endpoints/models.ts";
import type { Amount } from "../api/money/estimate.ts";
import { toLedgerEntry } from "../api/money/ledger.ts";
import { createJournal, createMemoryJournal, type Journal } from "../platform/journal.ts";
import { dayText, monthOf } from "../shared/days.ts";
import { type Exact, toExact } from "../shared/money/exact.ts";
import type { Connection } from "./session.ts";
import {
  type Bill,
  createSpendBook,
  lineOfEntry,
  type SpendBook,
  type SpendTotals,
  type SpentEntry,
} from "./spendBook.ts";

/** Prices of one service: its models, once they were asked for, and what a chain credit costs. */
export interface Prices {
  readonly models: () => Promise<ReadonlyMap<string, Model>>;
  /** USD per RPC credit, lowest and highest stated. */
  readonly usdPerCredit: readonly [low: number, high: number];
}

/** What each connection has spent this month: seen here call by call, and taken from the bill. All windows share it. */
export interface Spend {
  /** Takes every event of a connection's client; those that charge nothing leave no trace. */
  record(connection: Connection, event: ClientEvent, prices: Prices): void;
  totals(connection: Connection): Promise<SpendTotals>;
  /** This month's calls of this extension, newest first. */
  entries(connection: Connection): Promise<readonly SpentEntry[]>;
  takeBill(connection: Connection, bill: Bill): Promise<void>;
}

export interface SpendDeps {
  /** Absolute folder that the journals stand in. */
  readonly folder: string;
  readonly now: () => number;
  readonly onChange: (connection: Connection, totals: SpendTotals) => void;
  readonly report: (error: unknown) => void;
}

interface Purse {
  readonly book: SpendBook;
  readonly journal: Journal;
}

export function createSpend({ folder, now, onChange, report }: SpendDeps): Spend {
  const purses = new Map<string, Purse>();
  let queue: Promise<unknown> = Promise.resolve();
  const window = crypto.randomUUID();
  let count = 0;

  const purseOf = ({ id, kind }: Connection): Purse => {
    const month = dayText(monthOf(now()).from).slice(0, 7);
    const name = `${id}/${month}`;
    const known = purses.get(name);
    if (known) return known;
    // The sandbox's money ends with it.
    const journal =
      kind === "sandbox" ? createMemoryJournal() : createJournal(`${folder}/${safe(id)}/${month}.jsonl`);
    const purse = { book: createSpendBook(), journal };
    purses.set(name, purse);
    return purse;
  };
  const synced = async (connection: Connection): Promise<Purse> => {
    const purse = purseOf(connection);
    for (const line of await purse.journal.read()) purse.book.take(line);
    return purse;
  };
  /** One after the other: a total counts all that was recorded before it was asked for. */
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = queue.then(work);
    queue = done.catch(report);
    return done;
  };
  const add = async (connection: Connection, lines: (book: SpendBook) => readonly string[]) => {
    const { book, journal } = await synced(connection);
    await journal.append(lines(book));
    await synced(connection);
    onChange(connection, book.totals(now()));
  };
  return {
    record(connection, event, prices) {
      if (event.type !== "charged") return;
      const atMs = now();
      const id = `${window}-${count++}`;
      void inTurn(async () => {
        const entry = await toSpent(id, event, prices, atMs);
        await add(connection, () => [lineOfEntry(entry)]);
      }).catch(() => {});
    },
    totals: (connection) => inTurn(async () => (await synced(connection)).book.totals(now())),
    entries: (connection) => inTurn(async () => (await synced(connection)).book.entries.toReversed()),
    takeBill: (connection, bill) => inTurn(() => add(connection, (book) => book.linesOfBill(bill))),
  };
}

async function toSpent(id: string, event: Charged, prices: Prices, atMs: number): Promise<SpentEntry> {
  const models = event.model && needsModel(event) ? await prices.models().catch(() => undefined) : undefined;
  const { model: name } = event;
  const book = { model: (of: string) => models?.get(of), usdPerCredit: prices.usdPerCredit };
  const { endpoint, model, requestId, amount } = toLedgerEntry(event, book, atMs);
  return {
    id,
    atMs,
    endpoint,
    ...((model ?? name) ? { model: model ?? name ?? "" } : {}),
    ...(requestId ? { requestId } : {}),
    usd: worthOf(amount),
  };
}

/** What a call says of its own price needs no listing. */
function needsModel({ fact }: Charged): boolean {
  return fact.by === "image" || fact.by === "characters" || (fact.by === "tokens" && !fact.cost);
}

/** The dearer bound, in USD; a price in DIEM alone counts at par, which is how the service prices both. */
function worthOf({ usd, diem }: Amount): Exact | undefined {
  const bound = usd?.[1] ?? diem?.[1];
  // Prices per million times tokens leave binary dust behind the twelfth digit.
  return bound === undefined ? undefined : toExact(Number(bound.toPrecision(12)));
}

/** An id is ours or `environment`; still nothing but plain letters becomes a folder. */
function safe(id: string): string {
  return id.replace(/[^\w-]/g, "_");
}
