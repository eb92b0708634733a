/** How many cases the tests take: `few` in `npm test`, a number in a script, `all` of them without it. */
export const casesVariable = "INFERENCE_TEST_CASES";

const share = 20;
const usualLeast = 10;

/** How many of `all` random cases a test takes. The few are the first of all, because the seed is the same. */
export function randomCases(all: number, asked = process.env[casesVariable] ?? "all"): number {
  return asked === "few" ? fewOf(all, usualLeast) : asked === "all" ? all : Number(asked);
}

/**
 * The cases of a list that a test takes: all, or a few from its whole length, which are the same in each run: at least
 * `least`, which is lower for cases that take seconds.
 */
export function listedCases<Case>(
  all: readonly Case[],
  least = usualLeast,
  asked = process.env[casesVariable] ?? "all",
): readonly Case[] {
  const count = asked === "few" ? fewOf(all.length, least) : all.length;
  return all.filter(
    (_, index) => Math.floor((index * count) / all.length) !== Math.floor(((index - 1) * count) / all.length),
  );
}

function fewOf(all: number, least: number): number {
  return Math.min(all, Math.max(least, Math.ceil(all / share)));
}
