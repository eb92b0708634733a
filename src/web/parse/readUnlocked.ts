import * as vscode from "vscode";
import { askPassword } from "../../platform/editor/dialogs/askPassword.ts";
import { type DocumentText, readDocument, withPassword } from "../../session/documents/readDocument.ts";
import type { Session } from "../../session/session.ts";
import { nameOfFile } from "./openDocument.ts";

/** The text of a file, read on this machine. `asks`: for the password of a locked PDF, which is kept nowhere. */
export async function readUnlocked(
  session: Pick<Session, "documents">,
  uri: vscode.Uri,
  { asks, signal }: { readonly asks: boolean; readonly signal: AbortSignal },
): Promise<DocumentText> {
  const bytes = await vscode.workspace.fs.readFile(uri);
  return withPassword(
    (password) => readDocument(session, { bytes, ...(password === undefined ? {} : { password }) }, signal),
    async (isWrong) => (asks ? askPassword(nameOfFile(uri), isWrong) : undefined),
  );
}
