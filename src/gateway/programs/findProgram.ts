import { access, constants } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** Folders of PATH that are looked through. */
const mostFolders = 200;

/** The path of the first of these programs on PATH; undefined if none is there. Nothing is run. */
export async function findProgram(
  names: readonly string[],
  { PATH = "" }: NodeJS.ProcessEnv,
  isWindows: boolean,
): Promise<string | undefined> {
  const folders = PATH.split(delimiter).filter(isAbsolute).slice(0, mostFolders);
  const endings = isWindows ? [".exe", ".cmd"] : [""];
  for (const folder of folders)
    for (const name of names)
      for (const ending of endings) {
        const path = join(folder, name + ending);
        if (await isProgram(path)) return path;
      }
  return undefined;
}

function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
