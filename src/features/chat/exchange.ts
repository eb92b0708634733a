import * as vscode from "vscode";
import { withoutLinks } from "../../shared/withoutLinks.ts";
import { toExport, toFileName, toMarkdown, toMessages } from "./history/exportConversation.ts";
import { ImportRefused, readImport } from "./history/importConversation.ts";
import type { LogState } from "./history/logState.ts";

interface Format extends vscode.QuickPickItem {
  readonly extension: string;
  readonly write: (state: LogState) => string;
}

const formats: readonly Format[] = [
  { label: "Markdown", detail: "What is shown, to read or to pass on", extension: "md", write: toMarkdown },
  {
    label: "JSON",
    detail: "The whole conversation with all branches; can be imported again",
    extension: "json",
    write: toExport,
  },
  {
    label: "Messages",
    detail: "What is shown as an array of messages, as OpenAI's API has them",
    extension: "json",
    write: (state) => `${JSON.stringify(toMessages(state), undefined, 2)}\n`,
  },
];

/** Asks how and where to, and writes the conversation there. */
export async function exportConversation(state: LogState): Promise<void> {
  const format = await vscode.window.showQuickPick(formats, {
    title: "Export Conversation",
    placeHolder: "As what?",
  });
  if (!format) return;
  const name = toFileName(state, format.extension);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: "Export Conversation",
    saveLabel: "Export",
    filters: { [format.label]: [format.extension] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : { defaultUri: vscode.Uri.file(name) }),
  });
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, Buffer.from(format.write(state)));
  const open = "Open";
  const answer = await vscode.window.showInformationMessage(
    withoutLinks(`The conversation is in ${target.path}.`),
    open,
  );
  if (answer === open) await vscode.window.showTextDocument(target);
}

/** Asks for files and reads a conversation from each that holds one; says of the others what is wrong. */
export async function importConversations(): Promise<LogState[]> {
  const files = await vscode.window.showOpenDialog({
    title: "Import Conversations",
    openLabel: "Import",
    canSelectMany: true,
    filters: { "Conversation or messages": ["json"] },
  });
  const states: LogState[] = [];
  for (const file of files ?? []) {
    try {
      states.push(readImport(Buffer.from(await vscode.workspace.fs.readFile(file)).toString("utf8")));
    } catch (error) {
      if (!(error instanceof ImportRefused)) throw error;
      void vscode.window.showErrorMessage(
        withoutLinks(`${vscode.workspace.asRelativePath(file)} was not imported. ${error.message}`),
      );
    }
  }
  return states;
}
