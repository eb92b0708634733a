import type { RpcLine, RpcNetwork, RpcOutput } from "../../output/rpcOutput.ts";
import { toWhole } from "./fields/numbers.ts";

/** A line of the cell on each network, in the order of the networks. */
export interface ComparedLine {
  readonly lines: readonly (RpcLine | undefined)[];
  /** Indexes of the smallest and the largest result, if the results are different numbers. */
  readonly lowest?: number;
  readonly highest?: number;
}

/** Groups the lines of an output by line. In the output they are grouped by network. */
export function toComparison({ networks, lines }: RpcOutput): readonly ComparedLine[] {
  const columns = networks.map(({ slug }) => lines.filter((line) => line.network === slug));
  const count = Math.max(0, ...columns.map((column) => column.length));
  return Array.from({ length: count }, (_, at) => {
    const row = columns.map((column) => column[at]);
    return { lines: row, ...extremes(row) };
  });
}

function extremes(row: readonly (RpcLine | undefined)[]): Pick<ComparedLine, "lowest" | "highest"> {
  const numbers = row.flatMap((line, at) => {
    const whole = line && numberOf(line);
    return whole === undefined ? [] : [{ whole, at }];
  });
  const sorted = numbers.toSorted((a, b) => (a.whole < b.whole ? -1 : a.whole > b.whole ? 1 : 0));
  const [low, high] = [sorted[0], sorted.at(-1)];
  return low && high && low.whole !== high.whole ? { lowest: low.at, highest: high.at } : {};
}

/** Amounts and gas can be compared between chains, block numbers can not. */
function numberOf({ outcome, method }: RpcLine): bigint | undefined {
  if (outcome.kind !== "result") return undefined;
  return outcome.view === "wei" || /gas/i.test(method) ? toWhole(outcome.value) : undefined;
}

/** The sums of the requests to one network. */
export function networkSum(
  { calls }: RpcOutput,
  { slug }: RpcNetwork,
): { readonly credits: number; readonly ms: number } {
  const own = calls.filter(({ network }) => network === slug);
  return {
    credits: own.reduce((sum, { credits = 0, replayed }) => sum + (replayed ? 0 : credits), 0),
    ms: own.reduce((sum, { ms }) => sum + ms, 0),
  };
}
