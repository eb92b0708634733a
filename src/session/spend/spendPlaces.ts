import * as vscode from "vscode";
import { activeGitApi } from "../../platform/editor/git/gitApi.ts";
import { detachedHead, readGitBranch } from "../../platform/editor/git/gitBranch.ts";
import type { SpendPlace } from "./spend.ts";

/** A folder on a slow drive must not delay the ledger. */
const longestMs = 1000;

/** Finds the workspace folder of a call and its git branch. Git is neither activated nor run. */
export function createSpendPlaces(): (resource: string | undefined) => Promise<SpendPlace> {
  return async (resource) => {
    const folder = folderOf(resource);
    if (!folder) return {};
    // The call has to be recorded in any case.
    const branch = await branchIn(folder.uri).catch(() => undefined);
    return { folder: folder.name, ...(branch ? { branch } : {}) };
  };
}

/** The folder of the resource, else the first one of the workspace. */
function folderOf(resource: string | undefined): vscode.WorkspaceFolder | undefined {
  const { workspace } = vscode;
  const own = resource && workspace.getWorkspaceFolder(vscode.Uri.parse(resource));
  return own || workspace.workspaceFolders?.[0];
}

async function branchIn(folder: vscode.Uri): Promise<string | undefined> {
  const repository = activeGitApi()
    ?.repositories.filter(({ rootUri }) => contains(rootUri, folder))
    .sort((a, b) => b.rootUri.path.length - a.rootUri.path.length)[0];
  const { HEAD } = repository?.state ?? {};
  if (HEAD) return HEAD.name ?? detachedHead;
  return folder.scheme === "file" ? within(longestMs, readGitBranch(folder.fsPath)) : undefined;
}

function contains({ scheme, authority, path }: vscode.Uri, inner: vscode.Uri): boolean {
  const isSamePlace = scheme === inner.scheme && authority === inner.authority;
  return isSamePlace && `${inner.path}/`.startsWith(`${path.replace(/\/$/, "")}/`);
}

/** Undefined if it takes longer. */
function within<Value>(ms: number, work: Promise<Value>): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
