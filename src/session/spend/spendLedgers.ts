import {
  createJournal,
  createMemoryJournal,
  foldersIn,
  type Journal,
  type JournalOptions,
} from "../../platform/files/durable/journal.ts";
import { dayText, monthOf } from "../../shared/time/days.ts";
import type { Connection } from "../connection/connection.ts";
import { sandboxConnection } from "../connection/connections.ts";
import { createSpendBook, type SpendBook } from "./spendBook.ts";
import { type Hold, lineOfHold, lineOfRelease } from "./spendLines.ts";

/** The ledger of a connection for a month. All windows of a user share its files. */
export interface MonthLedger {
  readonly book: SpendBook;
  readonly journal: Journal;
  /** Days of the bill. Windows share them, except for the sandbox, which runs once per window. */
  readonly bill: Journal;
}

/** The parts of a connection that its ledger depends on. */
type Account = Pick<Connection, "id" | "kind">;

export type LedgerOf = ReturnType<typeof createLedgers>;

/** The ledger of a connection for the month of a time; default now. */
export function createLedgers(folder: string, now: () => number, options: JournalOptions = {}) {
  const ledgers = new Map<string, MonthLedger>();
  return ({ id, kind }: Account, atMs = now()): MonthLedger => {
    const month = dayText(monthOf(atMs).from).slice(0, 7);
    const name = `${id}/${month}`;
    const known = ledgers.get(name);
    if (known) return known;
    const journal = createJournal(`${folder}/${safe(id)}/${month}.jsonl`, options);
    const bill = kind === "sandbox" ? createMemoryJournal() : journal;
    const ledger = { book: createSpendBook(), journal, bill };
    ledgers.set(name, ledger);
    return ledger;
  };
}

/** The ledger with the entries of all windows. */
export async function synced(ledger: MonthLedger): Promise<MonthLedger> {
  for (const journal of new Set([ledger.journal, ledger.bill]))
    for (const line of await journal.read()) ledger.book.take(line);
  return ledger;
}

export async function release(ledger: MonthLedger | undefined, hold: string): Promise<void> {
  if (ledger) await record(ledger, [lineOfRelease(hold)]);
}

/** Writes what has happened. It counts at once, and is kept until it can be written. */
export async function record(ledger: MonthLedger, lines: readonly string[]): Promise<void> {
  await ledger.journal.keep(lines);
  await synced(ledger);
}

/** Reserves money for a call. Throws if that can't be written; then nothing stays reserved. */
export async function writeHold(ledger: MonthLedger, hold: Hold): Promise<void> {
  await write(ledger, [lineOfHold(hold)]).catch(async (error: unknown) => {
    // It may have been written in part, or in whole.
    await ledger.journal.keep([lineOfRelease(hold.id)]);
    throw error;
  });
}

/** Writes what may happen only if it is written. Throws if that fails. */
export async function write(ledger: MonthLedger, lines: readonly string[]): Promise<void> {
  await ledger.journal.append(lines);
  await synced(ledger);
}

/**
 * The connection, and all others of this user that have ledgers, removed ones too. The sandbox is alone, because its
 * play money is in no sum with real money.
 */
export async function connectionsWithLedgers(
  folder: string,
  connection: Account,
): Promise<readonly Account[]> {
  if (connection.kind === "sandbox") return [connection];
  const names = await foldersIn(folder);
  const others = names.filter((name) => name !== safe(connection.id) && name !== sandboxConnection.id);
  return [connection, ...others.map((id): Account => ({ id, kind: "live" }))];
}

/** Defense in depth: ids are ours or `environment`, but only plain characters may become a folder name. */
function safe(id: string): string {
  return id.replace(/[^\w-]/g, "_");
}
