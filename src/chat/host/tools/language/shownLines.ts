import * as vscode from "vscode";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { looksSecret } from "../../../../shared/secretFiles.ts";
import { checkedUri } from "../../../../tools/files/editorFiles.ts";

/** Lines of a result. */
export const maxLines = 100;
const lineLength = 300;

/** A file that the editor has opened, so that its language services know it. */
export async function openedUri(path: string): Promise<vscode.Uri> {
  const uri = await checkedUri(path);
  await vscode.workspace.openTextDocument(uri).then(undefined, () => {
    throw new Refusal(`${path} can't be opened: there is no such file, or it is no text.`);
  });
  return uri;
}

/** The position of a symbol in a line, which is counted from 1. Throws a Refusal if it is not there. */
export function symbolPlace(
  document: vscode.TextDocument,
  path: string,
  line: number,
  symbol: string,
): vscode.Position {
  if (line > document.lineCount)
    throw new Refusal(`${path} has ${document.lineCount} lines, so there is no line ${line}.`);
  const at = placeOfWord(document.lineAt(line - 1).text, symbol);
  if (at < 0) throw new Refusal(`Line ${line} of ${path} does not contain ${symbol}. Read the file again.`);
  return new vscode.Position(line - 1, at);
}

/** The first place of a name as a whole word, else within one; −1 if it is not there. */
function placeOfWord(text: string, name: string): number {
  const whole = placeOfWholeWord(text, name);
  return whole < 0 ? text.indexOf(name) : whole;
}

/** The first place of a name as a whole word; −1 if there is none. */
export function placeOfWholeWord(text: string, name: string): number {
  const isPart = (character: string | undefined) => character !== undefined && /[\w$]/.test(character);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!isPart(text[at - 1]) && !isPart(text[at + name.length])) return at;
  return -1;
}

/** Path and line of a place in the workspace; undefined outside of it and in files of secrets. */
export function shownPlace(uri: vscode.Uri, line: number): string | undefined {
  if (!vscode.workspace.getWorkspaceFolder(uri)) return undefined;
  const path = vscode.workspace.asRelativePath(uri);
  return looksSecret(path) ? undefined : `${path}:${line + 1}`;
}

/** The first lines, and how many follow. */
export function bounded(lines: readonly string[], none = ""): string {
  if (lines.length === 0) return none;
  const shown = lines.slice(0, maxLines).map((line) => line.replace(/\s+/g, " ").slice(0, lineLength));
  return lines.length > maxLines
    ? [...shown, `(${lines.length - maxLines} more were left out)`].join("\n")
    : shown.join("\n");
}
