import * as vscode from "vscode";
import { workspacePath, workspaceUri } from "../../../../platform/editor/workspaceUri.ts";
import { listPaths } from "../../../../platform/search/editorSearch.ts";
import type { Mention } from "../../../../shared/chat/chatAttachments.ts";
import { fileName } from "../../../../shared/text/fileName.ts";
import { bestPaths, foldersOf } from "./fuzzy.ts";

/** Limit of searched files; a larger workspace is searched again by the typed letters. */
const maxFiles = 100_000;
/** Lifetime of the cached file list in milliseconds. */
const freshMs = 10_000;
/** Limit of the time for the list in milliseconds. */
const maxListMs = 30_000;
const maxShown = 12;

/**
 * Finds files and folders of the workspace by parts of their paths: those that the agent's search finds, so none that
 * `.gitignore` or the settings exclude.
 */
export function createMentionSearch(): (query: string, signal: AbortSignal) => Promise<Mention[]> {
  let cached: { readonly files: Promise<Listing>; readonly atMs: number } | undefined;
  const all = () => {
    if (cached && Date.now() - cached.atMs <= freshMs) return cached.files;
    const files = listAll();
    const own = { files, atMs: Date.now() };
    files.catch(() => {
      if (cached === own) cached = undefined;
    });
    cached = own;
    return files;
  };
  return async (query, signal) => {
    if (query === "") return openFiles();
    const { paths: files, folders } = await all().catch((): Listing => noListing);
    if (signal.aborted) return [];
    const more =
      files.length < maxFiles ? [] : await list(namesOf(query), signal).catch((): readonly string[] => []);
    if (signal.aborted) return [];
    const paths = more.length === 0 ? files : [...new Set([...files, ...more])];
    const above = more.length === 0 ? folders : new Set(foldersOf(paths));
    return bestPaths([...paths, ...above], query, maxShown).flatMap((path) => {
      const uri = uriOf(path);
      return uri ? [toMention(path, uri, above.has(path))] : [];
    });
  };
}

/** The paths of the files, and those of their folders: worked out once, because each letter looks through both. */
interface Listing {
  readonly paths: readonly string[];
  readonly folders: ReadonlySet<string>;
}

const noListing: Listing = { paths: [], folders: new Set() };

async function listAll(): Promise<Listing> {
  const paths = await list(undefined, AbortSignal.timeout(maxListMs));
  return { paths, folders: new Set(foldersOf(paths)) };
}

async function list(names: string | undefined, signal: AbortSignal): Promise<readonly string[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const { paths } = await listPaths(folder, "", { maxFiles, signal, names });
      return paths.map((path) => workspacePath(folder, path));
    }),
  );
  return lists.flat();
}

/** Undefined for a name that no path can have here. */
function uriOf(path: string): vscode.Uri | undefined {
  try {
    return workspaceUri(path);
  } catch {
    return undefined;
  }
}

/** A pattern for names with these letters in this order, in any case. Undefined if there are none. */
function namesOf(query: string): string | undefined {
  const letters = fileName(query).replace(/[^\p{L}\p{N}]/gu, "");
  const any = [...letters].map((letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
  return any.length === 0 ? undefined : `*${any.join("*")}*`;
}

/** Suggested before anything is typed. */
function openFiles(): Mention[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const uris = tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));
  const unique = new Map(
    uris.filter(({ scheme }) => scheme !== "untitled").map((uri) => [uri.toString(), uri]),
  );
  return [...unique.values()]
    .slice(0, maxShown)
    .map((uri) => toMention(vscode.workspace.asRelativePath(uri), uri, false));
}

function toMention(path: string, uri: vscode.Uri, isFolder: boolean): Mention {
  const at = path.lastIndexOf("/");
  const above = path.slice(0, Math.max(0, at));
  return {
    request: { kind: "uri", uri: uri.toString() },
    icon: isFolder ? "folder" : "file",
    name: `${path.slice(at + 1)}${isFolder ? "/" : ""}`,
    ...(above === "" ? {} : { detail: above }),
  };
}
