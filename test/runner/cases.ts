/** How many cases the tests take: `few` in `npm test`, a number in a script, `all` of them without it. */
export const casesVariable = "INFERENCE_TEST_CASES";

const share = 20;
const least = 10;

/** How many of `all` random cases a test takes. The few are the first of all, because the seed is the same. */
export function randomCases(all: number, asked = process.env[casesVariable] ?? "all"): number {
  if (asked === "all") return all;
  return asked === "few" ? Math.min(all, Math.max(least, Math.ceil(all / share))) : Number(asked);
}

/** The cases of a list that a test takes: all, or a few from its whole length, which are the same in each run. */
export function listedCases<Case>(
  all: readonly Case[],
  asked = process.env[casesVariable] ?? "all",
): readonly Case[] {
  const count = asked === "few" ? randomCases(all.length, asked) : all.length;
  return all.filter(
    (_, index) => Math.floor((index * count) / all.length) !== Math.floor(((index - 1) * count) / all.length),
  );
}
