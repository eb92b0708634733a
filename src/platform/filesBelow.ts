import * as vscode from "vscode";
import { findFiles, isSearched } from "./findFiles.ts";
import { type FolderEntry, walkFolders } from "./walkFolders.ts";

export interface FilesBelow {
  /** Ends of names, without the dot and in any case; all files where there are none. */
  readonly extensions?: readonly string[];
  /** No more than so many. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/** Folders that are read where nothing can search: what lies deeper than so many is not found. */
const mostFolders = 5_000;

/**
 * The files below a folder, in no order, without what the user's settings hide. Where the editor can't search it is
 * walked through instead, and of what is hidden only `node_modules` and `.git` are left out there, for the patterns of
 * the settings are the search's own. Rejects with the signal's reason.
 */
export async function filesBelow(folder: vscode.Uri, wanted: FilesBelow): Promise<vscode.Uri[]> {
  const { extensions, most, signal } = wanted;
  if (isSearched(folder)) {
    const found = await findFiles(new vscode.RelativePattern(folder, globOf(extensions)), { most, signal });
    signal.throwIfAborted();
    return found;
  }
  const ends = extensions?.map((extension) => `.${extension}`);
  const isWanted = (name: string) => !ends || ends.some((end) => name.toLowerCase().endsWith(end));
  return walkFolders(folder, {
    list: async (at) => entriesIn(at, await vscode.workspace.fs.readDirectory(at), isWanted),
    mostFiles: most,
    mostFolders,
    signal,
  });
}

/** Folders that nobody means when they say "all files". */
const skipped = new Set(["node_modules", ".git"]);

function* entriesIn(
  folder: vscode.Uri,
  listed: readonly [string, vscode.FileType][],
  isWanted: (name: string) => boolean,
): Generator<FolderEntry<vscode.Uri>> {
  for (const [name, type] of listed) {
    // A linked folder may hold the one that it is in.
    const isFolder = type === vscode.FileType.Directory && !skipped.has(name);
    const isFile = (type & vscode.FileType.File) !== 0 && isWanted(name);
    if (isFolder || isFile)
      yield { kind: isFolder ? "folder" : "file", place: vscode.Uri.joinPath(folder, name) };
  }
}

/** Globs know no "in any case". */
function globOf(extensions: readonly string[] | undefined): string {
  if (!extensions) return "**/*";
  const inAnyCase = (text: string) =>
    text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
  return `**/*.{${extensions.map(inAnyCase).join(",")}}`;
}
