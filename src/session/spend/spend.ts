import type { ClientEvent } from "../../api/call/client.ts";
import { type Charged, knownMembers, type SpendTask, type Uncharged } from "../../api/money/charge.ts";
import type { JournalOptions } from "../../platform/files/durable/journal.ts";
import { optionalMember } from "../../shared/members.ts";
import { Amounts, nothing } from "../../shared/money/amounts.ts";
import { Counted, toCountedCurrency } from "../../shared/money/budgetRule.ts";
import type { BudgetScope } from "../../shared/money/scopedBudget.ts";
import { SerialQueue } from "../../shared/serialQueue.ts";
import { dayMs, monthOf, monthsSince } from "../../shared/time/days.ts";
import type { Connection } from "../connection/connection.ts";
import { Doubts } from "./doubts.ts";
import { type PlaceOf, placeTags } from "./scopes/callTags.ts";
import type { SpendTags } from "./scopes/spendTags.ts";
import {
  type Bill,
  type ScopeSpend,
  type SpendBook,
  type SpendClaims,
  type SpendTotals,
  silentMs,
  type TaskSpend,
} from "./spendBook.ts";
import { entryOf, type Prices } from "./spendEntry.ts";
import {
  connectionsWithLedgers,
  createLedgers,
  type LedgerOf,
  type MonthLedger,
  record,
  release,
  synced,
  write,
  writeHold,
} from "./spendLedgers.ts";
import {
  type Hold,
  lineOfEntry,
  lineOfHeartbeat,
  lineOfPaidIn,
  paidFor,
  type SpentEntry,
} from "./spendLines.ts";

/** Cost of chain RPC. */
export interface ChainSpend {
  /** As far as the service stated them. */
  readonly credits: number;
  readonly spent: Amounts;
  /** Calls with unknown credits. */
  readonly unstated: number;
}

/**
 * The reason to refuse a call, from the totals, the claims, and the spend of its task; undefined to admit it.
 * `hasCharged`: true if a call of this model cost money this month, whatever the list says now. `scopeOf`: the spend and
 * the claims of a part of the calls.
 */
export type Judge<Refusal> = (
  totals: SpendTotals,
  claims: SpendClaims,
  task: TaskSpend,
  hasCharged: SpendBook["hasCharged"],
  scopeOf: (per: BudgetScope) => ScopeSpend,
) => Refusal | undefined;

/** What a hold records of the call that it is for. */
interface ReservingCall {
  readonly task?: SpendTask | undefined;
  readonly keyEnding?: string | undefined;
  /** Needed if a budget counts a part of the calls. */
  readonly tags?: SpendTags | undefined;
}

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
    most: Counted,
    judge: Judge<Refusal>,
    call?: ReservingCall,
  ): Promise<{ readonly hold: string } | { readonly refusal: Refusal }>;
  /** Judges a call again that holds money; calls that were reserved later do not count. */
  judgeAgain<Refusal>(
    connection: Connection,
    hold: string,
    judgeFor: (hold: Hold) => Judge<Refusal>,
    task?: SpendTask,
  ): Promise<Refusal | undefined>;
  /** The cost of a task in all windows. */
  taskSpend(connection: Connection, task: SpendTask): Promise<TaskSpend>;
  totals(connection: Connection): Promise<SpendTotals>;
  /** Of each of these parts of the calls. */
  scopes(connection: Connection, all: readonly BudgetScope[]): Promise<readonly ScopeSpend[]>;
  /**
   * What was spent on a UTC day, since the month of a time: in all, or by the calls of a scope. Of a day of an earlier month
   * only what was recorded or read in that month.
   */
  spentOn(
    connection: Connection,
    all: readonly (BudgetScope | undefined)[],
    sinceMs: number,
  ): Promise<readonly ((day: number) => Amounts)[]>;
  /** Calls of this extension since the first day of a month, newest first; default: this month's. */
  entries(connection: Connection, sinceMs?: number): Promise<readonly SpentEntry[]>;
  /** Cost of chain RPC since a time of this month or the last one: in total, or of one caller. */
  chainSpend(connection: Connection, sinceMs: number, caller?: string): Promise<ChainSpend>;
  /** Inline completions since a time of this month or the last one. */
  completions(connection: Connection, sinceMs: number): Promise<readonly SpentEntry[]>;
  takeBill(connection: Connection, bill: Bill): Promise<void>;
  /** The currency in which the service says that calls are paid now: `USD`, `DIEM` or another one. */
  takePaidIn(connection: Connection, currency: string): Promise<void>;
}

/** Where a call was made. */
export interface SpendPlace {
  /** Name of the workspace folder. */
  readonly folder?: string;
  readonly folderId?: string;
  readonly branch?: string;
}

export interface SpendDeps {
  /** Absolute path of the folder with the journals. */
  readonly folder: string;
  readonly now: () => number;
  /** Ends in a short time. */
  readonly placeOf?: PlaceOf;
  readonly onChange: (connection: Connection, totals: SpendTotals) => void;
  readonly report: (error: unknown) => void;
  /** Tells the user a sentence about a number of the service that can't be right. Default: nobody is told. */
  readonly warn?: (sentence: string) => void;
  /** How the files are written, and what the user should know about them. */
  readonly journals?: JournalOptions;
}

export function createSpend(deps: SpendDeps): Spend {
  const { folder, now, placeOf, onChange, report, journals } = deps;
  const doubts = new Doubts(deps.warn);
  const ledgerOf = createLedgers(folder, now, journals);
  /** The ledger of each hold of this window. */
  const held = new Map<string, MonthLedger>();
  const window = crypto.randomUUID();
  let count = 0;
  // A total includes everything that was recorded before the call.
  const queue = new SerialQueue(report);
  const inTurn: InTurn = (work) => queue.run(work);
  /** While a call is in progress, other windows must know that this one is alive. */
  const heartbeat = createHeartbeat(() =>
    inTurn(async () => {
      for (const ledger of new Set(held.values())) await write(ledger, [lineOfHeartbeat(window, now())]);
    }),
  );
  const forget = (hold: string): MonthLedger | undefined => {
    const ledger = held.get(hold);
    held.delete(hold);
    heartbeat.set(held.size > 0);
    return ledger;
  };
  const enter = async (connection: Connection, event: Charged | Uncharged, entry: SpentEntry) => {
    const ledger = event.hold === undefined ? undefined : forget(event.hold);
    const most = ledger?.book.held(entry.id)?.most;
    const isOpenEnded = entry.cost === undefined && most !== undefined;
    const current = await synced(ledgerOf(connection));
    await record(current, [lineOfEntry(isOpenEnded ? { ...entry, most } : entry)]);
    onChange(connection, current.book.totals(now()));
    // A call may end in another month than it began.
    if (ledger !== current) await release(ledger, entry.id);
  };
  const taskSpend = createTaskSums(ledgerOf, folder, now);
  const reserve = async <Refusal>(
    connection: Connection,
    most: Counted,
    judge: Judge<Refusal>,
    { task, keyEnding, tags }: ReservingCall = {},
  ) => {
    const ledger = ledgerOf(connection);
    const [id, atMs] = [`${window}-${count++}`, now()];
    // Written before it is judged: entries before it in the file have priority, in any window.
    const known = { ...membersOfTask(task, keyEnding), ...optionalMember("tags", tags) };
    await writeHold(ledger, { id, window, atMs, most, ...known });
    const spentOnTask = task ? await taskSpend(connection, task, id) : nothingSpent;
    const refusal = judgeBy(judge, ledger.book, { nowMs: atMs, hold: id, spentOnTask });
    if (refusal !== undefined) {
      await release(ledger, id);
      return { refusal };
    }
    held.set(id, ledger);
    heartbeat.set(true);
    return { hold: id };
  };
  return {
    record(connection, event, prices) {
      if (event.type !== "charged" && event.type !== "uncharged") return;
      const atMs = now();
      const id = event.hold ?? `${window}-${count++}`;
      const tags = held.get(id)?.book.held(id)?.tags;
      const place = tags ? placeIn(tags) : findPlace(event, placeOf);
      void inTurn(async () => {
        if (event.type === "charged" || event.mayBeBilled) {
          const reserved = held.get(id)?.book.held(id)?.most;
          const { paidIn } = ledgerOf(connection).book.totals(atMs);
          const onDoubt = doubts.teller(connection, { most: reserved, unit: paidIn });
          const entry = await entryOf(id, event, prices, atMs, { reserved, paidIn, onDoubt });
          return enter(connection, event, { ...entry, ...(await place) });
        }
        await release(forget(event.hold), event.hold);
      }).catch(() => {});
    },
    reserve: (connection, most, judge, call) => inTurn(() => reserve(connection, most, judge, call)),
    judgeAgain: createJudgeAgain({ inTurn, held, ledgerOf, taskSpend, now }),
    taskSpend: (connection, task) => inTurn(() => taskSpend(connection, task)),
    ...createReaders({ inTurn, ledgerOf, now }),
    ...createTakers({ inTurn, ledgerOf, now, onChange }),
  };
}

/** What the service says of the account. */
function createTakers({
  inTurn,
  ledgerOf,
  now,
  onChange,
}: Pick<JudgeAgainDeps, "inTurn" | "ledgerOf" | "now"> & Pick<SpendDeps, "onChange">): Pick<
  Spend,
  "takeBill" | "takePaidIn"
> {
  return {
    takeBill: (connection, bill) =>
      inTurn(async () => {
        onChange(connection, (await withBill(ledgerOf(connection), bill)).book.totals(now()));
      }),
    takePaidIn: (connection, currency) =>
      inTurn(async () => {
        const ledger = await synced(ledgerOf(connection));
        if (ledger.book.totals(now()).paidIn === toCountedCurrency(currency)) return;
        await ledger.bill.keep([lineOfPaidIn(currency)]);
        onChange(connection, (await synced(ledger)).book.totals(now()));
      }),
  };
}

/** The questions that change nothing. */
function createReaders({
  inTurn,
  ledgerOf,
  now,
}: Pick<JudgeAgainDeps, "inTurn" | "ledgerOf" | "now">): Pick<
  Spend,
  "totals" | "scopes" | "spentOn" | "entries" | "chainSpend" | "completions"
> {
  return {
    totals: (connection) => inTurn(async () => (await synced(ledgerOf(connection))).book.totals(now())),
    scopes: (connection, all) =>
      inTurn(async () => {
        const { book } = await synced(ledgerOf(connection));
        return all.map((per) => book.scope(per, now()));
      }),
    spentOn: (connection, all, sinceMs) =>
      inTurn(async () => {
        const months = monthsSince(sinceMs, now());
        const books = new Map<number, SpendBook>();
        for (const atMs of months) {
          const { book } = await synced(ledgerOf(connection, atMs));
          books.set(monthOf(atMs).from, book);
        }
        return all.map((per) => (day) => books.get(monthOf(day * dayMs).from)?.spentOn(day, per) ?? nothing);
      }),
    entries: (connection, sinceMs = now()) =>
      inTurn(() => entriesOf(monthsSince(sinceMs, now()).map((atMs) => ledgerOf(connection, atMs)))),
    chainSpend: (connection, sinceMs, caller) =>
      inTurn(async () =>
        sumOf((await callsSince(ledgerOf, connection, sinceMs)).filter(chainCallOf(caller))),
      ),
    completions: (connection, sinceMs) =>
      inTurn(async () => (await callsSince(ledgerOf, connection, sinceMs)).filter(isCompletion)),
  };
}

function callsSince(ledgerOf: LedgerOf, connection: Connection, sinceMs: number) {
  return callsOf([ledgerOf(connection, sinceMs), ledgerOf(connection)], sinceMs);
}

/**
 * Sums the cost of a task over months and connections, because a task can go on over another connection. Nothing of a
 * conversation tells its first month reliably: answers are regenerated and removed.
 */
function createTaskSums(ledgerOf: LedgerOf, folder: string, now: () => number) {
  return async (connection: Connection, task: SpendTask, beforeHold?: string): Promise<TaskSpend> => {
    const sinceMs = now() - longestTaskMs;
    const connections = await connectionsWithLedgers(folder, connection);
    const ledgers = monthsSince(sinceMs, now()).flatMap((atMs) =>
      connections.map((one) => ledgerOf(one, atMs)),
    );
    const books = (await Promise.all(ledgers.map(synced))).map(({ book }) => book);
    const sumOfId = (id: string) =>
      books.map((book) => book.task(id, beforeHold)).reduce(addTaskSpend, nothingSpent);
    const { subagent } = task;
    return { ...sumOfId(task.id), ...(subagent ? { ofSubagent: sumOfId(subagent.id) } : {}) };
  };
}

type InTurn = SerialQueue["run"];

interface JudgeAgainDeps {
  readonly inTurn: InTurn;
  readonly held: ReadonlyMap<string, MonthLedger>;
  readonly ledgerOf: LedgerOf;
  readonly taskSpend: ReturnType<typeof createTaskSums>;
  readonly now: () => number;
}

function createJudgeAgain(deps: JudgeAgainDeps): Spend["judgeAgain"] {
  const { inTurn, held, ledgerOf, taskSpend, now } = deps;
  return (connection, hold, judgeFor, task) =>
    inTurn(async () => {
      const ledger = held.get(hold);
      const reserved = ledger && (await synced(ledger)).book.held(hold);
      if (!reserved) return undefined;
      const spentOnTask = task ? await taskSpend(connection, task, hold) : nothingSpent;
      const { book } = await synced(ledgerOf(connection));
      return judgeBy(judgeFor(reserved), book, { nowMs: now(), hold, spentOnTask });
    });
}

/** Who pays for a call. */
function membersOfTask(task: SpendTask | undefined, keyEnding: string | undefined) {
  return knownMembers({ task: task?.id, subagent: task?.subagent?.id, keyEnding });
}

/** Judges a call by the spend without its own hold, and without those that were entered later. */
function judgeBy<Refusal>(
  judge: Judge<Refusal>,
  book: SpendBook,
  {
    nowMs,
    hold,
    spentOnTask,
  }: { readonly nowMs: number; readonly hold: string; readonly spentOnTask: TaskSpend },
): Refusal | undefined {
  const scopeOf = (per: BudgetScope) => book.scope(per, nowMs, hold);
  return judge(book.totals(nowMs), book.claims(nowMs, hold), spentOnTask, book.hasCharged, scopeOf);
}

/** Older entries of a task are not looked for. */
const longestTaskMs = 366 * 86_400_000;
const nothingSpent: TaskSpend = { spent: nothing, claimed: Counted.zero };

function addTaskSpend(one: TaskSpend, other: TaskSpend): TaskSpend {
  return { spent: one.spent.plus(other.spent), claimed: one.claimed.plus(other.claimed) };
}

/** What was judged has to be what is counted, although the branch or the meaning of a name may have changed since. */
async function placeIn({
  folder,
  folderId,
  branch,
  modelId,
}: SpendTags): Promise<Pick<SpentEntry, "folder" | "folderId" | "branch" | "modelId">> {
  return knownMembers({ folder, folderId, branch, modelId });
}

/** The place of a call that will be in the ledger. Ask at the call's end, because the user may switch the branch. */
async function findPlace(event: Charged | Uncharged, placeOf: SpendDeps["placeOf"]): Promise<SpendPlace> {
  if (event.type === "uncharged" && !event.mayBeBilled) return {};
  return placeTags(placeOf, event.source);
}

/** Newest first. */
async function entriesOf(ledgers: readonly MonthLedger[]): Promise<readonly SpentEntry[]> {
  const books = await Promise.all(ledgers.map(synced));
  return books.flatMap(({ book }) => book.entries).toReversed();
}

async function withBill(ledger: MonthLedger, bill: Bill): Promise<MonthLedger> {
  const { book } = await synced(ledger);
  await ledger.bill.keep(book.linesOfBill(bill));
  return synced(ledger);
}

async function callsOf(ledgers: readonly MonthLedger[], sinceMs: number): Promise<readonly SpentEntry[]> {
  const books = await Promise.all([...new Set(ledgers)].map(async (ledger) => (await synced(ledger)).book));
  return books.flatMap(({ entries }) => entries.filter(({ atMs }) => atMs >= sinceMs));
}

function isCompletion({ source }: SpentEntry): boolean {
  return source?.kind === "completion";
}

function chainCallOf(caller: string | undefined): (call: SpentEntry) => boolean {
  return (call) => call.endpoint.startsWith("rpc.") && (caller === undefined || call.caller === caller);
}

function sumOf(calls: readonly SpentEntry[]): ChainSpend {
  return {
    credits: calls.reduce((sum, { credits = 0 }) => sum + credits, 0),
    spent: Amounts.sum(calls.map((call) => paidFor(call) ?? nothing)),
    unstated: calls.filter(({ credits }) => credits === undefined).length,
  };
}

/** Calls `send` periodically while it is set, often enough that the window does not count as closed. */
function createHeartbeat(send: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined;
  return {
    set(isOn: boolean) {
      if (isOn === (timer !== undefined)) return;
      clearInterval(timer);
      timer = isOn ? setInterval(() => void send().catch(() => {}), silentMs / 10).unref() : undefined;
    },
  };
}
