import { createReadStream, createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createDurably } from "../../../platform/durableFile.ts";
import { openPrivate } from "../../../platform/privateFiles.ts";
import { frontMatter } from "../writing.ts";
import { copyTidy } from "./copyTidy.ts";
import type { ParsedText } from "./tempFiles.ts";

/**
 * Writes what was read of the document `source` to a new file on the disk, whole or not at all. With its number of
 * tokens it is a document that says where it is from; without, it is the bare text as it came. Rejects with EEXIST
 * where something has that name.
 */
export async function writeParsed(parsed: ParsedText, target: string, source: string): Promise<void> {
  await createDurably(target, (temporary) => fill(temporary, parsed, source));
}

/** The same in a file of the extension's own, in place of what was there. */
export async function writeParsedPrivately(
  parsed: ParsedText,
  target: string,
  source: string,
): Promise<void> {
  await (await openPrivate(target, "w")).close();
  await fill(target, parsed, source);
}

/** The file is there already: it keeps its mode. */
async function fill(target: string, { path, tokens }: ParsedText, source: string): Promise<void> {
  // A copy by the system would have the mode of what it copies, which is private.
  if (tokens === undefined) return pipeline(createReadStream(path), createWriteStream(target));
  const [from, to] = [await open(path), await open(target, "w")];
  try {
    await to.writeFile(frontMatter({ source, date: new Date().toISOString(), tokens }));
    await copyTidy(from, to);
  } finally {
    await from.close();
    await to.close();
  }
}
