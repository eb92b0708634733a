import * as vscode from "vscode";
import { shownFileText, unsavedText } from "../../changes/engine/files/editorText.ts";
import { isInUnsavedTab } from "../../changes/engine/files/openEditors.ts";
import type { NotebookCell } from "../../changes/engine/notebooks/cellPlan.ts";
import { isNotebookPath, notebookCells, notebookText } from "../../changes/engine/notebooks/notebookText.ts";
import { readFolder, readWhole, statFile } from "../../platform/editor/fileReads.ts";
import { workspaceUri } from "../../platform/editor/workspaceUri.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { isTemporaryName } from "../../platform/files/durable/temporaryName.ts";
import { formatBytes } from "../../shared/chat/chatAttachments.ts";
import { readHead } from "./diskLines.ts";
import { encodingOf, filesBelow, searchWorkspace, withoutLeftOut } from "./textSearch.ts";
import { checkPlace, unsavedElsewhere, type WorkspaceFiles } from "./workspaceFiles.ts";

/** In a workspace with several folders, paths start with the folder's name. */
export const editorFiles: WorkspaceFiles = {
  async read(path, maxBytes) {
    const uri = await checkedUri(path);
    const unsaved = await unsavedText(uri);
    return unsaved === undefined ? fileBytes(uri, path, maxBytes) : new TextEncoder().encode(unsaved);
  },
  async readText(path, maxBytes) {
    const uri = await checkedUri(path);
    const bytes = () => fileBytes(uri, path, maxBytes);
    const cells = await notebookText(uri, path, bytes);
    if (cells !== undefined) return cells;
    const text = await shownFileText(uri, path, bytes);
    if (!(await isInUnsavedTab(uri))) return text;
    return `${unsavedElsewhere(path)}${text}`;
  },
  async look(path) {
    const uri = await checkedUri(path);
    const unsaved = await unsavedText(uri);
    if (unsaved !== undefined) {
      const bytes = new TextEncoder().encode(unsaved);
      return { size: bytes.byteLength, head: bytes.subarray(0, headBytes) };
    }
    const found = await statFile(uri).then(undefined, () => undefined);
    if (!found) throw new Refusal(`There is no file ${path}.`);
    if (found.type & vscode.FileType.Directory)
      throw new Refusal(`${path} is a folder: list_files shows what is in it.`);
    if (uri.scheme !== "file")
      return {
        size: found.size,
        head: (await fileBytes(uri, path, maxElsewhereBytes)).subarray(0, headBytes),
      };
    const head = await readHead(uri.fsPath, headBytes).catch(() => undefined);
    if (!head) throw new Refusal(`${path} can't be read.`);
    // The cells of a notebook are few lines of its file, most of which are outputs.
    const isLarge = found.size > (isNotebookPath(path) ? maxElsewhereBytes : maxWholeBytes);
    return {
      size: found.size,
      head,
      ...(isLarge ? { large: { path: uri.fsPath, encoding: encodingOf({ uri }) } } : {}),
    };
  },
  async list(path) {
    const folders = vscode.workspace.workspaceFolders ?? [];
    if (path === "" && folders.length > 1)
      return { names: folders.map(({ name }) => `${name}/`), leftOut: 0 };
    const uri = await checkedUri(path);
    const all = await readFolder(uri).then(undefined, () => undefined);
    if (!all) throw new Refusal(`There is no folder ${path}.`);
    const lasting = all.filter(([name]) => !isTemporaryName(name));
    const { entries, leftOut } = await withoutLeftOut(uri, lasting);
    const names = entries.map(([name, type]) => (type & vscode.FileType.Directory ? `${name}/` : name));
    return { names: names.sort(), leftOut };
  },
  async listBelow(path, signal) {
    return filesBelow(path === "" ? undefined : await checkedUri(path), path, signal);
  },
  async search(query, signal) {
    return searchWorkspace(query, query.path === "" ? undefined : await checkedUri(query.path), signal);
  },
};

/** The cells of a notebook of the workspace; undefined for a file that is read as text. */
export async function cellsOfFile(
  path: string,
  maxBytes = 25 * 1024 * 1024,
): Promise<readonly NotebookCell[] | undefined> {
  const uri = await checkedUri(path);
  return notebookCells(uri, path, () => fileBytes(uri, path, maxBytes));
}

const headBytes = 8_192;
/** A larger file is read in pieces. */
const maxWholeBytes = 4 * 1024 * 1024;
/** Other file systems give whole files only. */
const maxElsewhereBytes = 25 * 1024 * 1024;

async function fileBytes(uri: vscode.Uri, path: string, maxBytes: number): Promise<Uint8Array> {
  const found = await statFile(uri).then(undefined, () => undefined);
  if (found && found.size > maxBytes)
    throw new Refusal(`${path} was not read whole: it is larger than ${formatBytes(maxBytes)}.`);
  if (!found) throw new Refusal(`There is no file ${path}.`);
  const bytes = await readWhole(uri).then(undefined, () => undefined);
  if (!bytes) throw new Refusal(`${path} can't be read.`);
  return bytes;
}

/**
 * The same for agents outside of this extension: none of them reads a file of a workspace that the user does not trust,
 * because a file there may have asked the agent to.
 */
export const trustedFiles: Pick<WorkspaceFiles, "read"> = {
  async read(path, maxBytes) {
    if (!vscode.workspace.isTrusted)
      throw new Refusal(
        `${path} was not read, because this workspace is not trusted. Run “Workspaces: Manage Workspace Trust”, and call the tool again.`,
      );
    return editorFiles.read(path, maxBytes);
  },
};

/** The file of a path, which is inside the workspace, no link out and no file of secrets. Else throws a Refusal. */
export async function checkedUri(path: string): Promise<vscode.Uri> {
  const uri = workspaceUri(path);
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  if (uri.scheme === "file") await checkPlace(folders, uri.fsPath, path);
  return uri;
}
