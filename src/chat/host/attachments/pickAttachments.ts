import * as vscode from "vscode";
import type { AttachRequest } from "../../../shared/chat/chatAttachments.ts";

interface Choice extends vscode.QuickPickItem {
  readonly choose: () => Promise<readonly AttachRequest[]>;
}

/** Asks what to attach; empty if the user cancels. */
export async function pickAttachments(): Promise<readonly AttachRequest[]> {
  const choice = await vscode.window.showQuickPick(choices(), {
    title: "Attach to the Question",
    placeHolder: "Select what to attach. Typing @ in the prompt finds files and folders, too.",
  });
  return (await choice?.choose()) ?? [];
}

function choices(): Choice[] {
  const one = (kind: Exclude<AttachRequest["kind"], "uri">) => async () => [{ kind }];
  const editor = vscode.window.activeTextEditor;
  const about = editor ? vscode.workspace.asRelativePath(editor.document.uri) : "no text editor is open";
  return [
    {
      label: "$(file) Files…",
      description: "code, images, PDF, Word, PowerPoint, Excel",
      choose: () => dialog(false),
    },
    {
      label: "$(folder) Folder…",
      description: "its listing and text files",
      choose: () => dialog(true),
    },
    {
      label: "$(selection) Selection",
      description: editor?.selection.isEmpty === false ? about : "nothing is selected",
      choose: one("selection"),
    },
    { label: "$(go-to-file) Active Editor", description: about, choose: one("editor") },
    {
      label: "$(warning) Problems",
      description: "errors and warnings of the workspace",
      choose: one("problems"),
    },
    {
      label: "$(terminal) Terminal Selection",
      description: "the selection in the terminal",
      choose: one("terminal"),
    },
  ];
}

async function dialog(folders: boolean): Promise<readonly AttachRequest[]> {
  const uris = await vscode.window.showOpenDialog({
    canSelectFiles: !folders,
    canSelectFolders: folders,
    canSelectMany: true,
    openLabel: "Attach",
  });
  return (uris ?? []).map((uri) => ({ kind: "uri", uri: uri.toString() }));
}
