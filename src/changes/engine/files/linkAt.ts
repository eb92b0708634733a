import { dirname } from "node:path";
import * as vscode from "vscode";
import { linkAtPath } from "./linkTarget.ts";

/** The target of the link at a place of the workspace, see `linkAtPath`. Undefined also below another link. */
export function linkAt(uri: vscode.Uri): string | undefined {
  return uri.scheme === "file" && !linkAbove(uri) ? linkAtPath(uri.fsPath) : undefined;
}

/** The link through which a place is reached, so that nothing is at the place itself. The folder of the workspace may be one. */
export function linkAbove(uri: vscode.Uri): vscode.Uri | undefined {
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath;
  if (uri.scheme !== "file" || root === undefined) return undefined;
  let found: string | undefined;
  for (let folder = dirname(uri.fsPath); folder.length > root.length; folder = dirname(folder))
    if (linkAtPath(folder) !== undefined) found = folder;
  return found === undefined ? undefined : vscode.Uri.file(found);
}
