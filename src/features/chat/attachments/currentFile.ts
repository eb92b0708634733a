import * as vscode from "vscode";
import type { CurrentFile } from "../../../shared/chatState.ts";
import { looksSecret } from "../../../shared/secretFiles.ts";
import { attachmentName } from "./editorSources.ts";

/** Schemes of documents that are files, unlike task output and the sides of a diff. */
const fileSchemes = new Set(["file", "vscode-remote", "vscode-vfs"]);

/** The file that a person works on, as far as it can be offered to a question: one that looks like a secret can't. */
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
      // A chat in a tab takes the focus from the editor beside it, and is still about its file.
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
