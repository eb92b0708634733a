import { readTextIfThere } from "../../../platform/durableFile.ts";
import { appendPrivately } from "../../../platform/privateFiles.ts";

/**
 * Keeps a copy of lines that could not be read beside their log, in `<log>.bad`; the log itself stays as it is. Returns
 * how many of them were not there yet.
 */
export async function keepBadLines(badPath: string, bad: readonly Buffer[]): Promise<number> {
  if (bad.length === 0) return 0;
  const stored = new Set(((await readTextIfThere(badPath)) ?? "").split("\n"));
  const fresh = bad.filter((line) => !stored.has(line.toString("utf8")));
  if (fresh.length > 0)
    await appendPrivately(badPath, Buffer.concat(fresh.flatMap((line) => [line, Buffer.from("\n")])));
  return fresh.length;
}
