import * as vscode from "vscode";
import { fileName } from "../../shared/text/fileName.ts";
import { createDiskSearch } from "./diskSearch.ts";
import { findRipgrep } from "./ripgrep/ripgrepPath.ts";
import { readExcludes } from "./rules/excludes.ts";
import type { FolderRules } from "./rules/folderRules.ts";
import { compileGlob } from "./rules/glob.ts";
import { toScope } from "./rules/searchScope.ts";
import type { FoundPaths, SearchEngine } from "./searchEngine.ts";
import { diskRules, noAncestors } from "./trees/diskTree.ts";
import { uriTree } from "./trees/uriTree.ts";
import { createWalkSearch } from "./walkSearch.ts";

const onDisk = createDiskSearch(() => findRipgrep(vscode.env.appRoot));
/** Each file of such a file system may be a request to a server. */
const elsewhere = createWalkSearch({ files: 2_000, folders: 1_000 });

/** What searches a workspace folder. */
export function engineOf({ scheme }: vscode.Uri): SearchEngine {
  return scheme === "file" ? onDisk : elsewhere;
}

/** Which files of a workspace folder are searched and listed: by its ignore files and the settings of VS Code's search. */
export async function rulesOf({ uri }: vscode.WorkspaceFolder): Promise<FolderRules> {
  const settings = (section: string) => vscode.workspace.getConfiguration(section, uri);
  const excludes = readExcludes([settings("files").get("exclude"), settings("search").get("exclude")]);
  const usesIgnoreFiles = settings("search").get("useIgnoreFiles", true);
  if (uri.scheme === "file") return diskRules(uri.fsPath, excludes, usesIgnoreFiles);
  const tree = uriTree(uri);
  const isRepository = await tree.has(".git");
  return { tree, excludes, usesIgnoreFiles, ancestors: noAncestors, isRepository };
}

/** The path of a folder for ripgrep; empty if it is not on this machine. */
export function rootOf({ uri }: vscode.WorkspaceFolder): string {
  return uri.scheme === "file" ? uri.fsPath : "";
}

export interface ListRequest {
  readonly maxFiles: number;
  /** A pattern for their names, such as `*.md`. */
  readonly names?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * The files of a workspace folder, or of a folder below it, in no order. Without those that are ignored or excluded,
 * unless the folder is. Rejects with the signal's reason.
 */
export async function listFiles(
  folder: vscode.WorkspaceFolder,
  below: string,
  { maxFiles, names, signal }: ListRequest,
): Promise<readonly vscode.Uri[]> {
  const { paths } = await listPaths(folder, below, { maxFiles, names, signal });
  return paths.map((path) => vscode.Uri.joinPath(folder.uri, path));
}

/** The same as paths below the workspace folder. */
export async function listPaths(
  folder: vscode.WorkspaceFolder,
  below: string,
  { maxFiles, names, signal }: ListRequest,
): Promise<FoundPaths> {
  const rules = await rulesOf(folder);
  const scope = await toScope({ root: rootOf(folder), rules, named: { path: below, isFolder: true } });
  const matches = names === undefined ? undefined : compileGlob(names);
  const wants = (path: string) => scope.wants(path) && (matches?.(fileName(path)) ?? true);
  return engineOf(folder.uri).list({ ...scope, names, wants }, maxFiles, signal);
}
