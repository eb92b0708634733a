import { realpathSync } from "node:fs";
import * as vscode from "vscode";
import type { PathRoots } from "../input/workspacePath.ts";

/** By the path of the folder: a window opens few, and a link to one changes rarely. */
const realPaths = new Map<string, string>();

/** The folders of the workspace, with their absolute paths. Folders that are not on a disk have none. */
export function workspaceRoots(): PathRoots {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => ({
    name,
    paths: uri.scheme === "file" ? [uri.fsPath, realPathOf(uri.fsPath)] : [],
  }));
  return { folders, isWindows: process.platform === "win32" };
}

/** What `pwd` prints there, if the folder was opened through a link. */
function realPathOf(path: string): string {
  const known = realPaths.get(path);
  if (known !== undefined) return known;
  let real = path;
  try {
    real = realpathSync.native(path);
  } catch {
    // The folder is gone or can't be reached: reading will say so.
  }
  realPaths.set(path, real);
  return real;
}
