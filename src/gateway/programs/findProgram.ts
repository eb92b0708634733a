import { access, constants, readdir } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join } from "node:path";

/** Folders of PATH that are looked through, and versions of Node. */
const mostFolders = 200;

/**
 * The path of the first of these programs on PATH, or else in a folder into which programs are installed; undefined if there
 * is none. Nothing is run.
 */
export async function findProgram(
  names: readonly string[],
  env: NodeJS.ProcessEnv,
  isWindows: boolean,
): Promise<string | undefined> {
  if (names.length === 0) return undefined;
  const onPath = foldersOfPath(env).slice(0, mostFolders);
  return (
    (await firstIn(onPath, names, isWindows)) ??
    firstIn(await installFolders(env, isWindows), names, isWindows)
  );
}

/** PATH with the folder of a program at its end; undefined if it has that already. */
export function pathWith(program: string, env: NodeJS.ProcessEnv): string | undefined {
  const folder = dirname(program);
  return foldersOfPath(env).includes(folder) ? undefined : [env.PATH, folder].filter(Boolean).join(delimiter);
}

function foldersOfPath({ PATH = "" }: NodeJS.ProcessEnv): readonly string[] {
  return PATH.split(delimiter).filter(isAbsolute);
}

const inHome = [".local/bin", ".claude/local", ".opencode/bin", ".bun/bin", ".volta/bin"];
const inHomeOfUnix = [".npm-global/bin", ".local/share/pnpm", "Library/pnpm", ".asdf/shims"];
const ofUnix = ["/opt/homebrew/bin", "/usr/local/bin", "/home/linuxbrew/.linuxbrew/bin"];

/**
 * A window that was not started from a shell may have a shorter PATH: the editor asks the user's shell for it, and goes on
 * without when the shell is slow or fails.
 */
async function installFolders(
  { HOME, USERPROFILE, APPDATA, NVM_DIR }: NodeJS.ProcessEnv,
  isWindows: boolean,
): Promise<readonly string[]> {
  const home = absolute(isWindows ? USERPROFILE : HOME);
  if (home === undefined) return [];
  const inside = (folders: readonly string[]) => folders.map((folder) => join(home, folder));
  const roaming = absolute(APPDATA);
  if (isWindows) return [...inside(inHome), ...(roaming ? [join(roaming, "npm")] : [])];
  const nvm = join(absolute(NVM_DIR) ?? join(home, ".nvm"), "versions/node");
  const versions = await readdir(nvm).catch(() => []);
  const newestFirst = versions.sort((one, other) => other.localeCompare(one, "en", { numeric: true }));
  return [
    ...inside([...inHome, ...inHomeOfUnix]),
    ...newestFirst.slice(0, mostFolders).map((version) => join(nvm, version, "bin")),
    ...ofUnix,
  ];
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

async function firstIn(
  folders: readonly string[],
  names: readonly string[],
  isWindows: boolean,
): Promise<string | undefined> {
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
