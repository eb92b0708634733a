import { join } from "node:path";
import type { Memento } from "vscode";
import { sha256 } from "../../platform/sha256.ts";
import { originOf } from "../../session/connection/baseUrl.ts";
import type { Connection } from "../../session/connection/connection.ts";
import type { Connections } from "../../session/connection/connections.ts";
import type { Session } from "../../session/session.ts";
import type { Bill, BilledRecord } from "../../session/spend/spendBook.ts";
import type { SpentEntry } from "../../session/spend/spendLines.ts";
import { optionalMember } from "../../shared/members.ts";
import { amountIn } from "../../shared/money/amounts.ts";
import { Counted } from "../../shared/money/budgetRule.ts";
import { type AccountData, type Balance, createAccountData } from "./accountData.ts";
import type { CallLedger } from "./dashboard/callSearch.ts";
import { readKeyFacts } from "./keys/keyFacts.ts";
import { type KeyOrder, keyOrders } from "./keys/keyNodes.ts";
import type { PendingRotation } from "./keys/rotation/rotationPlan.ts";
import type { StringTables } from "./usage/days/dayColumns.ts";
import { createDayFiles, noDayFiles } from "./usage/days/dayFiles.ts";
import { joinWaitMs, signsAt } from "./usage/recordCalls.ts";
import type { LoadedUsage } from "./usage/usageStore.ts";
import { WalletAccount } from "./usage/walletAccount.ts";

/** The account of one connection while it is active. */
export interface Account {
  /** Equal for the same connections with the same keys alone. */
  readonly identity: string;
  readonly connection: Connection;
  /** The connection with the ADMIN key: the active one, or one added for it. */
  readonly admin: Connection;
  readonly data: AccountData;
  /** Undefined if no wallet pays over the connection. */
  readonly wallet: WalletAccount | undefined;
  /** Passes the bill of these days to the spend ledger. */
  takeBill(usage: LoadedUsage): Promise<void>;
  /**
   * This month's calls of this extension on this computer, and the names of their keys. `wantsKeySpend`: with what the
   * service counts by key.
   */
  ledger(wantsKeySpend?: boolean): Promise<CallLedger>;
  /** The calls of this computer that records since a time may be of. */
  callsSince(atMs: number): Promise<readonly SpentEntry[]>;
}

export interface AccountOfDeps {
  readonly identity: string;
  readonly session: Session;
  readonly connections: Connections;
  readonly globalState: Memento;
  readonly storagePath: string;
  /** Ids that the user looked up in this window. Default: none. */
  readonly lookedUpKeys?: Set<string>;
  /** Today's bill, or that of the month, was read. */
  readonly onBill?: (connection: Connection, usage: LoadedUsage) => void;
  readonly onBalance?: (connection: Connection, balance: Balance) => void;
  /** False after another key was stored for the connection, or for the one with the ADMIN key. Default: never. */
  readonly isKeyCurrent?: () => boolean;
  readonly onChange: () => void;
  readonly report: (error: unknown) => void;
}

const adminsKey = "account.admins";
const orderKey = "account.keyOrder";
const createdKey = "account.createdKeys";
const rotationsKey = "account.rotations";
const toldExpiriesKey = "account.toldExpiries";
/** Older ones of keys that expired are not needed. */
const mostTold = 1000;

/** Data of accounts that is stored for all windows. */
export function accountMemory(state: Memento, report: (error: unknown) => void = () => {}) {
  const admins = () => state.get<Readonly<Record<string, string>>>(adminsKey, {});
  const created = () => state.get<Readonly<Record<string, readonly string[]>>>(createdKey, {});
  const rotations = () => state.get<Readonly<Record<string, readonly PendingRotation[]>>>(rotationsKey, {});
  const toldExpiries = () => state.get<readonly string[]>(toldExpiriesKey, []);
  return {
    adminOf: (connectionId: string) => admins()[connectionId],
    setAdmin: (connectionId: string, adminId: string) =>
      state.update(adminsKey, { ...admins(), [connectionId]: adminId }),
    keyOrder: () => keyOrders.find((order) => order === state.get(orderKey)) ?? "spend",
    setKeyOrder: (order: KeyOrder) => state.update(orderKey, order),
    createdBy: (connectionId: string) => created()[connectionId] ?? [],
    /** Never rejects: whoever has just created a key has to show its secret, and must not create it again. */
    async addCreated(connectionId: string, keyId: string): Promise<void> {
      const mine = [keyId, ...(created()[connectionId] ?? [])];
      try {
        await state.update(createdKey, { ...created(), [connectionId]: mine });
      } catch (error) {
        report(error);
      }
    },
    rotationsOf: (connectionId: string) => rotations()[connectionId] ?? [],
    addRotation: (connectionId: string, rotation: PendingRotation) =>
      state.update(rotationsKey, {
        ...rotations(),
        [connectionId]: [...(rotations()[connectionId] ?? []), rotation],
      }),
    endRotation: (connectionId: string, { oldId }: PendingRotation) => {
      const others = (rotations()[connectionId] ?? []).filter((one) => one.oldId !== oldId);
      return state.update(rotationsKey, { ...rotations(), [connectionId]: others });
    },
    toldExpiries,
    addToldExpiries: (stamps: readonly string[]) =>
      state.update(toldExpiriesKey, [...toldExpiries(), ...stamps].slice(-mostTold)),
  };
}

export type AccountMemory = ReturnType<typeof accountMemory>;

export function accountOf(connection: Connection, deps: AccountOfDeps): Account {
  const { identity, session, connections, globalState, storagePath, onChange, report } = deps;
  const memory = accountMemory(globalState);
  const named = connections.byId(memory.adminOf(connection.id) ?? "");
  // After a changed address it is the key of another service, whose sums are not this account's.
  const isOfService = named && originOf(named.baseUrl) === originOf(connection.baseUrl);
  const admin = isOfService ? named : connection;
  const clientOf = async (of: Connection) => (await session.clientOf(of, { kind: "account" })).api;
  const takeBill = async (usage: LoadedUsage) => {
    await (await session.spend()).takeBill(connection, toBill(usage, data.usage.words));
  };
  const takePaidIn = async (currency: string | undefined) => {
    if (currency !== undefined) await (await session.spend()).takePaidIn(connection, currency);
  };
  const data: AccountData = createAccountData({
    api: () => clientOf(connection),
    admin: () => clientOf(admin),
    // The sandbox has no lasting history; another address has another history.
    files:
      connection.kind === "sandbox"
        ? noDayFiles
        : createDayFiles(folderOf(admin, storagePath), deps.isKeyCurrent),
    createdKeys: () => memory.createdBy(connection.id),
    ...optionalMember("lookedUpKeys", deps.lookedUpKeys),
    now: Date.now,
    onChange,
    report,
    onBill(usage) {
      deps.onBill?.(connection, usage);
      return takeBill(usage).catch(report);
    },
    onBalance(balance) {
      deps.onBalance?.(connection, balance);
      return takePaidIn(balance.currency).catch(report);
    },
  });
  const ledger = async (wantsKeySpend = false): Promise<CallLedger> => {
    const spend = await session.spend();
    const [entries, totals, keys] = await Promise.all([
      spend.entries(connection),
      spend.totals(connection),
      readKeyFacts(data, wantsKeySpend),
    ]);
    return { entries, totals, keys, isPlayMoney: connection.kind === "sandbox", nowMs: Date.now() };
  };
  const callsSince = async (atMs: number) => (await session.spend()).entries(connection, atMs - joinWaitMs);
  const wallet = connection.wallet && new WalletAccount(connection.wallet.address, Date.now);
  return { identity, connection, admin, data, wallet, takeBill, ledger, callsSince };
}

export function folderOf({ id, baseUrl }: Connection, storagePath: string): string {
  const name = sha256(`${id} ${baseUrl}`).slice(0, 16);
  return join(storagePath, "usage", name);
}

/** The bill of whole days, with its records. */
function toBill(usage: LoadedUsage, words: StringTables): Bill {
  return {
    asOfMs: usage.asOfMs,
    days: new Map(usage.tallies.map(({ day, total }) => [day, total.spend])),
    records: recordsOf(usage, words),
  };
}

function* recordsOf({ days }: LoadedUsage, words: StringTables): Generator<BilledRecord> {
  for (const columns of days)
    for (let row = 0; row < columns.size; row++) yield recordAt(columns, row, words);
}

function recordAt(columns: LoadedUsage["days"][number], row: number, words: StringTables): BilledRecord {
  const { atMs, requestId, worth } = signsAt(columns, row, words);
  const amount = columns.amount[row] ?? 0;
  const currency = words.currencies.list[columns.currency[row] ?? -1] ?? "";
  return {
    atMs,
    requestId,
    // Records with a request id are matched by it, so their amount is not needed.
    worth: requestId === undefined ? worth() : Counted.zero,
    paid: () => amountIn(currency, -amount),
  };
}
