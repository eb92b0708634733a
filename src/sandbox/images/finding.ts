/** What the content rules find in a prompt. */
export type ContentFinding = "fine" | "adult" | "forbidden";

/** The sandbox can't judge pictures: these words of a prompt stand for adult content, so that blurring can be seen. */
const adultWords = ["nsfw", "nude", "naked"] as const;
/** And this one for content that is refused altogether. */
const forbiddenWord = "content-violation";

export function findingOf(prompt: string): ContentFinding {
  const words = prompt.toLowerCase();
  if (words.includes(forbiddenWord)) return "forbidden";
  return adultWords.some((word) => new RegExp(`\\b${word}\\b`).test(words)) ? "adult" : "fine";
}
