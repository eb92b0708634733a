import { paidFor, type SpentEntry } from "../../../session/spend/spendLines.ts";
import { Amounts, nothing } from "../../../shared/money/amounts.ts";
import { clientNames } from "../../../shared/money/scopedBudget.ts";
import type { CallDimension, CallFilter, CallGrouping } from "../../protocol/callsProtocol.ts";
import { type KeyFacts, noKeyFacts } from "../keys/keyFacts.ts";
import { byWorth } from "../usage/analyticsTotals.ts";

/** Calls with the same value of a dimension, or of several. */
export interface CallSum {
  /** By dimension. */
  readonly values: Readonly<Partial<Record<CallDimension, string>>>;
  /** Calls of unknown price count as zero. */
  spend: Amounts;
  calls: number;
}

const absent: Readonly<Record<CallDimension, string>> = {
  source: "Source not recorded",
  client: "No client",
  folder: "No folder",
  branch: "No branch",
  session: "No session",
  key: "Key not recorded",
  model: "No model",
};

export const callDimensions = Object.keys(absent) as readonly CallDimension[];

/** The facts of a call that a record of the bill lacks. It names the model itself; a session is one of many thousands. */
export const ledgerFacts = callDimensions.filter(
  (dimension) => dimension !== "model" && dimension !== "session",
);

/** The text in the ledger; empty if there is none. */
function callValue(entry: SpentEntry, dimension: CallDimension): string {
  const { source, folder, branch, keyEnding: key, model } = entry;
  const session = sessionOf(entry);
  const values = { source: source?.kind, client: source?.client, folder, branch, session, key, model };
  return values[dimension] ?? "";
}

/** The task of an agent, or the session of another one, by who has it and the end of its id: `Codex · 3fa9c1d2`. */
export function sessionOf({ source }: SpentEntry): string | undefined {
  if (source?.task === undefined) return undefined;
  const who = source.client ?? callValueName(source.kind, "source");
  return `${who} · ${source.task.slice(-8)}`;
}

export function callValueName(
  value: string,
  dimension: CallDimension,
  { names }: KeyFacts = noKeyFacts,
): string {
  if (value === "") return absent[dimension];
  if (dimension === "key") {
    const name = names.get(value);
    return name === undefined ? `…${value}` : `${name} (…${value})`;
  }
  // The ledger of a newer version may have more kinds.
  if (dimension !== "source" || !Object.hasOwn(clientNames, value)) return value;
  return clientNames[value as keyof typeof clientNames];
}

/** Source, client, folder, branch and key as far as they are known, by dimension. */
export function callFacts(entry: SpentEntry): ReadonlyMap<(typeof ledgerFacts)[number], string> {
  const known = ledgerFacts.map((dimension) => [dimension, callValue(entry, dimension)] as const);
  return new Map(
    known.filter(([, value]) => value).map(([of, value]) => [of, callValueName(value, of)] as const),
  );
}

export function filterCalls(entries: readonly SpentEntry[], filter: CallFilter): readonly SpentEntry[] {
  const wanted = callDimensions.filter((dimension) => filter[dimension] !== undefined);
  if (wanted.length === 0) return entries;
  return entries.filter((entry) => wanted.every((of) => callValue(entry, of) === filter[of]));
}

export function dimensionsOf(by: CallGrouping): readonly CallDimension[] {
  return by === "keyAndModel" ? ["key", "model"] : [by];
}

/** The most expensive group first. The sums of all groups are the sums of the calls. */
export function groupCalls(entries: readonly SpentEntry[], by: CallGrouping): CallSum[] {
  const dimensions = dimensionsOf(by);
  const groups = new Map<string, CallSum>();
  for (const entry of entries) {
    const values = dimensions.map((dimension) => [dimension, callValue(entry, dimension)] as const);
    const id = JSON.stringify(values);
    const group = groups.get(id) ?? { values: Object.fromEntries(values), spend: nothing, calls: 0 };
    groups.set(id, group);
    group.spend = group.spend.plus(paidFor(entry) ?? nothing);
    group.calls += 1;
  }
  return [...groups.values()].sort((a, b) => byWorth(a, b) || b.calls - a.calls);
}

/** Calls of unknown price count as zero. */
export function sumOfCalls(calls: readonly SpentEntry[]): Amounts {
  return Amounts.sum(calls.map((call) => paidFor(call) ?? nothing));
}
