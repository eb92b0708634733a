import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { linkFolder, type OpenedWindow, readOpenedWindow } from "../../../../shared/mcpLink.ts";

/** Limits of what is read; nobody has as many windows. */
const maxWindows = 200;
const maxBytes = 100_000;

export interface WindowSearch {
  /** Absolute path of the shared folder. */
  readonly folder: string;
  /** Working directory of the client. */
  readonly cwd: string;
  /** The window that started this process, if one did. */
  readonly starter: string | undefined;
}

/**
 * The open windows, the best first: the one that started this process, then those with the working directory in their
 * workspace (the deepest folder first), then the most recently focused. A window that crashed may still be among them.
 */
export async function findWindows({ folder, cwd, starter }: WindowSearch): Promise<readonly OpenedWindow[]> {
  const windows = join(folder, linkFolder.windows);
  const names = (await readdir(windows).catch(() => [])).filter((name) => name.endsWith(".json"));
  const real = await realPath(cwd);
  const ranked = await Promise.all(
    names.slice(0, maxWindows).map(async (name) => {
      const window = await readWindow(join(windows, name));
      if (!window) return [];
      const depths = await Promise.all(window.folders.map((one) => depthAround(one, real)));
      return [{ window, isStarter: name === `${starter}.json`, depth: Math.max(0, ...depths) }];
    }),
  );
  return ranked
    .flat()
    .sort(
      (a, b) =>
        Number(b.isStarter) - Number(a.isStarter) ||
        b.depth - a.depth ||
        b.window.focusedAtMs - a.window.focusedAtMs,
    )
    .map(({ window }) => window);
}

async function readWindow(path: string): Promise<OpenedWindow | undefined> {
  try {
    const { size } = await lstat(path);
    return size > maxBytes ? undefined : readOpenedWindow(await readFile(path, "utf8"));
  } catch {
    return undefined;
  }
}

/** The length of a folder's path if it contains the directory, else 0. */
async function depthAround(folder: string, directory: string): Promise<number> {
  const real = await realPath(folder);
  const way = relative(real, directory);
  const isOutside = way === ".." || way.startsWith(`..${sep}`) || /^[a-z]:/i.test(way);
  return isOutside ? 0 : real.length;
}

async function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
