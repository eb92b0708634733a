import { readdir } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type InsideOptions, readInside } from "../../../platform/files/bounded/readInside.ts";
import {
  type EnvFile,
  envFileEnding,
  environmentsAmong,
  isEnvironmentName,
  maxEnvBytes,
  readEnvFile,
} from "../../language/environment/envFile.ts";

/** Parents of a notebook that are searched. */
export const mostParents = 20;
/** Environments of a notebook. */
export const mostEnvironments = 20;
export const tooManyEnvironments: EnvFile = {
  problem: `A notebook can use at most ${mostEnvironments} environments`,
};

/** A folder and its parents up to `root`, nearest first. Only the folder if it is not below `root`. */
export function foldersUpTo(folder: string, root: string): string[] {
  const folders = [resolve(folder)];
  const way = relative(resolve(root), resolve(folder));
  if (way === "" || way.startsWith("..") || resolve(root, way) !== resolve(folder)) return folders;
  const steps = Math.min(mostParents, way.split(sep).length);
  for (let step = 0; step < steps; step++) folders.push(dirname(folders.at(-1) ?? folder));
  return folders;
}

/** Reads `NAME.rpc.env` from the nearest of the folders. `shown` is the path for messages. Never throws. */
export async function readEnvironment(
  name: string,
  folders: readonly string[],
  shown: (file: string) => string,
  uriOf: (file: string) => string | undefined = () => undefined,
  { unsaved }: Pick<InsideOptions, "unsaved"> = {},
): Promise<EnvFile> {
  if (!isEnvironmentName(name)) return { problem: noEnvironmentName(name) };
  const fileName = `${name}${envFileEnding}`;
  const root = folders.at(-1) ?? "";
  const read = await readInside(fileName, folders, [root], maxEnvBytes, unsaved ? { unsaved } : {});
  if ("text" in read) return readEnvFile(read.text, shown(read.file), uriOf(read.file));
  switch (read.failure) {
    case "missing":
      return { problem: missingFile(folders.map((folder) => shown(join(folder, fileName)))) };
    case "outside":
      return { problem: `${fileName} is a link to a file outside of the workspace` };
    case "irregular":
      return { problem: `${fileName} is not a regular file` };
    case "too-large":
      return { problem: tooLargeFile(fileName) };
    case "unreadable":
      return { problem: `${fileName} can't be read: ${read.why}` };
  }
}

/** The front matter can contain any text. */
export function noEnvironmentName(name: string): string {
  return `“${name.slice(0, 100)}” can't be the name of an environment, which has letters, digits, _ and -`;
}

/** `paths` are the places of a file that does not exist. */
export function missingFile(paths: readonly string[]): string {
  return `No file was found for the environment. Looked for ${paths.join(", ")}`;
}

export function tooLargeFile(path: string): string {
  return `${path} has more than ${maxEnvBytes / 1024} KB`;
}

/** The environments of the folders. Folders that can't be read have none. */
export async function listEnvironments(folders: readonly string[]): Promise<readonly string[]> {
  const lists = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  return environmentsAmong([...new Set(lists.flat())]);
}
