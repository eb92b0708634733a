import { constants } from "node:fs";
import { lstat, open, readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import type { Excludes } from "../rules/excludes.ts";
import { type Ancestors, type FileTree, type FolderRules, levelOf } from "../rules/folderRules.ts";
import type { IgnoreLevel } from "../rules/ignoreRules.ts";

/** The tree below a folder of this machine, by its absolute path. */
function diskTree(root: string): FileTree {
  const placeOf = (path: string) => join(root, ...path.split("/"));
  return {
    async list(folder) {
      const entries = await readdir(placeOf(folder), { withFileTypes: true });
      const own = entries.filter((entry) => entry.isDirectory() || entry.isFile());
      return own.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
    },
    read: (path, maxBytes) => readFileOnly(placeOf(path), maxBytes).catch(() => undefined),
    has: (path) => isThere(placeOf(path)),
    readGitExclude: (folder) => readGitExclude(placeOf(folder)).catch(() => undefined),
  };
}

/** Neither follows a link nor waits for a pipe. */
async function readFileOnly(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const found = await file.stat();
    return found.isFile() && found.size <= maxBytes ? await file.readFile() : undefined;
  } finally {
    await file.close();
  }
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

const maxExcludeBytes = 1_000_000;

/** A `.git` that is a file names the folder of a worktree, whose `commondir` is the one of the repository. */
async function readGitExclude(folder: string): Promise<Uint8Array | undefined> {
  const git = join(folder, ".git");
  if ((await stat(git)).isDirectory()) return readFileOnly(join(git, "info", "exclude"), maxExcludeBytes);
  const named = /^gitdir: (.+)$/m.exec(await readFile(git, "utf8"))?.[1];
  if (named === undefined) return undefined;
  const own = resolve(folder, named);
  const common = await readFile(join(own, "commondir"), "utf8").catch(() => ".");
  return readFileOnly(join(resolve(own, common.trim()), "info", "exclude"), maxExcludeBytes);
}

/** The rules of a folder of this machine. Reads the ignore files of the folders above. */
export async function diskRules(
  root: string,
  excludes: Excludes,
  usesIgnoreFiles: boolean,
): Promise<FolderRules> {
  const tree = diskTree(root);
  const isRepository = await tree.has(".git");
  const ancestors = isRepository || !usesIgnoreFiles ? noAncestors : await readAncestors(root);
  return { tree, excludes, usesIgnoreFiles, ancestors, isRepository };
}

export const noAncestors: Ancestors = { level: undefined, prefix: "" };

async function readAncestors(root: string): Promise<Ancestors> {
  const top = await repositoryAbove(root);
  if (top === undefined) return noAncestors;
  const parts = root.slice(top.length).split(sep).filter(Boolean);
  const rules = {
    tree: diskTree(top),
    ancestors: noAncestors,
    usesIgnoreFiles: true,
    isRepository: true,
  };
  let level: IgnoreLevel | undefined;
  for (const index of parts.keys()) level = await levelOf(rules, parts.slice(0, index).join("/"), level);
  return { level, prefix: `${parts.join("/")}/` };
}

async function repositoryAbove(folder: string): Promise<string | undefined> {
  for (let [at, above] = [folder, dirname(folder)]; above !== at; [at, above] = [above, dirname(above)])
    if (await isThere(join(above, ".git"))) return above;
  return undefined;
}
