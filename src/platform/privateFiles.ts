import { appendFileSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { appendFile, chmod, type FileHandle, lstat, mkdir, open, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

// What the extension keeps (chats, attachments, results, spending) is for nobody but the user to read. All of it is
// made here, with modes that say so; `test/rules` sees to that. Windows has no modes: there, a user's folder is private.
const fileMode = 0o600;
const folderMode = 0o700;
const others = 0o077;

export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: folderMode });
}

/** The same as `makeFolder`, done when it returns. */
export function makeFolderNow(path: string): void {
  mkdirSync(path, { recursive: true, mode: folderMode });
}

/** `flags` as `fs.open` has them. */
export function openPrivate(path: string, flags: string): Promise<FileHandle> {
  return open(path, flags, fileMode);
}

/** The same as `openPrivate`, done when it returns. Its flags may be numbers, too. */
export function openPrivateNow(path: string, flags: string | number): number {
  return openSync(path, flags, fileMode);
}

/** Writes a file that may be found half written: one that can be made again. */
export async function writePrivately(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(path, content, { mode: fileMode });
}

/** Makes a file, done when it returns. Throws EEXIST where something has that name. */
export function createPrivatelyNow(path: string, content: string | Uint8Array): void {
  writeFileSync(path, content, { mode: fileMode, flag: "wx" });
}

export async function appendPrivately(path: string, content: string | Uint8Array): Promise<void> {
  await appendFile(path, content, { mode: fileMode });
}

/** The same as `appendPrivately`, done when it returns. */
export function appendPrivatelyNow(path: string, content: string | Uint8Array): void {
  appendFileSync(path, content, { mode: fileMode });
}

/** Files that are looked at side by side. */
const sideBySide = 32;

/**
 * Takes away what others may do with a folder and all in it: files of older versions, or of a backup that lost their
 * modes. The folder itself comes first, which shuts the rest off at once. Links are left alone.
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
    if (!saysGone(error)) report(error);
  }
}

async function tightenFile(path: string, report: (error: unknown) => void): Promise<void> {
  try {
    const { mode } = await lstat(path);
    if (mode & others) await chmod(path, fileMode);
  } catch (error) {
    if (!saysGone(error)) report(error);
  }
}

/** Another window may remove what it does not need any more. */
function saysGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
