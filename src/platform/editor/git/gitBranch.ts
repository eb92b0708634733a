import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { openPrivate } from "../../files/privateFiles.ts";

/** The branch of a working tree whose HEAD is a commit. */
export const detachedHead = "detached HEAD";

const mostParents = 40;
/** HEAD and the `.git` file of a worktree are one line. */
const mostBytes = 4096;

/**
 * The checked-out branch of the repository that contains a folder, without git: reads `.git/HEAD`. Undefined outside of
 * a repository and for files of another form. Never throws.
 */
export async function readGitBranch(folder: string): Promise<string | undefined> {
  let at = resolve(folder);
  for (let parents = 0; parents < mostParents; parents++) {
    const gitFolder = await gitFolderIn(at);
    if (gitFolder !== undefined) return branchOf(await firstLine(join(gitFolder, "HEAD")));
    const parent = dirname(at);
    if (parent === at) return undefined;
    at = parent;
  }
  return undefined;
}

async function gitFolderIn(folder: string): Promise<string | undefined> {
  const path = join(folder, ".git");
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return path;
  // In a worktree or a submodule, `.git` is a file that names the folder.
  const named = found && (await firstLine(path))?.match(/^gitdir: (.+)$/)?.[1];
  // A repository must not choose a network address that Windows would sign in to.
  return named === undefined || /^[\\/]{2}/.test(named) ? undefined : resolve(folder, named);
}

function branchOf(head: string | undefined): string | undefined {
  if (head === undefined) return undefined;
  if (/^[0-9a-f]{40,64}$/.test(head)) return detachedHead;
  return head.match(/^ref: refs\/heads\/(.+)$/)?.[1];
}

/** Only of a regular file, because opening a pipe would wait. */
async function firstLine(path: string): Promise<string | undefined> {
  try {
    if (!(await stat(path)).isFile()) return undefined;
    const file = await openPrivate(path, "r");
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(mostBytes), 0, mostBytes, 0);
      return buffer.toString("utf8", 0, bytesRead).split(/\r?\n/, 1)[0];
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
