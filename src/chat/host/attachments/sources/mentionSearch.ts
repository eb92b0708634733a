import * as vscode from "vscode";
import { listFiles } from "../../../../platform/search/editorSearch.ts";
import type { Mention } from "../../../../shared/chat/chatAttachments.ts";
import { fileName } from "../../../../shared/text/fileName.ts";
import { bestPaths, foldersOf } from "./fuzzy.ts";

/** Limit of searched files; a larger workspace is searched again by the typed letters. */
const maxFiles = 20_000;
/** Lifetime of the cached file list in milliseconds. */
const freshMs = 10_000;
/** Limit of the time for the list in milliseconds. */
const maxListMs = 30_000;
const maxShown = 12;

type Found = ReadonlyMap<string, vscode.Uri>;

/**
 * Finds files and folders of the workspace by parts of their paths: those that the agent's search finds, so none that
 * `.gitignore` or the settings exclude.
 */
export function createMentionSearch(): (query: string, signal: AbortSignal) => Promise<Mention[]> {
  let cached: { readonly files: Promise<Found>; readonly atMs: number } | undefined;
  const all = () => {
    if (cached && Date.now() - cached.atMs <= freshMs) return cached.files;
    const files = list(undefined, AbortSignal.timeout(maxListMs));
    const own = { files, atMs: Date.now() };
    files.catch(() => {
      if (cached === own) cached = undefined;
    });
    cached = own;
    return files;
  };
  return async (query, signal) => {
    if (query === "") return openFiles();
    const files = await all().catch((): Found => new Map());
    if (signal.aborted) return [];
    const more: Found =
      files.size < maxFiles ? new Map() : await list(namesOf(query), signal).catch(() => new Map());
    if (signal.aborted) return [];
    const both = new Map([...files, ...more]);
    const paths = [...both.keys()];
    const folders = foldersOf(paths);
    const isFolder = new Set(folders);
    return bestPaths([...paths, ...folders], query, maxShown).flatMap((path) => {
      const uri = isFolder.has(path) ? folderUri(path, both) : both.get(path);
      return uri ? [toMention(path, uri, isFolder.has(path))] : [];
    });
  };
}

async function list(names: string | undefined, signal: AbortSignal): Promise<Found> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const request = { maxFiles, signal, ...(names === undefined ? {} : { names }) };
  const uris = await Promise.all(folders.map((folder) => listFiles(folder, "", request)));
  return new Map(uris.flat().map((uri) => [vscode.workspace.asRelativePath(uri), uri]));
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

function folderUri(path: string, files: Found): vscode.Uri | undefined {
  for (const [file, uri] of files) {
    if (!file.startsWith(`${path}/`)) continue;
    const below = file.slice(path.length + 1).split("/");
    return vscode.Uri.joinPath(uri, ...below.map(() => ".."));
  }
  return undefined;
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
