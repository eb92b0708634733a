import * as vscode from "vscode";
import { withoutLinks } from "../../../../shared/text/html/withoutLinks.ts";
import type { HomeFiles } from "../../../../tools/files/homeFiles.ts";
import type { ToHost } from "../../../protocol/chatProtocol.ts";
import { isLinkOut } from "../../code/proposals.ts";

/** Concurrent lookups: a file system may be slow. */
const atOnce = 16;

/** Resolves a path within the workspace folders only. */
export async function fileInWorkspace(path: string): Promise<vscode.Uri | undefined> {
  const parts = partsOf(path);
  if (leavesFolder(path)) return undefined;
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    const inFolder = uri.path.replace(/\/$/, "");
    const written = parts.join("/");
    const relative = written.startsWith(`${inFolder}/`) ? written.slice(inFolder.length + 1) : written;
    const file = vscode.Uri.joinPath(uri, relative);
    const isFile = await vscode.workspace.fs.stat(file).then(
      ({ type }) => (type & vscode.FileType.File) !== 0,
      () => false,
    );
    if (isFile) return file;
  }
  return undefined;
}

/** True for a path that may lead out of a folder, or to another drive or scheme. */
export function leavesFolder(path: string): boolean {
  return partsOf(path).includes("..") || path.includes(":");
}

function partsOf(path: string): readonly string[] {
  return path.replaceAll("\\", "/").replace(/^\.\//, "").split("/");
}

/** Returns the paths that are files of the workspace. Links that lead outside are excluded. */
export async function filesAmong(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (let from = 0; from < paths.length; from += atOnce) {
    const some = paths.slice(from, from + atOnce);
    const uris = await Promise.all(some.map(openable));
    found.push(...some.filter((_, index) => uris[index] !== undefined));
  }
  return found;
}

/** Opens a file at the position that an answer names. */
export async function openNamedFile({
  path,
  line = 1,
  column = 1,
}: Extract<ToHost, { readonly type: "openPath" }>["body"]): Promise<void> {
  const uri = await openable(path);
  if (!uri) {
    void vscode.window.showInformationMessage(
      withoutLinks(`The file ${path} no longer exists in the workspace.`),
    );
    return;
  }
  const at = new vscode.Position(line - 1, column - 1);
  await vscode.commands.executeCommand("vscode.open", uri, { selection: new vscode.Range(at, at) });
}

/** Opens one of the user's own files for agents, by a path that begins with `~/`. */
export async function openHomeFile(home: HomeFiles, path: string): Promise<void> {
  const place = await home.place(path).catch(() => undefined);
  if (place !== undefined) await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(place));
  else void vscode.window.showInformationMessage(withoutLinks(`The file ${path} no longer exists.`));
}

async function openable(path: string): Promise<vscode.Uri | undefined> {
  const uri = await fileInWorkspace(path);
  return uri && !(await isLinkOut(uri)) ? uri : undefined;
}
