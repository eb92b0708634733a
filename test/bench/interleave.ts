/** Milliseconds that each contestant took, round by round. */
export type Times<Name extends string> = Readonly<Record<Name, readonly number[]>>;

/**
 * Runs all contestants in turn, once to warm up and then `rounds` times, so that whatever else the machine does falls
 * on all of them alike. Each tells what it counted; a count that differs from `expected` fails the benchmark.
 */
export async function interleave<Name extends string>(
  contestants: Readonly<Record<Name, () => number | Promise<number>>>,
  rounds: number,
  expected: number,
): Promise<Times<Name>> {
  const names = Object.keys(contestants) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const startMs = performance.now();
      const counted = await contestants[name]();
      const ms = performance.now() - startMs;
      if (counted !== expected) throw new Error(`${name} counted ${counted}, not ${expected}`);
      if (round > 0) times[name].push(ms);
    }
  }
  return times;
}
