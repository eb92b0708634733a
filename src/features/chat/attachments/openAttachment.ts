import { join } from "node:path";
import * as vscode from "vscode";
import type { Attachment } from "../../../shared/chatAttachments.ts";
import type { BlobStore } from "./blobStore.ts";

/** Opens the source of an attachment, or its stored content if the source no longer exists. */
export async function openAttachment(attachment: Attachment | undefined, blobs: BlobStore): Promise<void> {
  if (!attachment) return;
  const { kind, uri, line, blob } = attachment;
  if (uri !== undefined) {
    const place = vscode.Uri.parse(uri);
    if (kind === "folder") return void (await vscode.commands.executeCommand("revealInExplorer", place));
    const isThere = await Promise.resolve(vscode.workspace.fs.stat(place)).then(
      () => true,
      () => place.scheme === "untitled",
    );
    const at = line === undefined ? undefined : new vscode.Range(line - 1, 0, line - 1, 0);
    if (isThere)
      return void (await vscode.commands.executeCommand("vscode.open", place, at ? { selection: at } : {}));
  }
  const content = await blobs.read(blob);
  // The name may come from an imported file, so only the stored blob is opened.
  if (content && (kind === "image" || kind === "document"))
    return void (await vscode.commands.executeCommand(
      "vscode.open",
      vscode.Uri.file(join(blobs.directory, blob)),
    ));
  // An untitled document, because the blob must not be edited.
  const text = Buffer.from(content ?? "").toString("utf8");
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: text }));
}
