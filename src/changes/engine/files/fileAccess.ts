import { constants, type Stats } from "node:fs";
import { lstat, lutimes, mkdir, open, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { basename, dirname, join, posix, relative } from "node:path";
import * as vscode from "vscode";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { createWithMode } from "../../../platform/files/durable/durableFile.ts";
import type { TemporaryFiles } from "../../../platform/files/durable/temporaryFiles.ts";
import { messageOf } from "../../../shared/messageOf.ts";
import { checkPlace } from "./changeablePlace.ts";
import { type HeldFolder, holdFolder, replaced } from "./heldFolder.ts";
import { linkAbove, linkAt } from "./linkAt.ts";
import { documentOf, refuseUnsavedEditor } from "./openEditors.ts";

/** Undefined for a file that does not exist. A file that can't be read may exist, so it must not be written. */
export async function statOf(uri: vscode.Uri, path: string): Promise<vscode.FileStat | undefined> {
  return vscode.workspace.fs.stat(uri).then(undefined, (error: unknown) => {
    if (isMissing(codeOf(error))) return undefined;
    throw unreadable(path, error);
  });
}

export async function isFolderAt(uri: vscode.Uri, path: string): Promise<boolean> {
  const found = await statOf(uri, path);
  return found !== undefined && (found.type & vscode.FileType.Directory) > 0;
}

function isMissing(code: string): boolean {
  return code === "FileNotFound" || code === "FileNotADirectory";
}

export function unreadable(path: string, error: unknown): Refusal {
  return new Refusal(`${path} can't be read: ${reasonOf(error)}.`);
}

export interface ReplaceOptions {
  readonly temporary: TemporaryFiles;
  /** The file is replaced once it resolves. */
  readonly isReady?: Promise<unknown> | undefined;
  /** The mode that the file gets; undefined for that which it has. */
  readonly mode?: number | undefined;
  /** A change is taken back, so a read-only file is replaced, too: a program may have changed it, or made it read-only. */
  readonly isRestore?: boolean;
}

/** The mode of a file; undefined without one. */
export async function modeOf({ scheme, fsPath }: vscode.Uri): Promise<number | undefined> {
  if (scheme !== "file") return undefined;
  const found = await stat(fsPath).catch(() => undefined);
  return found && found.mode & 0o777;
}

/** True for a file of a mode with which an editor can't save it. */
export async function isReadOnly(uri: vscode.Uri): Promise<boolean> {
  const mode = await modeOf(uri);
  return mode !== undefined && (mode & 0o222) === 0;
}

/** Gives a file a mode, if it is known and files have modes. Its other names keep theirs. */
export async function setMode(
  uri: vscode.Uri,
  mode: number | undefined,
  temporary: TemporaryFiles,
): Promise<void> {
  if (uri.scheme !== "file" || mode === undefined) return;
  await separateNames(uri, vscode.workspace.asRelativePath(uri), temporary);
  await inFolderOf(uri, uri.fsPath, async (_folder, file) => {
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    await handle.chmod(mode).finally(() => handle.close());
  });
}

/**
 * Writes a file as a whole or not at all, with its mode. Throws an Error whose message names the path and the reason.
 */
export async function replaceFile(
  uri: vscode.Uri,
  path: string,
  bytes: Uint8Array,
  { temporary: files, isReady, mode: newMode, isRestore = false }: ReplaceOptions,
): Promise<void> {
  if (uri.scheme !== "file") {
    await isReady;
    return void (await vscode.workspace.fs.writeFile(uri, bytes));
  }
  const write = async (folder: HeldFolder, file: string, place: string) => {
    const mode = (await plainFile(file, path))?.mode;
    if (mode !== undefined && (mode & 0o222) === 0 && !isRestore)
      throw Object.assign(new Error("The file is read-only."), { code: "EACCES" });
    const temporary = folder.at(relative(dirname(place), files.beside(place)));
    try {
      await createWithMode(temporary, bytes, newMode ?? mode, isReady);
      await refuseUnsavedEditor(uri, path); // since the check of its place
      await folder.check();
      await plainFile(file, path);
      await rename(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {});
      throw error;
    }
  };
  await inFolderOf(uri, path, write, { creates: true }).catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    throw new Refusal(`${path} could not be written: ${reasonOf(error)}. Nothing of it was changed.`);
  });
}

/**
 * Gives a file with several names, which are hard links, a copy under this one, so that an editor which saves it for an agent writes
 * only this one: no record knows the others. The copy has the mode and the times, by which an editor knows the file.
 * Throws a Refusal if it can't be written.
 */
export async function separateNames(uri: vscode.Uri, path: string, temporary: TemporaryFiles): Promise<void> {
  if (uri.scheme !== "file" || !hasOtherNames(await lstat(uri.fsPath).catch(() => undefined))) return;
  const separate = async (folder: HeldFolder, file: string, place: string) => {
    const { found, bytes } = await readPlain(file);
    const copy = folder.at(relative(dirname(place), temporary.beside(place)));
    try {
      await createWithMode(copy, bytes, found.mode);
      await lutimes(copy, found.atimeMs / 1000, found.mtimeMs / 1000);
      await folder.check();
      const now = await plainFile(file, path);
      if (now?.ino !== found.ino || now.mtimeMs !== found.mtimeMs)
        throw new Refusal(`${path} was not changed, because another program has just changed it. Try again.`);
      await rename(copy, file);
    } catch (error) {
      await rm(copy, { force: true }).catch(() => {});
      throw error;
    }
  };
  await inFolderOf(uri, path, separate).catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    throw new Refusal(
      `${path} was not changed, because it has other names, from which it could not be separated: ${reasonOf(error)}.`,
    );
  });
}

/** The content with the facts of the same file, whatever takes its place meanwhile. Rejects for a link. */
async function readPlain(file: string) {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return { found: await handle.stat(), bytes: await handle.readFile() };
  } finally {
    await handle.close();
  }
}

function hasOtherNames(found: Stats | undefined): boolean {
  return found?.isFile() === true && found.nlink > 1;
}

/**
 * Does something in the folder of a file, whose links were followed before. The place is checked once more, and a link that appears
 * in its path since is refused. `place` is the path of the file, `file` the one in the folder that is held.
 */
export async function inFolderOf<Result>(
  uri: vscode.Uri,
  path: string,
  act: (folder: HeldFolder, file: string, place: string) => Promise<Result>,
  { creates = false } = {},
): Promise<Result> {
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? dirname(uri.fsPath);
  if (creates) await mkdir(root, { recursive: true });
  await checkPlace(uri, path);
  const { fsPath: place } = uri;
  const held = await holdFolder({ root, folder: dirname(place), path, creates });
  try {
    return await act(held, held.at(basename(place)), place);
  } finally {
    await held.close();
  }
}

/** The facts of a file; undefined without one. Refuses a link. */
async function plainFile(file: string, path: string) {
  const found = await lstat(file).catch(() => undefined);
  if (found?.isSymbolicLink()) throw replaced(path);
  return found;
}

/** Refuses a file that is reached through a link now. The editor itself moves and deletes files, by their paths. */
async function refuseLink(uri: vscode.Uri, path: string): Promise<void> {
  if (uri.scheme !== "file") return;
  await inFolderOf(uri, path, (_folder, file) => plainFile(file, path)).catch((error: unknown) => {
    // If something is missing or can't be read, the act itself says so.
    if (error instanceof Refusal) throw error;
  });
}

/** Deletes a file. */
export async function removeFile(uri: vscode.Uri, path: string): Promise<void> {
  await refuseUnsavedEditor(uri, path);
  await refuseLink(uri, path);
  await vscode.workspace.fs.delete(uri).then(undefined, (error: unknown) => {
    throw new Refusal(`${path} could not be deleted: ${reasonOf(error)}.`);
  });
}

/** Deletes a folder. False with nothing changed if files are in it. */
async function removeEmptyFolder({ scheme, fsPath }: vscode.Uri): Promise<boolean> {
  if (scheme !== "file") return false;
  const entries = await readdir(fsPath, { withFileTypes: true, recursive: true });
  if (!entries.every((entry) => entry.isDirectory())) return false;
  const below = entries.map(({ parentPath, name }) => join(parentPath, name));
  for (const folder of [...below.sort((a, b) => b.length - a.length), fsPath]) await rmdir(folder);
  return true;
}

/** The reason why nothing can be restored at a place, or undefined. Empty folders make way. */
export async function placeTaken(uri: vscode.Uri, path: string): Promise<string | undefined> {
  const above = linkAbove(uri);
  if (above)
    return `${path} was not restored, because ${vscode.workspace.asRelativePath(above)} is a link now.`;
  // It makes way as a file does.
  if (linkAt(uri) !== undefined) return undefined;
  const found = await statOf(uri, path);
  const isFolder = found && (found.type & vscode.FileType.Directory) > 0;
  if (isFolder && !(await removeEmptyFolder(uri)))
    return `${path} was not restored, because a folder with files has its place.`;
  if (found || uri.scheme !== "file") return undefined;
  for (let place = posix.dirname(uri.path); ; place = posix.dirname(place)) {
    const above = uri.with({ path: place });
    const type = await vscode.workspace.fs.stat(above).then(
      (one) => one.type,
      () => undefined,
    );
    if (type !== undefined && (type & vscode.FileType.Directory) === 0)
      return `${path} was not restored, because ${vscode.workspace.asRelativePath(above)} is a file now.`;
    if (type !== undefined || place === posix.dirname(place)) return undefined;
  }
}

/**
 * Moves a file with its open editors. Throws a Refusal with the failure if the target exists, or if the file has unsaved text.
 * Other extensions are not told: some of them ask the user what else to change, in a dialog that blocks the window, or change
 * it themselves, and an agent does that.
 */
export async function moveQuietly(from: vscode.Uri, to: vscode.Uri, failure: string): Promise<void> {
  await refuseUnsavedEditor(from, vscode.workspace.asRelativePath(from));
  if (documentOf(from)?.isDirty)
    throw new Refusal(`${failure}, because the user types in it: its text is not saved. Try again.`);
  for (const uri of [from, to]) await refuseLink(uri, vscode.workspace.asRelativePath(uri));
  await vscode.workspace.fs
    .rename(from, to, { overwrite: false })
    .then(undefined, () => Promise.reject(new Refusal(`${failure}.`)));
}

/**
 * The same for the user, with unsaved text: only an edit of the workspace takes it along, of which other extensions are told.
 */
export async function moveFile(from: vscode.Uri, to: vscode.Uri, failure: string): Promise<void> {
  await refuseUnsavedEditor(from, vscode.workspace.asRelativePath(from));
  if (!documentOf(from)?.isDirty) return moveQuietly(from, to, failure);
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(from, to, { overwrite: false });
  if (!(await vscode.workspace.applyEdit(edit))) throw new Refusal(`${failure}.`);
}

/** The editor names few codes; its message has that of the system. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const code = "code" in error ? String(error.code) : "";
  return code === "" || code === "Unknown" ? (/\bE[A-Z0-9]{3,}\b/.exec(error.message)?.[0] ?? code) : code;
}

/** The reason of a failure, as the end of a sentence. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const known: Readonly<Record<string, string>> = {
    ENOSPC: "the disk is full",
    EDQUOT: "the disk quota is used up",
    EACCES: "the file is not writable",
    EPERM: "the file is locked or not writable",
    EBUSY: "another program uses the file",
    EROFS: "the disk is read-only",
    ENOTDIR: "a part of its path is a file",
    EEXIST: "a part of its path is a file",
    EISDIR: "it is a folder",
    EIO: "the disk reports an error",
    ELOOP: "its links lead in a circle",
    EMFILE: "too many files are open",
    ENAMETOOLONG: "its name is too long",
    NoPermissions: "permission is denied",
    Unavailable: "its file system is not available",
  };
  return (Object.hasOwn(known, code) && known[code]) || messageOf(error);
}
