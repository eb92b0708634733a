import * as vscode from "vscode";
import type { BlobStore } from "../../../../platform/files/blobStore.ts";
import { withoutLinks } from "../../../../shared/text/html/withoutLinks.ts";
import { attachedParts } from "../../attachments/attachedParts.ts";
import { toTreeNodes } from "../log/conversation.ts";
import type { LogState } from "../log/logState.ts";
import {
  blobNamesIn,
  conversationMarkdown,
  exportFileName,
  toExport,
  toMessages,
} from "./exportConversation.ts";
import { type Imported, ImportRefused, readImport } from "./importConversation.ts";

interface Format extends vscode.QuickPickItem {
  readonly extension: string;
  readonly write: (state: LogState, blobs: BlobStore) => string | Promise<string>;
}

const formats: readonly Format[] = [
  {
    label: "Markdown",
    detail: "The shown branch, to read or share",
    extension: "md",
    write: conversationMarkdown,
  },
  {
    label: "JSON",
    detail: "All branches and attachments; can be imported again",
    extension: "json",
    write: async (state, blobs) => toExport(state, await contentsOf(state, blobs)),
  },
  {
    label: "Messages",
    detail: "The shown branch as an array of messages in the format of the OpenAI API",
    extension: "json",
    write: async (state, blobs) =>
      `${JSON.stringify(toMessages(state, await attachedParts(toTreeNodes(state.nodes.values()), blobs, { images: true })), undefined, 2)}\n`,
  },
];

/** Asks for the format and the target, and writes the file. */
export async function exportConversation(state: LogState, blobs: BlobStore): Promise<void> {
  const format = await vscode.window.showQuickPick(formats, {
    title: "Export Conversation",
    placeHolder: "Select a format",
  });
  if (!format) return;
  const name = exportFileName(state, format.extension);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: "Export Conversation",
    saveLabel: "Export",
    filters: { [format.label]: [format.extension] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : { defaultUri: vscode.Uri.file(name) }),
  });
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, Buffer.from(await format.write(state, blobs)));
  const open = "Open";
  const answer = await vscode.window.showInformationMessage(
    withoutLinks(`Exported the conversation to ${target.path}.`),
    open,
  );
  if (answer === open) await vscode.window.showTextDocument(target);
}

/** Attachments that are no longer stored are omitted. */
async function contentsOf(state: LogState, blobs: BlobStore): Promise<Map<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>();
  for (const name of blobNamesIn(state)) {
    const content = await blobs.read(name);
    if (content) contents.set(name, content);
  }
  return contents;
}

/** A text can't be much longer in Node. */
const mostImportBytes = 400_000_000;

/** Asks for files and imports the conversation of each; shows an error for each file that is invalid. */
export async function importConversations(): Promise<Imported[]> {
  const files = await vscode.window.showOpenDialog({
    title: "Import Conversations",
    openLabel: "Import",
    canSelectMany: true,
    filters: { "Conversation or messages": ["json"] },
  });
  const imported: Imported[] = [];
  for (const file of files ?? []) {
    try {
      if ((await vscode.workspace.fs.stat(file)).size > mostImportBytes)
        throw new ImportRefused(`It is larger than ${mostImportBytes / 1_000_000} MB.`);
      imported.push(readImport(Buffer.from(await vscode.workspace.fs.readFile(file)).toString("utf8")));
    } catch (error) {
      if (!(error instanceof ImportRefused)) throw error;
      void vscode.window.showErrorMessage(
        withoutLinks(`${vscode.workspace.asRelativePath(file)} was not imported. ${error.message}`),
      );
    }
  }
  return imported;
}
