/** One measured figure beside its limit. */
export interface Figure {
  readonly value: number;
  readonly unit: string;
  /** The peer or floor measured in the same run; without one, the limit. */
  readonly peer: number;
  /** `value / peer`; with several rounds, the median of their ratios. */
  readonly ratio: number;
  /** The limit as text. */
  readonly bar: string;
  readonly met: boolean;
}

/** One benchmark; its figures are named `<benchmark>.<what>`. */
export interface Benchmark {
  readonly name: string;
  /** True if it measures the packaged extension, which is built for it. */
  readonly needsPackage?: boolean;
  run(): Promise<Readonly<Record<string, Figure>>>;
}

/** A value beside that of a peer. */
export interface Pair {
  readonly value: number;
  readonly peer: number;
  readonly ratio: number;
}

/** A value and its peer where there is one of each. */
export function pairOf(value: number, peer: number): Pair {
  return { value, peer, ratio: value / peer };
}

/**
 * Medians of two contestants, and the median of the ratios of each round: load that affects one whole round cancels
 * out.
 */
export function paired(values: readonly number[], peers: readonly number[]): Pair {
  const ratios = values.map((value, round) => value / (peers[round] ?? Number.NaN));
  return { value: median(values), peer: median(peers), ratio: median(ratios) };
}

/** A figure that has to reach `share` times that of the peer. */
export function atLeast({ value, peer, ratio }: Pair, unit: string, share: number, whose: string): Figure {
  return rounded({ value, unit, peer, ratio, bar: `≥ ${share} × ${whose}`, met: ratio >= share });
}

/** A figure that may not exceed `times` that of the peer. */
export function atMostTimes(
  { value, peer, ratio }: Pair,
  unit: string,
  times: number,
  whose: string,
): Figure {
  return rounded({ value, unit, peer, ratio, bar: `≤ ${times} × ${whose}`, met: ratio <= times });
}

/** A figure that may not exceed a limit; `peer` is the limit itself unless something was measured beside it. */
export function atMost(
  value: number,
  unit: string,
  limit: number,
  peer = limit,
  ratio = value / peer,
): Figure {
  return rounded({ value, unit, peer, ratio, bar: `≤ ${limit} ${unit}`, met: value <= limit });
}

/** A figure without a limit: it informs a choice. */
export function compared({ value, peer, ratio }: Pair, unit: string, whose: string): Figure {
  return rounded({ value, unit, peer, ratio, bar: `none, beside ${whose}`, met: true });
}

function rounded(figure: Figure): Figure {
  const short = (value: number) => Number(value.toPrecision(4));
  return {
    ...figure,
    value: short(figure.value),
    peer: short(figure.peer),
    ratio: short(figure.ratio),
  };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that `share` (0 to 1) of all values do not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error("nothing was measured");
  return value;
}
