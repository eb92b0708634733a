import { basename } from "node:path/posix";
import * as vscode from "vscode";
import { type FileBuffers, type Upload, uploadFromBytes, uploadFromFile } from "../../../api/upload.ts";
import { judgeDocument, mostDocumentBytes, tooBig } from "./documentKind.ts";

/** A file that may be sent, or a sentence that says why not. */
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

/** Where texts stand while they arrive: on the same disk as the results, which some of them become. */
export function spoolFolder({ globalStorageUri }: { readonly globalStorageUri: vscode.Uri }): string {
  return `${globalStorageUri.fsPath}/results/arriving`;
}

/**
 * Opens a file wherever it is, and checks size and type by what stands in it. Files on a disk are read in pieces when
 * they are sent, into `buffers` where these are given; all others here.
 */
export async function openDocument(uri: vscode.Uri, buffers?: FileBuffers): Promise<OpenedDocument> {
  const name = nameOfFile(uri);
  const { size, type } = await vscode.workspace.fs.stat(uri);
  if (type & vscode.FileType.Directory) return { problem: `${name} is a folder.` };
  // Before anything of it is read.
  if (size > mostDocumentBytes) return { problem: tooBig(name, size) };
  const upload = await openUpload(uri, name, buffers);
  const judged = judgeDocument(name, upload.size, upload.head);
  if ("problem" in judged) return judged;
  return { upload: { ...upload, type: mediaTypes[judged.kind] } };
}

/** Why a file will not be sent, as far as that can be told without reading it over a network. */
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
