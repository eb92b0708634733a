import type { PictureFacts } from "../../images/pictureFacts.ts";
import { readTextImage } from "../../images/readTextImage.ts";
import type { WorkerPool } from "../../work/workerPool.ts";
import { type Ask, partsOf } from "../ask.ts";
import { viewerId } from "./viewer.ts";

/**
 * The facts of the pictures of the last message that has some, for the model that takes pictures; empty for others. All
 * pictures of a request are checked. Throws a 400 that names the first one that can't be read.
 */
export async function lookAtPictures(
  { body, model }: Pick<Ask, "body" | "model">,
  workerPool: Pick<WorkerPool, "run">,
  signal: AbortSignal,
): Promise<readonly PictureFacts[]> {
  if (model.record.id !== viewerId) return [];
  const messages: PictureFacts[][] = [];
  for (const [index, message] of body.messages.entries()) {
    const urls = partsOf(message).flatMap((part) => (part.type === "image_url" ? [part.image_url.url] : []));
    const facts: PictureFacts[] = [];
    for (const url of urls) {
      const path = ["messages", index, "content", "image_url", "url"];
      const bytes = await readTextImage(url, path, signal);
      facts.push(await workerPool.run("pictureFacts", { bytes, path }, signal));
    }
    if (facts.length > 0) messages.push(facts);
  }
  return messages.at(-1) ?? [];
}
