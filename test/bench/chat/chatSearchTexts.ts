// The texts of the benchmark `chat-search`, the same in each process.

export const conversations = 10_000;

/** Made-up words. Low ranks are frequent. */
const syllables = [
  "ba",
  "co",
  "du",
  "fe",
  "gi",
  "ha",
  "jo",
  "ku",
  "le",
  "mi",
  "na",
  "po",
  "qu",
  "re",
  "si",
  "ta",
];

export function wordAt(rank: number): string {
  let word = "";
  for (let rest = rank + 17; rest > 0; rest = Math.floor(rest / 16)) word += syllables[rest % 16];
  return word;
}

/** The texts of the six turns of each conversation. */
export function* conversationTexts(): Generator<readonly string[]> {
  let seed = 1;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const words = (count: number) =>
    Array.from({ length: count }, () => wordAt(Math.floor(40_000 * random() ** 4))).join(" ");
  for (let number = 0; number < conversations; number++)
    yield Array.from({ length: 6 }, (_, turn) => words(turn % 2 === 0 ? 25 : 350));
}
