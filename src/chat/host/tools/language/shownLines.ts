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
