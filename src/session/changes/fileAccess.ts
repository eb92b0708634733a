import { randomUUID } from "node:crypto";
import { lstat, mkdir, open, readdir, realpath, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { ToolRefusal } from "../tools/serviceTool.ts";

/** Undefined for a file that does not exist. A file that can't be read may exist, so it must not be written. */
export async function statOf(uri: vscode.Uri, path: string): Promise<vscode.FileStat | undefined> {
  return vscode.workspace.fs.stat(uri).then(undefined, (error: unknown) => {
    if (isMissing(codeOf(error))) return undefined;
    throw unreadable(path, error);
  });
}

function isMissing(code: string): boolean {
  return code === "FileNotFound" || code === "FileNotADirectory";
}

export function unreadable(path: string, error: unknown): ToolRefusal {
  return new ToolRefusal(`${path} can't be read: ${reasonOf(error)}.`);
}

interface ReplaceOptions {
  /** The file is replaced once it resolves. */
  readonly isReady?: Promise<unknown> | undefined;
  /** The mode of a file that does not exist. */
  readonly mode?: number | undefined;
}

/** The mode of a file; undefined without one. */
export async function modeOf({ scheme, fsPath }: vscode.Uri): Promise<number | undefined> {
  if (scheme !== "file") return undefined;
  const found = await stat(fsPath).catch(() => undefined);
  return found && found.mode & 0o777;
}

/**
 * Writes a file as a whole or not at all, with its mode, in place of what a link inside the workspace points to. Throws an
 * Error whose message names the path and the reason.
 */
export async function replaceFile(
  uri: vscode.Uri,
  path: string,
  bytes: Uint8Array,
  { isReady, mode: newMode }: ReplaceOptions = {},
): Promise<void> {
  if (uri.scheme !== "file") {
    await isReady;
    return void (await vscode.workspace.fs.writeFile(uri, bytes));
  }
  const found = await lstat(uri.fsPath).catch(() => undefined);
  const target = found?.isSymbolicLink() ? await realpath(uri.fsPath) : uri.fsPath;
  const temporary = join(dirname(target), `.${randomUUID()}.tmp`);
  try {
    const mode = found?.isSymbolicLink() ? (await stat(target)).mode : found?.mode;
    if (mode === undefined) await mkdir(dirname(target), { recursive: true });
    else if ((mode & 0o222) === 0)
      throw Object.assign(new Error("The file is read-only."), { code: "EACCES" });
    await writeFlushed(temporary, bytes, mode ?? newMode, isReady);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw new ToolRefusal(`${path} could not be written: ${reasonOf(error)}. Nothing of it was changed.`);
  }
}

/** Creates a file with this mode, and waits until it is on the disk and `isReady` has resolved. */
async function writeFlushed(
  path: string,
  bytes: Uint8Array,
  mode: number | undefined,
  isReady: Promise<unknown> | undefined,
): Promise<void> {
  const file = await open(path, "wx", mode);
  try {
    await file.writeFile(bytes);
    // The mode of a new file lacks the bits of the umask.
    const chmod = mode === undefined ? undefined : file.chmod(mode & 0o7777);
    await Promise.all([file.sync(), chmod, isReady]);
  } finally {
    await file.close();
  }
}

/** Deletes a file. */
export async function removeFile(uri: vscode.Uri, path: string): Promise<void> {
  await vscode.workspace.fs.delete(uri).then(undefined, (error: unknown) => {
    throw new ToolRefusal(`${path} could not be deleted: ${reasonOf(error)}.`);
  });
}

/** Deletes a folder. False with nothing changed if files are in it. */
export async function removeEmptyFolder({ scheme, fsPath }: vscode.Uri): Promise<boolean> {
  if (scheme !== "file") return false;
  const entries = await readdir(fsPath, { withFileTypes: true, recursive: true });
  if (!entries.every((entry) => entry.isDirectory())) return false;
  const below = entries.map(({ parentPath, name }) => join(parentPath, name));
  for (const folder of [...below.sort((a, b) => b.length - a.length), fsPath]) await rmdir(folder);
  return true;
}

/** Moves a file with its open editors. Throws a ToolRefusal with the failure if the target exists. */
export async function moveFile(from: vscode.Uri, to: vscode.Uri, failure: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(from, to, { overwrite: false });
  if (!(await vscode.workspace.applyEdit(edit))) throw new ToolRefusal(`${failure}.`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function reasonOf(error: unknown): string {
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
    NoPermissions: "permission is denied",
    Unavailable: "its file system is not available",
  };
  return (
    (Object.hasOwn(known, code) && known[code]) || (error instanceof Error ? error.message : String(error))
  );
}
