import { lstat, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { openRegular } from "../files/bounded/openRegular.ts";

// Files of this machine are read without the editor, whose own functions ask its window before each of them: a busy window
// answers late. Links and errors are told as the editor does.

/** Rejects as `vscode.workspace.fs.stat` does. */
export async function statFile(uri: vscode.Uri): Promise<vscode.FileStat> {
  if (uri.scheme !== "file") return vscode.workspace.fs.stat(uri);
  try {
    const own = await lstat(uri.fsPath);
    const isLink = own.isSymbolicLink();
    // A link that leads nowhere is a file for itself.
    const found = isLink ? await stat(uri.fsPath).catch(() => own) : own;
    const type = typeOf(found) | (isLink ? vscode.FileType.SymbolicLink : 0);
    return { type, size: found.size, mtime: found.mtimeMs, ctime: found.birthtimeMs };
  } catch (error) {
    throw asOfEditor(uri, error);
  }
}

/** Rejects as `vscode.workspace.fs.readFile` does, which reads no devices and pipes either. */
export async function readWhole(uri: vscode.Uri): Promise<Uint8Array> {
  if (uri.scheme !== "file") return vscode.workspace.fs.readFile(uri);
  try {
    const handle = await openRegular(uri.fsPath);
    return await handle.readFile().finally(() => handle.close());
  } catch (error) {
    throw asOfEditor(uri, error);
  }
}

/** Rejects as `vscode.workspace.fs.readDirectory` does. */
export async function readFolder(uri: vscode.Uri): Promise<readonly (readonly [string, vscode.FileType])[]> {
  if (uri.scheme !== "file") return vscode.workspace.fs.readDirectory(uri);
  const entries = await readdir(uri.fsPath, { withFileTypes: true }).catch((error: unknown) => {
    throw asOfEditor(uri, error);
  });
  return Promise.all(
    entries.map(async (entry) => {
      if (!entry.isSymbolicLink()) return [entry.name, typeOf(entry)] as const;
      const found = await stat(join(uri.fsPath, entry.name)).catch(() => undefined);
      return [entry.name, vscode.FileType.SymbolicLink | (found ? typeOf(found) : 0)] as const;
    }),
  );
}

function typeOf(entry: { isFile(): boolean; isDirectory(): boolean }): vscode.FileType {
  if (entry.isFile()) return vscode.FileType.File;
  return entry.isDirectory() ? vscode.FileType.Directory : vscode.FileType.Unknown;
}

function asOfEditor(uri: vscode.Uri, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ENOENT":
      return vscode.FileSystemError.FileNotFound(uri);
    case "ENOTDIR":
      return vscode.FileSystemError.FileNotADirectory(uri);
    case "EISDIR":
      return vscode.FileSystemError.FileIsADirectory(uri);
    case "EACCES":
    case "EPERM":
      return vscode.FileSystemError.NoPermissions(uri);
    default:
      return error;
  }
}
