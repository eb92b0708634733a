import { lstat, writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { placeInside } from "../../../platform/placeInside.ts";

/** Whether something has this name, a link to nowhere included: what is written there would land where it leads. */
export async function isTaken(uri: vscode.Uri): Promise<boolean> {
  const looked = uri.scheme === "file" ? lstat(uri.fsPath) : Promise.resolve(vscode.workspace.fs.stat(uri));
  return looked.then(
    () => true,
    () => false,
  );
}

/** Writes a file that is not there yet. Rejects where something has its name by now. */
export async function writeNew(uri: vscode.Uri, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  if (uri.scheme === "file") await writeFile(uri.fsPath, bytes, { flag: "wx" });
  else await vscode.workspace.fs.writeFile(uri, bytes);
}

/** Whether a file below a folder is one of that folder, and not one elsewhere that a link leads to. */
export async function liesInside(folder: vscode.Uri, file: vscode.Uri): Promise<boolean> {
  if (file.scheme !== "file") return true;
  const place = await placeInside([folder.fsPath], file.fsPath).catch(() => undefined);
  return place !== undefined;
}
