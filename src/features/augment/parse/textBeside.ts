import { lstat, readFile, rm } from "node:fs/promises";
import * as vscode from "vscode";
import { placeInside } from "../../../platform/placeInside.ts";
import type { ParsedText } from "./spool.ts";
import { writeParsed } from "./writeParsed.ts";

/** Whether something has this name, a link to nowhere included: what is written there would land where it leads. */
export async function isTaken(uri: vscode.Uri): Promise<boolean> {
  const looked = uri.scheme === "file" ? lstat(uri.fsPath) : Promise.resolve(vscode.workspace.fs.stat(uri));
  return looked.then(
    () => true,
    () => false,
  );
}

/**
 * Writes what was read of the document `source` to a file that is not there yet. Rejects where something has its name
 * by now. Other file systems than the disk take a file in one piece only, so it is made on the disk for them.
 */
export async function writeBeside(uri: vscode.Uri, parsed: ParsedText, source: string): Promise<void> {
  if (uri.scheme === "file") return writeParsed(parsed, uri.fsPath, source);
  const whole = `${parsed.path}.whole`;
  try {
    await writeParsed(parsed, whole, source);
    await vscode.workspace.fs.writeFile(uri, await readFile(whole));
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
