/** The result of the content check of a prompt. */
export type ContentFinding = "fine" | "adult" | "forbidden";

/** The sandbox can't classify images. These words in a prompt count as adult content, so that blurring can be tried. */
const adultWords = ["nsfw", "nude", "naked"] as const;
/** This word counts as content that is refused. */
const forbiddenWord = "content-violation";

export function findingOf(prompt: string): ContentFinding {
  const words = prompt.toLowerCase();
  if (words.includes(forbiddenWord)) return "forbidden";
  return adultWords.some((word) => new RegExp(`\\b${word}\\b`).test(words)) ? "adult" : "fine";
}
