import { access, constants, open, realpath, stat, writeFile } from "node:fs/promises";
import { messageOf } from "../../shared/messageOf.ts";

/** A file that the command writes after the run. */
export interface ReportFile {
  readonly option: "--junit" | "--json";
  /** As the user named it. */
  readonly file: string;
}

/**
 * The reason that a report can't be written, or would replace a notebook or the other report; undefined if all is well.
 * Files that don't exist are created, because only that proves that they can be. The content of others stays.
 */
export async function reportProblem(
  reports: readonly ReportFile[],
  notebooks: readonly string[],
): Promise<string | undefined> {
  if (reports.length === 0) return undefined;
  const taken = new Map<string, string>();
  for (const file of notebooks) taken.set(await realpath(file), file);
  for (const { option, file } of reports) {
    try {
      const path = await checkedPath(file);
      const other = path === undefined ? undefined : taken.get(path);
      if (other !== undefined) return `${option} ${file} would replace ${other}.`;
      if (path !== undefined) taken.set(path, option);
    } catch (error) {
      return cannotWrite({ option, file }, error);
    }
  }
  return undefined;
}

/** Never throws; resolves to the reason if the report was not written. */
export async function writeReport(report: ReportFile, text: string): Promise<string | undefined> {
  try {
    await writeFile(report.file, text);
    return undefined;
  } catch (error) {
    return cannotWrite(report, error);
  }
}

/** The path without links; undefined for a pipe or a device. Throws if it can't be written. */
async function checkedPath(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile() && !found.isDirectory()) {
    // Opening a pipe can wait for its reader, and closing it ends its text.
    await access(file, constants.W_OK);
    return undefined;
  }
  await (await open(file, "a")).close();
  return realpath(file);
}

function cannotWrite({ option, file }: ReportFile, error: unknown): string {
  return `${option} ${file} can't be written: ${messageOf(error)}`;
}
