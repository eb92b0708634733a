import type { SpendKind } from "../../../api/money/charge.ts";
import { paidFor, type SpentEntry } from "../../../session/spend/spendLines.ts";
import { type Amounts, addAmounts, nothing } from "../../../shared/money/amounts.ts";
import type { CallDimension, CallFilter } from "../../protocol/callsProtocol.ts";
import { byWorth } from "../usage/analyticsTotals.ts";

/** Calls with the same value of a dimension. */
export interface CallSum {
  readonly value: string;
  /** Calls of unknown price count as zero. */
  spend: Amounts;
  calls: number;
}

const sourceNames: Readonly<Record<SpendKind, string>> = {
  chat: "Chat",
  notebook: "RPC notebook",
  studio: "Image studio",
  editor: "Editor actions",
  web: "Web and documents",
  speech: "Speech",
  account: "Account",
  connection: "Connection check",
  nativeChat: "VS Code chat",
  tool: "Tool of an agent",
  mcp: "MCP client",
  completion: "Inline completions",
};

const absent: Readonly<Record<CallDimension, string>> = {
  source: "Source not recorded",
  client: "No client",
  folder: "No folder",
  branch: "No branch",
};

export const callDimensions = Object.keys(absent) as readonly CallDimension[];

/** The text in the ledger; empty if there is none. */
function callValue({ source, folder, branch }: SpentEntry, dimension: CallDimension): string {
  const values = { source: source?.kind, client: source?.client, folder, branch };
  return values[dimension] ?? "";
}

export function callValueName(value: string, dimension: CallDimension): string {
  if (value === "") return absent[dimension];
  // The ledger of a newer version may have more kinds.
  if (dimension !== "source" || !Object.hasOwn(sourceNames, value)) return value;
  return sourceNames[value as SpendKind];
}

/** Source, client, folder and branch as far as they are known, by dimension. */
export function callFacts(entry: SpentEntry): ReadonlyMap<CallDimension, string> {
  const known = callDimensions.map((dimension) => [dimension, callValue(entry, dimension)] as const);
  return new Map(
    known.filter(([, value]) => value).map(([of, value]) => [of, callValueName(value, of)] as const),
  );
}

export function filterCalls(entries: readonly SpentEntry[], filter: CallFilter): readonly SpentEntry[] {
  const wanted = callDimensions.filter((dimension) => filter[dimension] !== undefined);
  if (wanted.length === 0) return entries;
  return entries.filter((entry) => wanted.every((of) => callValue(entry, of) === filter[of]));
}

/** The most expensive group first. The sums of all groups are the sums of the calls. */
export function groupCalls(entries: readonly SpentEntry[], dimension: CallDimension): CallSum[] {
  const groups = new Map<string, CallSum>();
  for (const entry of entries) {
    const value = callValue(entry, dimension);
    const group = groups.get(value) ?? { value, spend: nothing, calls: 0 };
    groups.set(value, group);
    group.spend = addAmounts(group.spend, paidFor(entry) ?? nothing);
    group.calls += 1;
  }
  return [...groups.values()].sort((a, b) => byWorth(a, b) || b.calls - a.calls);
}
