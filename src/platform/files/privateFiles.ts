import { appendFileSync, mkdirSync, openSync, type Stats, writeFileSync } from "node:fs";
import { appendFile, chmod, type FileHandle, lstat, mkdir, open, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

// Files of the extension (chats, attachments, results, spending) are readable only by the user. All of them are created
// here with private modes; `test/rules` checks it. Windows has no modes; a user's folder is private there.
const fileMode = 0o600;
const folderMode = 0o700;
const others = 0o077;

export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: folderMode });
}

/** The synchronous form of `makeFolder`. */
export function makeFolderNow(path: string): void {
  mkdirSync(path, { recursive: true, mode: folderMode });
}

/** `flags` as in `fs.open`. */
export function openPrivate(path: string, flags: string): Promise<FileHandle> {
  return open(path, flags, fileMode);
}

/** The synchronous form of `openPrivate`. Its flags may also be numbers. */
export function openPrivateNow(path: string, flags: string | number): number {
  return openSync(path, flags, fileMode);
}

/** Gives the user, and nobody else, all permissions for a file or a folder. */
export async function permitUser(path: string): Promise<void> {
  await chmod(path, folderMode);
}

/** Gives a file the modes of one that is private and no program. */
export async function forbidRun(path: string): Promise<void> {
  await chmod(path, fileMode);
}

/** Writes a file without atomicity, for content that can be created again. */
export async function writePrivately(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(path, content, { mode: fileMode });
}

/** Creates a file synchronously. Throws EEXIST if the name exists. */
export function createPrivatelyNow(path: string, content: string | Uint8Array): void {
  writeFileSync(path, content, { mode: fileMode, flag: "wx" });
}

export async function appendPrivately(path: string, content: string | Uint8Array): Promise<void> {
  await appendFile(path, content, { mode: fileMode });
}

/** The synchronous form of `appendPrivately`. */
export function appendPrivatelyNow(path: string, content: string | Uint8Array): void {
  appendFileSync(path, content, { mode: fileMode });
}

/** False if another user could read or change what has these facts, or has made it. */
export function isOnlyOwn({ uid, mode }: Pick<Stats, "uid" | "mode">, user = process.getuid?.()): boolean {
  return process.platform === "win32" || (uid === user && (mode & others) === 0);
}

/** Files that are processed concurrently. */
const sideBySide = 32;

/**
 * Removes access of others to a folder and its content, for files of older versions or restored backups. The folder
 * itself comes first because that protects the rest at once. Links are skipped.
 */
export async function tightenFolder(folder: string, report: (error: unknown) => void): Promise<void> {
  if (process.platform === "win32") return;
  try {
    const found = await lstat(folder);
    if (!found.isDirectory()) return;
    if (found.mode & others) await chmod(folder, folderMode);
    const entries = await readdir(folder, { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
    for (let at = 0; at < files.length; at += sideBySide)
      await Promise.all(files.slice(at, at + sideBySide).map((file) => tightenFile(file, report)));
    for (const entry of entries) {
      if (entry.isDirectory()) await tightenFolder(join(folder, entry.name), report);
    }
  } catch (error) {
    if (!isMissing(error)) report(error);
  }
}

async function tightenFile(path: string, report: (error: unknown) => void): Promise<void> {
  try {
    const { mode } = await lstat(path);
    if (mode & others) await chmod(path, fileMode);
  } catch (error) {
    if (!isMissing(error)) report(error);
  }
}

/** True for the error of a file that does not exist. Another window may delete files meanwhile. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
