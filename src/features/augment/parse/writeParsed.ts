import { copyFile, open } from "node:fs/promises";
import { createDurably } from "../../../platform/durableFile.ts";
import { frontMatter } from "../writing.ts";
import { copyTidy } from "./copyTidy.ts";
import type { ParsedText } from "./spool.ts";

/**
 * Writes what was read of the document `source` to a new file on the disk, whole or not at all. With its number of
 * tokens it is a document that says where it is from; without, it is the bare text as it came. Rejects with EEXIST
 * where something has that name.
 */
export async function writeParsed(
  { path, tokens }: ParsedText,
  target: string,
  source: string,
): Promise<void> {
  await createDurably(target, async (temporary) => {
    if (tokens === undefined) return copyFile(path, temporary);
    const [from, to] = [await open(path), await open(temporary, "w")];
    try {
      await to.writeFile(frontMatter({ source, date: new Date().toISOString(), tokens }));
      await copyTidy(from, to);
    } finally {
      await from.close();
      await to.close();
    }
  });
}
