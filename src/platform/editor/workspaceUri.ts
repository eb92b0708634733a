import * as vscode from "vscode";
import { Refusal } from "../errors/refusal.ts";

/** The place of a path in the workspace. Throws a Refusal for a path that leads out of it. */
export function workspaceUri(path: string): vscode.Uri {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..") || path.startsWith("/") || /^[a-z]:/i.test(path) || path.includes("\\"))
    throw new Refusal(`${path} is not a path relative to the workspace.`);
  const [only] = folders;
  if (!only) throw new Refusal("No folder is open.");
  if (folders.length === 1) return vscode.Uri.joinPath(only.uri, ...parts);
  const named = folders.find(({ name }) => name === parts[0]);
  if (!named) throw new Refusal(`${path} does not start with the name of a workspace folder.`);
  return vscode.Uri.joinPath(named.uri, ...parts.slice(1));
}

/** In a workspace with several folders, paths start with the folder's name. */
export function workspacePath({ name }: vscode.WorkspaceFolder, path: string): string {
  return (vscode.workspace.workspaceFolders?.length ?? 0) > 1 ? `${name}/${path}` : path;
}
