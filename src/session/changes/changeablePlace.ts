import { lstat } from "node:fs/promises";
import { dirname } from "node:path";
import * as vscode from "vscode";
import { placeInside } from "../../platform/placeInside.ts";
import { looksSecret } from "../../shared/secretFiles.ts";
import { workspaceUri } from "../tools/editorFiles.ts";
import { ToolRefusal } from "../tools/serviceTool.ts";

/** Folders and files that make the editor, Git or a package manager run programs: an agent must not write them. */
const runsCode =
  /(^|\/)(\.git|\.vscode|\.husky|\.devcontainer|\.idea|\.claude|\.cursor|\.yarn)(\/|$)|(^|\/)([^/]*\.code-workspace|\.envrc|\.yarnrc(\.yml)?|\.mcp\.json)$/i;
/** Other spellings of these names, which Windows accepts. */
const otherSpelling = /[. ](\/|$)|:|~\d/;

/**
 * The file that an agent may change: inside the workspace, no link out, no file of secrets, none that runs code by being
 * there. Throws a ToolRefusal with the reason.
 */
export async function changeableUri(path: string): Promise<vscode.Uri> {
  if (!vscode.workspace.isTrusted)
    throw new ToolRefusal(
      `${path} was not changed, because this workspace is not trusted. Run “Workspaces: Manage Workspace Trust”.`,
    );
  const uri = workspaceUri(path);
  await checkChangeable(uri, path);
  return uri;
}

/** The same for a file that was changed before, such as one that a conversation names. */
export async function checkChangeable(uri: vscode.Uri, path: string): Promise<void> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!folder || uri.path.replace(/\/$/, "") === folder.uri.path.replace(/\/$/, ""))
    throw new ToolRefusal(`${path} is not a file of the workspace.`);
  refuseByName(uri.path.slice(folder.uri.path.length), path);
  if (uri.scheme !== "file") return;
  // A missing file is created below the nearest folder that exists. A dangling link exists as a link.
  let place = uri.fsPath;
  while (place !== folder.uri.fsPath && place !== dirname(place) && !(await isThere(place)))
    place = dirname(place);
  const roots = folders.map((one) => one.uri.fsPath);
  const real = await placeInside(roots, place).catch(() => undefined);
  if (real === undefined)
    throw new ToolRefusal(
      `${path} is a link that leads out of the workspace, or to a file that does not exist.`,
    );
  // A link inside the workspace must not lead around the names that are refused.
  refuseByName(`/${real}${uri.fsPath.slice(place.length).replaceAll("\\", "/")}`, path);
}

function refuseByName(place: string, shown: string): void {
  if (runsCode.test(place) || (process.platform === "win32" && otherSpelling.test(place)))
    throw new ToolRefusal(
      `${shown} was not changed, because files there make the editor or Git run programs.`,
    );
  if (looksSecret(place))
    throw new ToolRefusal(`${shown} looks like a file of keys or passwords: tools must not change it.`);
}

async function isThere(place: string): Promise<boolean> {
  return lstat(place).then(
    () => true,
    () => false,
  );
}

/** True if a file does not exist. False if it, or the folder that holds all, can't be reached. */
export async function isGone(uri: vscode.Uri): Promise<boolean> {
  const codeOf = (place: vscode.Uri) =>
    vscode.workspace.fs.stat(place).then(
      () => undefined,
      (error: { readonly code?: unknown }) => error.code,
    );
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder && (await codeOf(folder.uri)) !== undefined) return false;
  const code = await codeOf(uri);
  return code === "FileNotFound" || code === "FileNotADirectory";
}
