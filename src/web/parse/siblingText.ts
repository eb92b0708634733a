import { lstat, readFile, rm } from "node:fs/promises";
import * as vscode from "vscode";
import { placeInside } from "../../platform/files/bounded/placeInside.ts";
import type { TemporaryPlaces } from "../../platform/files/durable/durableFile.ts";
import type { ParsedText } from "./tempFiles.ts";
import { writeParsed, writeParsedPrivately } from "./writeParsed.ts";

/**
 * True if the name exists, even as a dangling link: writing to it would write to the link's target. Rejects if that is
 * unknown: the name is too long, the folder is not readable, or its file system is not available.
 */
export async function isTaken(uri: vscode.Uri): Promise<boolean> {
  const onDisk = uri.scheme === "file";
  try {
    await (onDisk ? lstat(uri.fsPath) : vscode.workspace.fs.stat(uri));
    return true;
  } catch (error) {
    if (codeOf(error) === (onDisk ? "ENOENT" : "FileNotFound")) return false;
    throw error;
  }
}

/** True for the error of `writeBeside` if the name exists. */
export function isTakenError(error: unknown): boolean {
  return codeOf(error) === "EEXIST" || codeOf(error) === "FileExists";
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/**
 * Writes the text of the document `source` to a new file. Rejects if the name exists. Other file systems than the disk
 * take a file in one piece only, so it is written to a temporary file first.
 */
export async function writeBeside(
  uri: vscode.Uri,
  parsed: ParsedText,
  source: string,
  temporary: TemporaryPlaces,
): Promise<void> {
  if (uri.scheme === "file") return writeParsed(parsed, uri.fsPath, source, temporary);
  const whole = `${parsed.path}.whole`;
  try {
    await writeParsedPrivately(parsed, whole, source);
    const bytes = await readFile(whole);
    // Other file systems have no exclusive create: check once more just before the write.
    if (await isTaken(uri)) throw vscode.FileSystemError.FileExists(uri);
    await vscode.workspace.fs.writeFile(uri, bytes);
  } finally {
    await rm(whole, { force: true });
  }
}

/** False if a link in the path leads out of the folder. */
export async function liesInside(folder: vscode.Uri, file: vscode.Uri): Promise<boolean> {
  if (file.scheme !== "file") return true;
  const place = await placeInside([folder.fsPath], file.fsPath).catch(() => undefined);
  return place !== undefined;
}
