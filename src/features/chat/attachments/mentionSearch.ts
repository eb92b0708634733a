import * as vscode from "vscode";
import { findFiles } from "../../../platform/findFiles.ts";
import type { Mention } from "../../../shared/chatAttachments.ts";
import { bestPaths, foldersOf } from "./fuzzy.ts";

/** Limit of searched files; a larger workspace is searched again by the typed letters. */
const maxFiles = 20_000;
/** Lifetime of the cached file list in milliseconds. */
const freshMs = 10_000;
const maxShown = 12;

type Found = ReadonlyMap<string, vscode.Uri>;

/** Finds files and folders of the workspace by parts of their paths. */
export function createMentionSearch(): (query: string, signal: AbortSignal) => Promise<Mention[]> {
  let cached: { readonly files: Promise<Found>; readonly atMs: number } | undefined;
  const all = () => {
    if (!cached || Date.now() - cached.atMs > freshMs) cached = { files: list("**/*"), atMs: Date.now() };
    return cached.files;
  };
  return async (query, signal) => {
    if (query === "") return openFiles();
    const files = await all();
    const more: Found = files.size < maxFiles ? new Map() : await list(globOf(query), signal);
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

async function list(glob: string, signal?: AbortSignal): Promise<Found> {
  const uris = await findFiles(glob, { most: maxFiles, signal });
  return new Map(uris.map((uri) => [vscode.workspace.asRelativePath(uri), uri]));
}

/** A glob for names with these letters in this order, in any case. */
function globOf(query: string): string {
  const letters = query.slice(query.lastIndexOf("/") + 1).replace(/[^\p{L}\p{N}]/gu, "");
  const any = [...letters].map((letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
  return `**/*${any.join("*")}*`;
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
