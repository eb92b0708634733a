import type { Picture } from "./picture.ts";
import type { Finding } from "./pictureFile.ts";
import { resize } from "./resize.ts";

/** The sandbox can't judge pictures: these words of a prompt stand for adult content, so that blurring can be seen. */
export const adultWords = ["nsfw", "nude", "naked"] as const;
/** And this one for content that is refused altogether. */
export const forbiddenWord = "content-violation";

export function findingOf(prompt: string): Finding {
  const words = prompt.toLowerCase();
  if (words.includes(forbiddenWord)) return "forbidden";
  return adultWords.some((word) => new RegExp(`\\b${word}\\b`).test(words)) ? "adult" : "fine";
}

/** So few pixels across keep the colours and nothing else. */
const blurredEdge = 12;

export function blur(picture: Picture): Picture {
  const { width, height } = picture;
  const scale = blurredEdge / Math.min(width, height);
  const tiny = { width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
  return resize(resize(picture, tiny), { width, height });
}
