import * as vscode from "vscode";
import { findFiles, isSearched } from "./findFiles.ts";
import { type FolderEntry, walkFolders } from "./walkFolders.ts";

export interface FilesBelow {
  /** File extensions without the dot, case-insensitive; empty for all files. */
  readonly extensions?: readonly string[];
  /** Maximum number of files. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/** Maximum number of folders that are read if there is no search. Deeper files are not found. */
const mostFolders = 5_000;

/**
 * The files below a folder in no order, without those that the user's settings exclude. A file system without search is
 * walked instead. Then only `node_modules` and `.git` are excluded, because the patterns of the settings apply to the
 * search only. Rejects with the signal's reason.
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

/** Folders that are excluded from "all files". */
const skipped = new Set(["node_modules", ".git"]);

function* entriesIn(
  folder: vscode.Uri,
  listed: readonly [string, vscode.FileType][],
  isWanted: (name: string) => boolean,
): Generator<FolderEntry<vscode.Uri>> {
  for (const [name, type] of listed) {
    // A linked folder may contain its own parent.
    const isFolder = type === vscode.FileType.Directory && !skipped.has(name);
    const isFile = (type & vscode.FileType.File) !== 0 && isWanted(name);
    if (isFolder || isFile)
      yield { kind: isFolder ? "folder" : "file", place: vscode.Uri.joinPath(folder, name) };
  }
}

/** Globs have no option to ignore case. */
function globOf(extensions: readonly string[] | undefined): string {
  if (!extensions) return "**/*";
  const inAnyCase = (text: string) =>
    text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
  return `**/*.{${extensions.map(inAnyCase).join(",")}}`;
}
