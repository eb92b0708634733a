import { uploadFromBytes } from "../api/call/body/upload.ts";
import { isApiError } from "../api/errors/errors.ts";
import { documentWords } from "../platform/documentWords.ts";
import { Refusal } from "../platform/errors/refusal.ts";
import { otherDocument } from "../shared/documents/otherDocument.ts";
import { fileName } from "../shared/text/fileName.ts";
import { readOpenFile } from "./files/workspaceFiles.ts";
import type { ServiceAction } from "./serviceActions.ts";
import { inputText, toolSchema } from "./serviceTool.ts";

/** Reads documents on this machine, which is free, if the settings do not say that the service reads them. */
export interface DocumentsHere {
  readsHere(): boolean;
  /** The text of a document. Throws ApiError for one that can't be read. */
  read(bytes: Uint8Array, signal: AbortSignal): Promise<string>;
}

/** Where the next document is read, for approvals: an approval of free reading does not cover a paid one. */
export function placeOfReading(here: DocumentsHere): string {
  return here.readsHere() ? "on this machine" : "by the service";
}

export function createParseDocumentAction(here: DocumentsHere): ServiceAction {
  return {
    title: "Read a document",
    description:
      "Gives the text of a PDF, DOCX, PPTX, XLSX or text file of the workspace, at most 25 MB. It is read on this machine, or sent to the service if the user's settings say so. Costs $0.01 a call by the service, else nothing.",
    parameters: toolSchema({
      path: { type: "string", minLength: 1, description: "Path relative to the workspace, with /." },
    }),
    summary(input) {
      const path = inputText(input, "path");
      return here.readsHere()
        ? `Read ${path} on this machine`
        : `Send ${path} to the service's document parser`;
    },
    async check(input, { files }) {
      await readOpenFile(files, inputText(input, "path"));
    },
    async run(input, { client, files }, signal) {
      const path = inputText(input, "path");
      const isHere = here.readsHere();
      const bytes = await readOpenFile(files, path);
      const other = otherDocument(bytes);
      if (other !== undefined) throw new Refusal(`${path} can't be read: it is ${other}.`);
      if (isHere) return textHere(here, { path, bytes }, signal);
      const file = uploadFromBytes(fileName(path), "application/octet-stream", bytes);
      const { api } = await client();
      return (await api.augment.parse({ file }, { signal })).text;
    },
  };
}

async function textHere(
  here: DocumentsHere,
  { path, bytes }: { readonly path: string; readonly bytes: Uint8Array },
  signal: AbortSignal,
): Promise<string> {
  try {
    return await here.read(bytes, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!isApiError(error)) throw error;
    throw new Refusal(
      documentWords(path, error) ?? `${path} can't be read on this machine. ${error.message}`,
    );
  }
}
