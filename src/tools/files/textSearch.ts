import * as vscode from "vscode";
import { editorTexts } from "../../changes/engine/files/editorText.ts";
import { statFile } from "../../platform/editor/fileReads.ts";
import { workspacePath } from "../../platform/editor/workspaceUri.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { placeInside } from "../../platform/files/bounded/placeInside.ts";
import { engineOf, listPaths, rootOf, rulesOf } from "../../platform/search/editorSearch.ts";
import { type Include, readInclude } from "../../platform/search/rules/excludes.ts";
import { createPathRules } from "../../platform/search/rules/folderRules.ts";
import { toScope } from "../../platform/search/rules/searchScope.ts";
import {
  type Found,
  type FoundFile,
  type FoundPaths,
  InvalidPattern,
  type LinePattern,
  type SearchScope,
} from "../../platform/search/searchEngine.ts";
import { looksSecret } from "../../shared/secretFiles.ts";
import type { InvalidQuery, TextQuery } from "./workspaceFiles.ts";

/** Limit of editors whose text is searched in place of the file. */
const maxUnsaved = 100;

/** A searched folder or file of a workspace folder. */
interface Place {
  readonly folder: vscode.WorkspaceFolder;
  /** Path below the workspace folder; empty for all of it. */
  readonly path: string;
  readonly isFolder: boolean;
}

/**
 * Searches the files of the workspace, in which unsaved text replaces what is on the disk. Files of secrets are left out.
 * Rejects with a Refusal or the signal's reason.
 */
export async function searchWorkspace(
  query: TextQuery,
  uri: vscode.Uri | undefined,
  signal: AbortSignal,
): Promise<Found | InvalidQuery> {
  const include = query.include === "" ? undefined : readInclude(query.include);
  if (query.include !== "" && !include)
    throw new Refusal(`${query.include} is not a valid pattern of files. An example is **/*.ts.`);
  const places = uri ? [await placeOf(uri, query.path)] : wholeFolders();
  const found: Found[] = [];
  try {
    for (const place of places) found.push(await searchPlace(place, query.pattern, include, signal));
  } catch (error) {
    if (error instanceof InvalidPattern) return { invalid: error.message };
    throw error;
  }
  return {
    files: found.flatMap(({ files }) => files),
    unread: found.reduce((sum, { unread }) => sum + unread, 0),
    end: found.map(({ end }) => end).find((end) => end !== "complete") ?? "complete",
  };
}

function wholeFolders(): readonly Place[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) throw new Refusal("No folder is open.");
  return folders.map((folder) => ({ folder, path: "", isFolder: true }));
}

/** The place behind links, which has been checked to be inside the workspace. */
async function placeOf(uri: vscode.Uri, shown: string): Promise<Place> {
  const stat = await statFile(uri).then(undefined, () => undefined);
  if (!stat) throw new Refusal(`There is no folder or file ${shown}.`);
  const folders = vscode.workspace.workspaceFolders ?? [];
  const found = await Promise.all(folders.map((folder) => pathIn(folder, uri)));
  const index = found.findIndex((path) => path !== undefined);
  const [folder, path] = [folders[index], found[index]];
  if (!folder || path === undefined) throw new Refusal(`${shown} is not in the workspace.`);
  if (path.split("/").some((part) => part.toLowerCase() === ".git"))
    throw new Refusal(`${shown} was not searched: it is a folder of git.`);
  return { folder, path, isFolder: (stat.type & vscode.FileType.Directory) !== 0 };
}

/** The path of a file below a workspace folder, behind links; undefined if it is outside. */
async function pathIn({ uri: root }: vscode.WorkspaceFolder, uri: vscode.Uri): Promise<string | undefined> {
  if (root.scheme !== uri.scheme || root.authority !== uri.authority) return undefined;
  if (uri.scheme === "file") {
    // A file that is only in an editor has no place behind links.
    const real = await placeInside([root.fsPath], uri.fsPath).catch(() => "unknown");
    if (real !== "unknown") return real;
  }
  const above = root.path.endsWith("/") ? root.path : `${root.path}/`;
  if (uri.path === root.path) return "";
  return uri.path.startsWith(above) ? uri.path.slice(above.length) : undefined;
}

async function searchPlace(
  { folder, ...named }: Place,
  pattern: LinePattern,
  include: Include | undefined,
  signal: AbortSignal,
): Promise<Found> {
  const rules = await rulesOf(folder);
  const scope = await toScope({ root: rootOf(folder), rules, named, include, encoding: encodingOf(folder) });
  const unsaved = await unsavedIn(folder, scope);
  const wants = (path: string) => scope.wants(path) && !looksSecret(path) && !unsaved.has(path);
  const engine = engineOf(folder.uri);
  const found = await engine.search({ ...scope, wants }, pattern, signal);
  const files: FoundFile[] = [...found.files];
  for (const [path, text] of unsaved) {
    const lines = await engine.searchText(text, pattern, signal);
    if (lines.length > 0) files.push({ path, lines });
  }
  return { ...found, files: files.map((file) => ({ ...file, path: workspacePath(folder, file.path) })) };
}

/** The unsaved texts of a search by their paths. */
async function unsavedIn(
  folder: vscode.WorkspaceFolder,
  scope: SearchScope,
): Promise<ReadonlyMap<string, string>> {
  const isLeftOut = createPathRules(scope.rules);
  const unsaved = new Map<string, string>();
  for (const { uri, text } of editorTexts().slice(0, maxUnsaved)) {
    const path = await pathIn(folder, uri);
    const isWanted = path !== undefined && scope.wants(path) && !looksSecret(path);
    if (isWanted && !(await isLeftOut(path, false))) unsaved.set(path, text);
  }
  return unsaved;
}

/** Names that VS Code gives encodings, as labels of the Encoding standard, where they differ. */
const labels: Readonly<Record<string, string>> = {
  utf8bom: "utf-8",
  utf16le: "utf-16le",
  utf16be: "utf-16be",
  shiftjis: "shift_jis",
  eucjp: "euc-jp",
  euckr: "euc-kr",
  koi8r: "koi8-r",
  koi8u: "koi8-u",
  macroman: "x-mac-roman",
  big5hkscs: "big5",
};

/** The encoding of files without a mark. Undefined for UTF-8, and for one that only the editor knows. */
export function encodingOf({ uri }: Pick<vscode.WorkspaceFolder, "uri">): string | undefined {
  const name = vscode.workspace.getConfiguration("files", uri).get("encoding", "utf8");
  try {
    const { encoding } = new TextDecoder(labels[name] ?? name.replace(/^windows(\d)/, "windows-$1"));
    return encoding === "utf-8" ? undefined : encoding;
  } catch {
    return undefined;
  }
}

/** Limit of files below a folder. */
const maxListed = 200_000;

/** The files below a folder of the workspace, or in all of it. */
export async function filesBelow(
  uri: vscode.Uri | undefined,
  shown: string,
  signal: AbortSignal,
): Promise<FoundPaths> {
  const places = uri ? [await placeOf(uri, shown)] : wholeFolders();
  const lists = await Promise.all(
    places.map(async ({ folder, path, isFolder }) => {
      if (!isFolder) throw new Refusal(`${shown} is a file, not a folder.`);
      const { paths, isComplete } = await listPaths(folder, path, { maxFiles: maxListed, signal });
      return { paths: paths.map((one) => workspacePath(folder, one)), isComplete };
    }),
  );
  return {
    paths: lists.flatMap(({ paths }) => paths),
    isComplete: lists.every(({ isComplete }) => isComplete),
  };
}

/** The names of a folder without those that are left out, unless the folder is; and how many these are. */
export async function withoutLeftOut(
  uri: vscode.Uri,
  entries: readonly (readonly [string, vscode.FileType])[],
): Promise<{ readonly entries: readonly (readonly [string, vscode.FileType])[]; readonly leftOut: number }> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const path = folder && (await pathIn(folder, uri));
  if (!folder || path === undefined) return { entries, leftOut: 0 };
  const isLeftOut = createPathRules(await rulesOf(folder));
  if (path !== "" && (await isLeftOut(path, true))) return { entries, leftOut: 0 };
  const kept: (readonly [string, vscode.FileType])[] = [];
  for (const entry of entries) {
    const [name, type] = entry;
    const isFolder = (type & vscode.FileType.Directory) !== 0;
    if (!(await isLeftOut(path === "" ? name : `${path}/${name}`, isFolder))) kept.push(entry);
  }
  // That there is a repository is no news.
  const hidden = entries.filter(([name]) => name === ".git").length;
  return { entries: kept, leftOut: entries.length - kept.length - hidden };
}
