import { lstat, readFile, rm } from "node:fs/promises";
import * as vscode from "vscode";
import { placeInside } from "../../../platform/placeInside.ts";
import type { ParsedText } from "./tempFiles.ts";
import { writeParsed, writeParsedPrivately } from "./writeParsed.ts";

/**
 * Whether something has this name, a link to nowhere included: what is written there would land where it leads. Rejects
 * where that can't be told: a name that is too long, a folder that may not be looked into, a service that is away.
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

/** Whether this is the error of `writeBeside` for a name that something has by now. */
export function saysTaken(error: unknown): boolean {
  return codeOf(error) === "EEXIST" || codeOf(error) === "FileExists";
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/**
 * Writes what was read of the document `source` to a file that is not there yet. Rejects where something has its name
 * by now, or may have. Other file systems than the disk take a file in one piece only, so it is made on the disk for them.
 */
export async function writeBeside(uri: vscode.Uri, parsed: ParsedText, source: string): Promise<void> {
  if (uri.scheme === "file") return writeParsed(parsed, uri.fsPath, source);
  const whole = `${parsed.path}.whole`;
  try {
    await writeParsedPrivately(parsed, whole, source);
    const bytes = await readFile(whole);
    // They know no writing to new files alone: the last that can be done is to ask again.
    if (await isTaken(uri)) throw vscode.FileSystemError.FileExists(uri);
    await vscode.workspace.fs.writeFile(uri, bytes);
  } finally {
    await rm(whole, { force: true });
  }
}

/** Whether a file below a folder is one of that folder, and not one elsewhere that a link leads to. */
export async function liesInside(folder: vscode.Uri, file: vscode.Uri): Promise<boolean> {
  if (file.scheme !== "file") return true;
  const place = await placeInside([folder.fsPath], file.fsPath).catch(() => undefined);
  return place !== undefined;
}
