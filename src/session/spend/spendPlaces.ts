import * as vscode from "vscode";
import { activeGitApi } from "../../platform/editor/git/gitApi.ts";
import { detachedHead, readGitBranch } from "../../platform/editor/git/gitBranch.ts";
import { sha256 } from "../../platform/sha256.ts";
import type { PlaceOf } from "./scopes/callTags.ts";

/** A folder on a slow drive must not delay the ledger. */
const longestMs = 1000;
/** Enough to tell the folders of a user apart. */
const idDigits = 16;

/** Finds the workspace folder of a call and its git branch. Git is neither activated nor run. */
export function createSpendPlaces(): PlaceOf {
  return async (resource, name) => {
    const folder = folderOf(resource, name);
    if (!folder) return {};
    // The call has to be recorded in any case.
    const branch = await branchIn(folder.uri).catch(() => undefined);
    return {
      folder: folder.name,
      // Says nothing of its path, which can name more than the folder.
      folderId: sha256(folder.uri.toString()).slice(0, idDigits),
      ...(branch ? { branch } : {}),
    };
  };
}

/** The resource itself if it is a folder, else the folder of the resource, else the first one of the workspace. */
function folderOf(
  resource: string | undefined,
  name: string | undefined,
): Pick<vscode.WorkspaceFolder, "name" | "uri"> | undefined {
  const { workspace } = vscode;
  const uri = resource ? vscode.Uri.parse(resource) : undefined;
  if (uri && name !== undefined) return { uri, name };
  return (uri && workspace.getWorkspaceFolder(uri)) || workspace.workspaceFolders?.[0];
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
