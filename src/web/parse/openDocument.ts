import { basename } from "node:path/posix";
import * as vscode from "vscode";
import {
  type FileBuffers,
  type Upload,
  uploadFromBytes,
  uploadFromFile,
} from "../../api/call/body/upload.ts";
import { checkDocument, mostDocumentBytes, tooBig } from "./documentKind.ts";

/** A file that can be sent, or why it can't. */
export type OpenedDocument = { readonly upload: Upload } | { readonly problem: string };

const mediaTypes = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  text: "text/plain",
} as const;

export function nameOfFile(uri: vscode.Uri): string {
  return basename(uri.path);
}

/** Folder of texts that are being received: on the same disk as the results, so that they can be moved there. */
export function incomingFolder({ globalStorageUri }: { readonly globalStorageUri: vscode.Uri }): string {
  return `${globalStorageUri.fsPath}/results/arriving`;
}

/**
 * Opens a file of any file system, and checks its size and the type of its content. Files on disk are read in pieces
 * while they are sent, into `buffers` if given; others are read here.
 */
export async function openDocument(uri: vscode.Uri, buffers?: FileBuffers): Promise<OpenedDocument> {
  const name = nameOfFile(uri);
  const { size, type } = await vscode.workspace.fs.stat(uri);
  if (type & vscode.FileType.Directory) return { problem: `${name} is a folder.` };
  // Check the size before reading any content.
  if (size > mostDocumentBytes) return { problem: tooBig(name, size) };
  const upload = await openUpload(uri, name, buffers);
  const checked = checkDocument(name, upload.size, upload.head);
  if ("problem" in checked) return checked;
  return { upload: { ...upload, type: mediaTypes[checked.kind] } };
}

/** Why a file can't be sent. Files that are not on disk are checked only by size, to avoid a download. */
export async function documentProblem(uri: vscode.Uri): Promise<string | undefined> {
  if (uri.scheme === "file") {
    const opened = await openDocument(uri);
    return "problem" in opened ? opened.problem : undefined;
  }
  const { size } = await vscode.workspace.fs.stat(uri);
  return size > mostDocumentBytes ? tooBig(nameOfFile(uri), size) : undefined;
}

async function openUpload(uri: vscode.Uri, name: string, buffers?: FileBuffers): Promise<Upload> {
  if (uri.scheme === "file") return uploadFromFile(uri.fsPath, "", buffers);
  return uploadFromBytes(name, "", await vscode.workspace.fs.readFile(uri));
}
