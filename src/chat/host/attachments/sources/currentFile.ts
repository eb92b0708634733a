import * as vscode from "vscode";
import { looksSecret } from "../../../../shared/secretFiles.ts";
import type { CurrentFile } from "../../../protocol/chatState.ts";
import { attachmentName } from "./editorSources.ts";

/** Schemes of documents that are files, unlike task output and the sides of a diff. */
const fileSchemes = new Set(["file", "vscode-remote", "vscode-vfs"]);

/** The file of the active editor, suggested as an attachment unless it looks like a secret. */
export interface CurrentFileSource {
  read(): CurrentFile | null;
  onDidChange(listener: () => void): vscode.Disposable;
}

export function createCurrentFile(): CurrentFileSource {
  let last: vscode.Uri | undefined;
  return {
    read() {
      const { activeTextEditor, visibleTextEditors } = vscode.window;
      const isVisible = ({ document }: vscode.TextEditor) => document.uri.toString() === last?.toString();
      // A chat tab takes the focus, but the editor beside it is still visible.
      last = activeTextEditor?.document.uri ?? (visibleTextEditors.some(isVisible) ? last : undefined);
      if (!last || !fileSchemes.has(last.scheme) || looksSecret(last.path)) return null;
      return { uri: last.toString(), name: attachmentName(last) };
    },
    onDidChange: (listener) =>
      vscode.Disposable.from(
        vscode.window.onDidChangeActiveTextEditor(listener),
        vscode.window.onDidChangeVisibleTextEditors(listener),
      ),
  };
}
