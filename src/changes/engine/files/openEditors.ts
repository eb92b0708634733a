import { realpath } from "node:fs/promises";
import * as vscode from "vscode";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { linkAt } from "./linkAt.ts";

/** The document of a file, if it is open. */
export function documentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === key);
}

/** The notebook of a file, if it is open as one. */
export function notebookOf(uri: vscode.Uri): vscode.NotebookDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.notebookDocuments.find((one) => !one.isClosed && one.uri.toString() === key);
}

/** The document with unsaved text of a file, also under another name that leads to the file, such as a link. */
export async function unsavedDocumentOf(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  const own = documentOf(uri);
  if (own?.isDirty) return own;
  const others = vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty);
  return firstOfFile(uri, others, (document) => document.uri);
}

/**
 * Throws a Refusal if a file has unsaved changes that only an editor knows: a notebook, an editor of another extension
 * for binary files, or a text editor that has the file under another name. What is written behind it would be lost when
 * the user saves. A symbolic link is not the file to which it leads.
 */
export async function refuseUnsavedEditor(uri: vscode.Uri, path: string): Promise<void> {
  if (linkAt(uri) !== undefined) {
    const key = uri.toString();
    const isUnsaved = unsavedPlaces().some((place) => place.toString() === key);
    if (isUnsaved) throw unsavedIn("an editor that is not a text editor", path);
    return;
  }
  if (await isInUnsavedTab(uri)) throw unsavedIn("an editor that is not a text editor", path);
  if (isNewInEditor(uri)) throw unsavedIn("a new file of this name that is not saved yet", path);
  const other = await unsavedDocumentOf(uri);
  if (other && other.uri.toString() !== uri.toString())
    throw unsavedIn(`the editor of ${vscode.workspace.asRelativePath(other.uri)}`, path);
}

/** True if the editor has text for a file of this name, which it would write there, but has not yet saved the file at all. */
function isNewInEditor({ path }: vscode.Uri): boolean {
  const { textDocuments, notebookDocuments } = vscode.workspace;
  return [...textDocuments, ...notebookDocuments].some(
    ({ uri, isDirty }) => isDirty && uri.scheme === "untitled" && uri.path === path,
  );
}

/** Throws a Refusal if a text editor has unsaved text of a file that is changed in another editor. */
export async function refuseUnsavedText(uri: vscode.Uri, path: string): Promise<void> {
  if (await unsavedDocumentOf(uri)) throw unsavedIn("a text editor", path);
}

function unsavedIn(where: string, path: string): Refusal {
  return new Refusal(
    `${path} was not changed, because it has unsaved changes in ${where}. Save or revert them there first.`,
  );
}

/** True if a notebook or another editor without a text document has unsaved changes of a file. */
export async function isInUnsavedTab(uri: vscode.Uri): Promise<boolean> {
  const isUnsaved = async () => (await firstOfFile(uri, unsavedPlaces(), (place) => place)) !== undefined;
  if (!(await isUnsaved())) return false;
  const [document, notebook] = [documentOf(uri), notebookOf(uri)];
  if (notebook ? notebook.isDirty : !document) return true;
  // An editor of another extension can show the text of a document: then it is the document that has unsaved text. The tab
  // is told some time after a document or a notebook that all is saved.
  return !document?.isDirty && !(await settles(isUnsaved));
}

const settleMs = 1_000;

/** True once a condition no longer holds after a change of tabs; false if it still does after some time. */
async function settles(holds: () => Promise<boolean>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const check = () => void holds().then((isHeld) => isHeld || resolve(true));
  const listening = vscode.window.tabGroups.onDidChangeTabs(check);
  const timer = setTimeout(() => resolve(false), settleMs);
  check();
  return promise.finally(() => {
    clearTimeout(timer);
    listening.dispose();
  });
}

/** The files with unsaved changes in editors that are not text editors. */
export function unsavedPlaces(): readonly vscode.Uri[] {
  const notebooks = vscode.workspace.notebookDocuments.filter(({ isDirty }) => isDirty);
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ isDirty }) => isDirty);
  const places = [...notebooks.map(({ uri }) => uri), ...tabs.flatMap(({ input }) => placesOf(input))];
  return [...new Map(places.map((uri) => [uri.toString(), uri])).values()];
}

function placesOf(input: unknown): readonly vscode.Uri[] {
  if (input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputNotebook) return [input.uri];
  return input instanceof vscode.TabInputNotebookDiff ? [input.modified] : [];
}

/** The first one of those that are the same file, whatever its name is. */
async function firstOfFile<One>(
  uri: vscode.Uri,
  all: readonly One[],
  placeOf: (one: One) => vscode.Uri,
): Promise<One | undefined> {
  const key = uri.toString();
  const same = all.find((one) => placeOf(one).toString() === key);
  const files = same ? [] : all.filter((one) => placeOf(one).scheme === "file");
  if (files.length === 0 || uri.scheme !== "file") return same;
  const real = await realOf(uri);
  for (const one of files) if (real !== undefined && (await realOf(placeOf(one))) === real) return one;
  return undefined;
}

/** The path behind links; undefined for a file that does not exist. */
function realOf({ fsPath }: vscode.Uri): Promise<string | undefined> {
  return realpath(fsPath).catch(() => undefined);
}
