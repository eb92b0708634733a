import type { Excludes } from "./excludes.ts";
import {
  type IgnoreLevel,
  type IgnoreRule,
  ignoreFileNames,
  isIgnoredAt,
  parseIgnoreFile,
} from "./ignoreRules.ts";

/** An entry of a folder. Links are none. */
export interface TreeEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** A folder with all that is below it, by relative paths with `/`. The folder itself is the empty path. */
export interface FileTree {
  /** Rejects if the folder can't be read. */
  list(folder: string): Promise<readonly TreeEntry[]>;
  /** Undefined if there is no such file, or it can't be read or is larger. Never follows a link. */
  read(path: string, maxBytes: number): Promise<Uint8Array | undefined>;
  /** True if there is such an entry. */
  has(path: string): Promise<boolean>;
  /** `.git/info/exclude` of the repository with this folder as its root. */
  readGitExclude(folder: string): Promise<Uint8Array | undefined>;
}

/** The folders above a workspace folder, up to the root of its repository. */
export interface Ancestors {
  /** Their ignore rules. Undefined if the folder is the root of a repository, or in none. */
  readonly level: IgnoreLevel | undefined;
  /** Path of the folder below the topmost of them, with a `/` at its end; empty without. */
  readonly prefix: string;
}

/** Which files below a folder of the workspace are searched and listed. */
export interface FolderRules {
  readonly tree: FileTree;
  readonly excludes: Excludes;
  /** False if the user has turned ignore files off. */
  readonly usesIgnoreFiles: boolean;
  readonly ancestors: Ancestors;
  /** The folder is the root of a repository of git. */
  readonly isRepository: boolean;
}

/** An ignore file is a list of patterns; what is larger is none. */
const maxIgnoreBytes = 1_000_000;

/** The level of the root folder. */
export function rootLevel(rules: FolderRules): Promise<IgnoreLevel | undefined> {
  return levelOf(rules, "", rules.ancestors.level);
}

/** The level of a folder below one whose level is known. Reads its ignore files. */
export async function levelOf(
  rules: Omit<FolderRules, "excludes">,
  folder: string,
  above: IgnoreLevel | undefined,
  entries?: readonly TreeEntry[],
): Promise<IgnoreLevel | undefined> {
  if (!rules.usesIgnoreFiles) return undefined;
  const { tree, ancestors } = rules;
  const there = entries ?? (await tree.list(folder).catch(() => []));
  const names = new Set(there.map(({ name }) => name));
  const hasGit = names.has(".git");
  const read = (name: string) =>
    names.has(name) ? tree.read(folder === "" ? name : `${folder}/${name}`, maxIgnoreBytes) : undefined;
  const texts = await Promise.all([
    ...ignoreFileNames.map(read),
    hasGit ? tree.readGitExclude(folder) : undefined,
  ]);
  const own = texts.map((bytes) => (bytes ? parseIgnoreFile(new TextDecoder().decode(bytes)) : noRules));
  // A folder of repositories is none, so that its rules count in them.
  const isRepository = hasGit && isInRepository(rules);
  if (!isRepository && above && own.every(({ length }) => length === 0)) return above;
  return {
    above,
    prefix: ancestors.prefix + (folder === "" ? "" : `${folder}/`),
    isRepository,
    rules: own,
  };
}

/** True if the root folder is in a repository of git. */
export function isInRepository({
  ancestors,
  isRepository,
}: Pick<FolderRules, "ancestors" | "isRepository">): boolean {
  return isRepository || ancestors.level !== undefined;
}

const noRules: readonly IgnoreRule[] = [];

/** True if an entry of a folder with this level is left out. */
export function isLeftOut(
  { excludes, ancestors }: FolderRules,
  level: IgnoreLevel | undefined,
  path: string,
  isFolder: boolean,
): boolean {
  if (excludes.isExcluded(path)) return true;
  return level !== undefined && isIgnoredAt(level, ancestors.prefix + path, isFolder);
}

/** Tells whether a path, or a folder above it, is left out. Reads the ignore files of each folder once. */
export function createPathRules(rules: FolderRules): (path: string, isFolder: boolean) => Promise<boolean> {
  const levels = new Map<string, Promise<IgnoreLevel | undefined | "left out">>();
  const isLeftOutAt = async (path: string, isFolder: boolean) => {
    const level = await levelAt(parentOf(path));
    return level === "left out" || isLeftOut(rules, level, path, isFolder);
  };
  const find = async (folder: string): Promise<IgnoreLevel | undefined | "left out"> => {
    if (folder === "") return rootLevel(rules);
    if (await isLeftOutAt(folder, true)) return "left out";
    const above = await levelAt(parentOf(folder));
    return above === "left out" ? above : levelOf(rules, folder, above);
  };
  const levelAt = (folder: string) => {
    const known = levels.get(folder) ?? find(folder);
    levels.set(folder, known);
    return known;
  };
  return isLeftOutAt;
}

/** Empty for what is in the root. */
function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
