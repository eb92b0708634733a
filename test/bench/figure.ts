/** One measured figure beside what it is held to. */
export interface Figure {
  readonly value: number;
  readonly unit: string;
  /** The peer or floor measured in the same run; for a plain bound, the bound. */
  readonly peer: number;
  /** `value / peer`. */
  readonly ratio: number;
  /** What is asked, in words. */
  readonly bar: string;
  readonly met: boolean;
}

/** One benchmark; its figures are named `<benchmark>.<what>`. */
export interface Benchmark {
  readonly name: string;
  /** Whether it measures the packed extension, which is built anew for it. */
  readonly needsPackage?: boolean;
  run(): Promise<Readonly<Record<string, Figure>>>;
}

/** A figure that has to reach `share` times what `peer` came to. */
export function atLeast(value: number, unit: string, peer: number, share: number, whose: string): Figure {
  const ratio = value / peer;
  return rounded({ value, unit, peer, ratio, bar: `≥ ${share} × ${whose}`, met: ratio >= share });
}

/** A figure that may not exceed `times` what `peer` came to. */
export function atMostTimes(value: number, unit: string, peer: number, times: number, whose: string): Figure {
  const ratio = value / peer;
  return rounded({ value, unit, peer, ratio, bar: `≤ ${times} × ${whose}`, met: ratio <= times });
}

/** A figure that may not exceed a bound; `peer` is the bound itself unless something was measured beside it. */
export function atMost(value: number, unit: string, bound: number, peer = bound): Figure {
  return rounded({
    value,
    unit,
    peer,
    ratio: value / peer,
    bar: `≤ ${bound} ${unit}`,
    met: value <= bound,
  });
}

/** A figure that is held to nothing: it informs a choice. */
export function compared(value: number, unit: string, peer: number, whose: string): Figure {
  return rounded({ value, unit, peer, ratio: value / peer, bar: `none, beside ${whose}`, met: true });
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

/** The value that a share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error("nothing was measured");
  return value;
}
