import { mkdirSync, readdirSync, realpathSync, rmdirSync } from "node:fs";
import { basename, join } from "node:path";
import { refusedName } from "../../../../../changes/engine/files/fileRisk.ts";
import { isThere, type RepositoryPlaces, repositoryOf } from "./repositories.ts";

/** The places of workspace folders that a command in the sandbox can't change. */
export interface GuardedPlaces {
  /** Folders and files that it only reads. */
  readonly readOnly: readonly string[];
  /** Folders that it may change, but neither move nor remove: they have places that it only reads. */
  readonly fixed: readonly string[];
  /** Removes the empty folders that were made to keep a command from making them. */
  release(): void;
}

/**
 * Names that begin with a dot and that tools write in each run: caches and results. Other such names make the editor, Git, a
 * shell or another agent run something.
 */
const writtenByTools =
  /^\.(next|nuxt|output|svelte-kit|astro|cache|parcel-cache|turbo|nx|angular|vite|vitest|venv|tox|nox|eggs|coverage|nyc_output|gradle|kotlin|dart_tool|terraform|serverless|docusaurus|vuepress|temp|tmp|build|dist|out|metals|bloop|stack-work|expo|yarn|bundle|sass-cache|jekyll-cache|[\w-]*[_-]cache|ipynb_checkpoints|hypothesis|DS_Store|pnp\.\w+|eslintcache|stylelintcache|coverage\..+|[\w-]+\.tsbuildinfo)$/;
/** They are kept from being made, because the editor looks at them at once. */
const neverMade = [".git", ".vscode"];
const mostSubfolders = 1_000;

/** How many commands run with an empty folder that was made for them, by its path. */
const made = new Map<string, number>();

/**
 * `folder` is that of the command. `writesRepository`: it may write the repository, apart from what makes Git run programs.
 * All paths are real.
 */
export function guardPlaces(
  folders: readonly string[],
  folder: string,
  writesRepository: boolean,
): GuardedPlaces {
  const empty = folders.flatMap((root) => neverMade.map((name) => join(root, name))).filter(makeEmpty);
  const inside = [...folders, ...folders.flatMap(subfoldersWithGit)];
  const open = writesRepository ? openRepositories([...inside, folder], empty) : [];
  const fixed = new Set(open.flatMap((one) => one.folders));
  const guarded = [
    ...folders.flatMap(guardedNames),
    ...inside.map((place) => join(place, ".git")).filter(isThere),
  ];
  // The place itself is kept; a link stands for what it leads to.
  const closed = guarded.filter((place) => !fixed.has(place)).flatMap((place) => realOf(place) ?? []);
  return {
    readOnly: [...new Set([...closed, ...open.flatMap((one) => one.guarded)])],
    fixed: [...fixed],
    release() {
      for (const place of empty.splice(0)) removeEmpty(place);
    },
  };
}

/** Those that belong to folders. Without any, the first command of Git makes it in the place that is empty. */
function openRepositories(places: readonly string[], empty: readonly string[]): readonly RepositoryPlaces[] {
  const found = places.flatMap((place) => repositoryOf(place) ?? []);
  if (found.length > 0) return found;
  return [{ folders: empty.filter((place) => basename(place) === ".git"), guarded: [] }];
}

/** The places of a workspace folder that make the editor, Git, a shell or another agent run something, without `.git`. */
function guardedNames(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name !== ".git" && refusedName(name) !== undefined && !writtenByTools.test(name))
    .map((name) => join(folder, name));
}

/** The editor looks for repositories in the folders of a workspace folder, and runs Git there. */
function subfoldersWithGit(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
    .slice(0, mostSubfolders)
    .map(({ name }) => join(folder, name))
    .filter((place) => isThere(join(place, ".git")));
}

/** True if the folder is one of those that were made empty. `removeEmpty` removes it. */
export function makeEmpty(place: string): boolean {
  const count = made.get(place);
  if (count === undefined) {
    try {
      mkdirSync(place);
    } catch {
      return false; // It is there, or the folder can't be written.
    }
  }
  made.set(place, (count ?? 0) + 1);
  return true;
}

/** A command that still runs needs the folder: without it, nothing would cover the place. */
export function removeEmpty(place: string): void {
  const count = (made.get(place) ?? 1) - 1;
  if (count > 0) {
    made.set(place, count);
    return;
  }
  made.delete(place);
  try {
    rmdirSync(place);
  } catch {
    // Another program has put something into it, or removed it.
  }
}

function realOf(place: string): string | undefined {
  try {
    // As the disk writes it, where upper and lower case are the same: rules of macOS compare letters.
    return realpathSync.native(place);
  } catch {
    return undefined; // a link to nothing
  }
}
