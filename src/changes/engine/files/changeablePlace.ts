import { lstat, readdir } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import * as vscode from "vscode";
import { workspaceUri } from "../../../platform/editor/workspaceUri.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { realPlace } from "../../../platform/files/bounded/placeInside.ts";
import { looksSecret } from "../../../shared/secretFiles.ts";
import { questionAbout, refusedName, sameName } from "./fileRisk.ts";
import { refuseUnsavedEditor } from "./openEditors.ts";

/** Other spellings of names, which Windows accepts. */
const otherSpelling = /[. ](\/|$)|:|~\d/;

/**
 * The file that an agent may change: inside the workspace, no link out, no file of secrets, none that runs code by being
 * there, and without unsaved changes outside of its text editor. A link inside the workspace stands for the file that it
 * leads to. Throws a Refusal with the reason.
 */
export async function changeableUri(path: string): Promise<vscode.Uri> {
  const uri = await agentFile(path);
  await refuseUnsavedEditor(uri, path);
  return uri;
}

/** The same, whatever is unsaved in its editors. */
export async function agentFile(path: string): Promise<vscode.Uri> {
  if (!vscode.workspace.isTrusted)
    throw new Refusal(
      `${path} was not changed, because this workspace is not trusted. Run “Workspaces: Manage Workspace Trust”.`,
    );
  return fileBehindLinks(workspaceUri(path), path);
}

/** The same as `changeableUri` for a file to delete or to move. A link is refused, because nothing could restore it as one. */
export async function removableUri(path: string): Promise<vscode.Uri> {
  const [uri, { scheme, fsPath }] = [await changeableUri(path), workspaceUri(path)];
  if (scheme === "file" && (await lstat(fsPath).catch(() => undefined))?.isSymbolicLink())
    throw new Refusal(`${path} is a link to ${vscode.workspace.asRelativePath(uri)}, so it was left alone.`);
  return uri;
}

/** The URI of an existing file, if it has no other name, also by links; else undefined. */
export async function plainFileUri(path: string): Promise<vscode.Uri | undefined> {
  try {
    const uri = workspaceUri(path);
    const { scheme, fsPath } = uri;
    const found = scheme === "file" ? await lstat(fsPath) : undefined;
    if (!found?.isFile() || found.nlink !== 1) return undefined;
    const roots = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
    const real = await realPlace(roots, fsPath);
    const isSame = real && join(roots[real.folder] ?? "", real.place) === fsPath;
    return isSame ? uri : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Checks the place of a file that was changed before, such as one that a conversation names, whose links were followed then: one that
 * is there now is not. Throws a Refusal for a place that nothing may be written to. Its folders are checked when they are opened.
 */
export async function checkPlace(uri: vscode.Uri, path: string): Promise<void> {
  const { folder } = namedPlace(uri, path);
  if (uri.scheme === "file") await refuseRepository(folder.uri.fsPath, uri.fsPath, path);
}

/** The file that a place of the workspace stands for. Throws a Refusal for one that nothing may be written to. */
async function fileBehindLinks(uri: vscode.Uri, path: string): Promise<vscode.Uri> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const { folder, asked } = namedPlace(uri, path);
  if (uri.scheme !== "file") return uri;
  const { root, place } = await behindLinks(folders, uri, path);
  const isLink =
    root.uri.toString() !== folder.uri.toString() ||
    place.normalize() !== asked.replace(/^\/+/, "").normalize();
  await refuseRepository(folder.uri.fsPath, uri.fsPath, path);
  if (!isLink) return uri;
  // A link inside the workspace must not lead around what is refused.
  refuseByName(`/${place}`, path);
  // The user is asked by the name in the call.
  if (questionAbout(place) !== undefined && questionAbout(asked) === undefined)
    throw new Refusal(
      `${path} was not changed: it is a link to ${place}, which is changed only by that name. Use that path.`,
    );
  const real = vscode.Uri.joinPath(root.uri, place);
  await refuseRepository(root.uri.fsPath, real.fsPath, path);
  return real;
}

/** Throws a Refusal for a name that nothing may be written to. */
function namedPlace(uri: vscode.Uri, path: string) {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const asked = uri.path.slice(folder?.uri.path.length);
  if (!folder || asked.replace(/\/$/, "") === "")
    throw new Refusal(`${path} is not a file of the workspace.`);
  refuseByName(asked, path);
  return { folder, asked };
}

/** The folder and the place in it of a file, which may be missing, after its links are resolved. */
async function behindLinks(folders: readonly vscode.WorkspaceFolder[], { fsPath }: vscode.Uri, path: string) {
  const roots = folders.map((one) => one.uri.fsPath);
  // A missing file is created below the nearest folder that exists.
  for (let place = fsPath; ; place = dirname(place)) {
    const real = await realPlace(roots, place).catch(() => "missing" as const);
    // A dangling link exists as a link.
    if (real === "missing" && !roots.includes(place) && place !== dirname(place) && !(await isThere(place)))
      continue;
    const root = real === "missing" ? undefined : folders[real?.folder ?? -1];
    if (real === undefined || real === "missing" || !root)
      throw new Refusal(
        `${path} is a link that leads out of the workspace, or to a file that does not exist.`,
      );
    const rest = fsPath.slice(place.length).replaceAll("\\", "/");
    return { root, place: `${real.place}${rest}`.replace(/^\/+/, "") };
  }
}

function refuseByName(place: string, shown: string): void {
  if (looksSecret(place))
    throw new Refusal(`${shown} looks like a file of keys or passwords: tools must not change it.`);
  const isOther = process.platform === "win32" && otherSpelling.test(place);
  const refused = refusedName(place);
  if (isOther || refused !== undefined)
    throw new Refusal(
      `${shown} was not changed, because files named ${refused ?? "so"} can make the editor, Git or other tools run programs.`,
    );
}

/**
 * Refuses a file that makes a folder look like a Git repository, or that configures one: then `git status` in it runs
 * programs. Git takes a folder with HEAD for one that has objects and refs, or names a folder that has them.
 */
async function refuseRepository(root: string, file: string, shown: string): Promise<void> {
  const top = root.endsWith(sep) ? root : root + sep;
  for (let place = file; place.startsWith(top); place = dirname(place)) {
    const name = sameName(basename(place));
    const isConfig = place === file && name === "config";
    if (!isConfig && !gitParts.includes(name) && name !== "head") continue;
    const beside = (await readdir(dirname(place)).catch(() => [])).map(sameName);
    const found = [...(isConfig || name === "head" ? gitParts : []), ...(name === "head" ? [] : ["head"])];
    if (found.some((one) => beside.includes(one)))
      throw new Refusal(
        `${shown} was not changed, because ${basename(place)} there makes Git take the folder for a repository, and run programs.`,
      );
  }
}

/** Names in a Git repository beside `HEAD` and `config`. */
const gitParts: readonly string[] = ["objects", "refs", "commondir"];

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

/** The same, and that no editor but that of its text has unsaved changes. */
export async function checkChangeable(uri: vscode.Uri, path: string): Promise<void> {
  await checkPlace(uri, path);
  await refuseUnsavedEditor(uri, path);
}
