import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { sha256 } from "../../sha256.ts";
import { placeInside } from "./placeInside.ts";

/**
 * Changes with the contents of the files that these words name, relative to `folder` or absolute, as far as they are in one of
 * the folders `roots` after links are resolved. A word that names no such file counts as missing. Of a file above `mostBytes`,
 * not the content counts but its size and its times.
 */
export async function digestInside(
  words: readonly string[],
  folder: string,
  roots: readonly string[],
  mostBytes = Number.POSITIVE_INFINITY,
): Promise<string> {
  const digests: (string | undefined)[] = [];
  for (const word of words) {
    const path = resolve(folder, word);
    const place = await placeInside(roots, path).catch(() => undefined);
    const found = place === undefined ? undefined : await stat(path);
    if (!found?.isFile()) digests.push(undefined);
    else if (found.size <= mostBytes) digests.push(await digestOfFile(path));
    else digests.push([found.dev, found.ino, found.size, found.mtimeMs, found.ctimeMs].join(" "));
  }
  return sha256(JSON.stringify(digests));
}

/** Read as a stream, because a file may not fit into memory. */
async function digestOfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest("hex");
}
