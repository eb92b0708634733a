import { Refusal } from "../../platform/errors/refusal.ts";
import { placeInside } from "../../platform/files/bounded/placeInside.ts";
import type { Found, FoundPaths, LinePattern } from "../../platform/search/searchEngine.ts";
import { looksSecret } from "../../shared/secretFiles.ts";
import type { LargeFile } from "./diskLines.ts";

/** Files of the workspace, by paths relative to it with `/`. Paths and links that lead outside are refused. */
export interface WorkspaceFiles {
  /** The unsaved text of its editor as UTF-8, else the bytes on disk. Refuses a larger file. */
  read(path: string, maxBytes: number): Promise<Uint8Array>;
  /** The text as the editor shows it, unsaved and in its encoding. Refuses a larger file, and one that is no text. */
  readText(path: string, maxBytes: number): Promise<string>;
  /** What kind of file it is, before it is read. */
  look(path: string): Promise<FileLook>;
  /** The entries of a folder. */
  list(path: string): Promise<FolderNames>;
  /** The files below a folder, as paths of the workspace in no order; without those that are left out. */
  listBelow(path: string, signal: AbortSignal): Promise<FoundPaths>;
  /** Searches unsaved text in place of what is on the disk. */
  search(query: TextQuery, signal: AbortSignal): Promise<Found | InvalidQuery>;
}

export interface FileLook {
  /** In bytes. */
  readonly size: number;
  /** Its first bytes. */
  readonly head: Uint8Array;
  /** Where it is on this machine, if it should be read in pieces. */
  readonly large?: LargeFile;
}

interface FolderNames {
  /** Sorted; those of subfolders end with `/`. */
  readonly names: readonly string[];
  /** Number of entries that ignore files and settings leave out. */
  readonly leftOut: number;
}

/** The pattern is not a regular expression. */
export interface InvalidQuery {
  readonly invalid: string;
}

export interface TextQuery {
  readonly pattern: LinePattern;
  /** A pattern of the wanted files, such as `*.ts`; empty for all. */
  readonly include: string;
  /** Path of a folder or a file; empty for the workspace. */
  readonly path: string;
}

/** The first line of a read text that lacks what only such an editor knows. */
export function unsavedElsewhere(path: string): string {
  return `(${path} has unsaved changes in an editor that is not a text editor. This is the file without them.)\n`;
}

/** Limit of an uploaded file (spec E9). */
const maxReadBytes = 25 * 1024 * 1024;

/** Reads a file unless its name says that it holds keys or passwords. */
export async function readOpenFile(files: Pick<WorkspaceFiles, "read">, path: string): Promise<Uint8Array> {
  refuseSecret(path);
  return files.read(path, maxReadBytes);
}

/** The text of a file unless its name says that it holds keys or passwords. */
export async function readOpenText(files: Pick<WorkspaceFiles, "readText">, path: string): Promise<string> {
  refuseSecret(path);
  return files.readText(path, maxReadBytes);
}

/** Throws a Refusal for a file whose name says that it holds keys or passwords. */
export function refuseSecret(path: string): void {
  if (looksSecret(path))
    throw new Refusal(`${path} looks like a file of keys or passwords: tools must not read it.`);
}

/** Throws if a path of the workspace is a link to a file outside of it, or to a file of secrets. */
export async function checkPlace(folders: readonly string[], file: string, shown: string): Promise<void> {
  // A missing file is reported by the read that follows.
  const place = await placeInside(folders, file).catch(() => "");
  if (place === undefined) throw new Refusal(`${shown} is a link that leads out of the workspace.`);
  if (looksSecret(place)) throw new Refusal(`${shown} is a link to a file of keys or passwords.`);
}
