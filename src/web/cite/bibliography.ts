import * as vscode from "vscode";
import { isMissing } from "../../platform/files/privateFiles.ts";
import { leadsElsewhereThan } from "./linkedBibliography.ts";

/** The bibliography of a document. */
export interface Bibliography {
  readonly uri: vscode.Uri;
  readonly text: string;
  readonly isThere: boolean;
}

/**
 * The bibliography that a document names in LaTeX or in its front matter, also if it is still to be written; else the only
 * one of the workspace. Undefined if there is none, or none that is in the workspace or beside the document.
 */
export async function findBibliography(document: vscode.TextDocument): Promise<Bibliography | undefined> {
  const named = namedBibliography(document.getText());
  const uri = named === undefined ? await onlyBibliography() : besideDocument(document, named);
  if (!uri || (await leadsElsewhere(document, uri))) return undefined;
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > mostBytes) return undefined;
    return { uri, text: (await vscode.workspace.openTextDocument(uri)).getText(), isThere: true };
  } catch (error) {
    if (isMissing(error) || error instanceof vscode.FileSystemError) return { uri, text: "", isThere: false };
    throw error;
  }
}

const mostBytes = 10_000_000;

/** `\addbibresource{refs.bib}`, `\bibliography{refs}` or `bibliography: refs.bib`; the first of several. */
function namedBibliography(text: string): string | undefined {
  const tex = text.replace(/(?<!\\)%.*$/gm, "");
  const [, resource = ""] =
    /\\addbibresource[ \t]{0,9}(?:\[[^[\]]{0,500}\][ \t]{0,9})?\{([^{},]{1,500})\}/.exec(tex) ?? [];
  if (resource.trim() !== "") return withExtension(resource.trim());
  const [, classic = ""] = /\\bibliography[ \t]{0,9}\{([^{},]{1,500})[,}]/.exec(tex) ?? [];
  if (classic.trim() !== "") return withExtension(classic.trim());
  const [, front = ""] = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text) ?? [];
  const [, member] =
    /^bibliography:[ \t]*(?:\[[ \t]*|\r?\n[ \t]*-[ \t]*)?["']?([^"'\],\r\n]+)/m.exec(front) ?? [];
  return member === undefined ? undefined : withExtension(member.trim());
}

function withExtension(name: string): string {
  return /\.bib$/i.test(name) ? name : `${name}.bib`;
}

/** Only a file that belongs to the workspace or the document's folder: its text names it. */
function besideDocument({ uri }: vscode.TextDocument, name: string): vscode.Uri | undefined {
  if (uri.scheme === "untitled" || /^(?:[a-z][\w+.-]*:|[\\/~])/i.test(name)) return undefined;
  const folder = vscode.Uri.joinPath(uri, "..");
  const found = vscode.Uri.joinPath(folder, name);
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri ?? folder;
  return found.path.startsWith(`${root.path.replace(/\/$/, "")}/`) ? found : undefined;
}

/**
 * True if links lead out of the workspace to what is no bibliography that exists: whoever made the folder would choose the
 * file that is written. A link to the user's own bibliography is usual.
 */
async function leadsElsewhere(document: vscode.TextDocument, uri: vscode.Uri): Promise<boolean> {
  if (uri.scheme !== "file") return false;
  const own = vscode.workspace.getWorkspaceFolder(document.uri)
    ? []
    : [vscode.Uri.joinPath(document.uri, "..")];
  const folders = [...(vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri), ...own];
  const roots = folders.filter(({ scheme }) => scheme === "file").map(({ fsPath }) => fsPath);
  return leadsElsewhereThan(roots, uri.fsPath);
}

async function onlyBibliography(): Promise<vscode.Uri | undefined> {
  const found = await vscode.workspace.findFiles("**/*.bib", "**/node_modules/**", 2);
  return found.length === 1 ? found[0] : undefined;
}

/** Appends entries. One undo takes them out. A file that was saved is saved again. False if it can't be changed. */
export async function addEntries({ uri, text, isThere }: Bibliography, entries: string): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  if (!isThere) edit.createFile(uri, { contents: new TextEncoder().encode(entries) });
  if (!isThere) return vscode.workspace.applyEdit(edit);
  const document = await vscode.workspace.openTextDocument(uri);
  const wasSaved = !document.isDirty;
  const gap = text.trim() === "" || /\n\r?\n$/.test(text) ? "" : text.endsWith("\n") ? "\n" : "\n\n";
  edit.insert(uri, document.positionAt(text.length), gap + entries);
  if (!(await vscode.workspace.applyEdit(edit))) return false;
  return wasSaved ? document.save() : true;
}
