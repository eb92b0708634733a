import { isApiError } from "../../../../api/errors/errors.ts";
import { imageSize } from "../../../../api/imageSize.ts";
import { showsCells } from "../../../../changes/engine/notebooks/cellPlan.ts";
import { documentWords } from "../../../../platform/documentWords.ts";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { sha256 } from "../../../../platform/sha256.ts";
import { formatBytes, maxImagePixels } from "../../../../shared/chat/chatAttachments.ts";
import { estimateImageTokens } from "../../../../shared/chat/tokenEstimate.ts";
import { otherDocument } from "../../../../shared/documents/otherDocument.ts";
import {
  linesOfText,
  readDiskLines,
  type SomeLines,
  wideEncodingOf,
} from "../../../../tools/files/diskLines.ts";
import {
  readOpenText,
  refuseSecret,
  unsavedElsewhere,
  type WorkspaceFiles,
} from "../../../../tools/files/workspaceFiles.ts";
import { inputText, type ToolInput, toolSchema } from "../../../../tools/serviceTool.ts";
import { fileTypeOf } from "../../attachments/content/fileType.ts";
import { builtIn, type CallContext, type ChatTool } from "../tool.ts";
import { ReadParts, shownRange } from "./shownRange.ts";

/** Lines of one call, unless it asks for fewer. */
const maxLines = 2_000;
/** Bytes of a picture that is sent. Models take few larger ones. */
const maxPictureBytes = 5 * 1024 * 1024;

/** The text of a document. Throws ApiError for one that can't be read. */
export type ReadDocument = (bytes: Uint8Array, signal: AbortSignal) => Promise<string>;

/** `onWhole`: the model has read all of this text of a file, in one part or in several. */
export function createReadFileTool(
  files: Pick<WorkspaceFiles, "readText" | "look" | "read">,
  onWhole: (path: string, text: string, context: CallContext) => void | Promise<void>,
  readDocument: ReadDocument,
): ChatTool {
  const parts = new ReadParts();
  return {
    ...builtIn("read_file", "Read a file", "read"),
    description:
      "Reads lines of a text file, each after its number and a tab, which are no part of the file; also pictures, notebooks as cells, and the text of PDF, DOCX, PPTX and XLSX.",
    parameters: toolSchema(
      {
        path: { type: "string", minLength: 1, description: "Path relative to the workspace, with /." },
        offset: { type: "integer", description: "First line, from 1; negative: from the end." },
        limit: { type: "integer", minimum: 1, description: "Number of lines." },
      },
      ["offset", "limit"],
    ),
    summary: (input) => `Read ${inputText(input, "path")}${rangeWords(input)}`,
    async run(input, signal, context) {
      const path = inputText(input, "path");
      refuseSecret(path);
      const { size, head, large } = await files.look(path);
      const type = fileTypeOf(path, head);
      if (type.kind === "image") return readPicture(files, path, type.mediaType, context);
      if (type.kind === "document") {
        const text = await documentText(files, { path, size }, readDocument, signal);
        return shownRange(uncut(text, linesOfText(text, rangeOf(input))), context.results.maxTokens).text;
      }
      refuseOther(path, head);
      if (large) {
        refuseBinary(path, type, head, size);
        const some = await readDiskLines(large, rangeOf(input), signal);
        return shownRange(some, context.results.maxTokens).text;
      }
      const read = await readOpenText(files, path);
      const note = read.startsWith(unsavedElsewhere(path)) ? unsavedElsewhere(path) : "";
      const text = read.slice(note.length);
      const some = linesOfText(text, rangeOf(input));
      const isNumbered = !showsCells(path, text);
      const shown = shownRange(uncut(text, some), context.results.maxTokens, isNumbered);
      const key = `${context.source.kind} ${context.source.task?.id ?? ""} ${path} ${sha256(Buffer.from(text))}`;
      if (note === "" && shown.isExact && parts.add(key, shown.from, shown.to, some.total))
        await onWhole(path, text, context);
      return `${note}${shown.text}`;
    },
  };
}

/** A document that is not read, by its name: its bytes tell a model nothing. */
function refuseOther(path: string, head: Uint8Array): void {
  const other = otherDocument(head);
  if (other !== undefined) throw new Refusal(`${path} can't be read as text: it is ${other}.`);
}

function refuseBinary(
  path: string,
  { kind }: ReturnType<typeof fileTypeOf>,
  head: Uint8Array,
  size: number,
): void {
  if (kind === "binary" && wideEncodingOf(head) === undefined)
    throw new Refusal(`${path} is not a text file: it has ${formatBytes(size)} of binary data.`);
}

function rangeOf({ offset, limit }: ToolInput) {
  return { from: Number(offset ?? 1), count: Math.min(maxLines, Number(limit ?? maxLines)) };
}

function rangeWords({ offset, limit }: ToolInput): string {
  if (offset === undefined) return limit === undefined ? "" : `, ${String(limit)} lines`;
  const from = Number(offset);
  if (from < 0) return `, its last ${-from} lines`;
  return limit === undefined ? `, from line ${from}` : `, lines ${from} to ${from + Number(limit) - 1}`;
}

/** Characters of a text whose long lines are not cut: it fits a result, or nearly. */
const maxUncutLength = 30_000;

function uncut(text: string, some: SomeLines): SomeLines {
  if (text.length > maxUncutLength) return some;
  const all = text.split("\n").slice(some.from - 1, some.from - 1 + some.lines.length);
  const lines = all
    .map((line) => line.replace(/\r$/, ""))
    .map((line) => ({ text: line, length: line.length }));
  return { ...some, lines };
}

async function readPicture(
  files: Pick<WorkspaceFiles, "read">,
  path: string,
  mediaType: string,
  { results }: CallContext,
): Promise<string> {
  const bytes = await files.read(path, maxPictureBytes);
  const size = imageSize(bytes);
  if (!size) throw new Refusal(`${path} can't be read as a picture: its file is damaged.`);
  const { width, height } = size;
  const facts = `${path} is a picture of ${width} × ${height} pixels (${size.type}, ${formatBytes(bytes.byteLength)}).`;
  if (width * height > maxImagePixels)
    return `${facts} It is not shown: a picture may have at most ${maxImagePixels.toLocaleString("en")} pixels.`;
  await results.addPicture(bytes, { mediaType, tokens: estimateImageTokens(width, height) });
  return facts;
}

/** Of a document, which is held in memory (as the service's parser, spec E9). */
const maxDocumentBytes = 25 * 1024 * 1024;

async function documentText(
  files: Pick<WorkspaceFiles, "read">,
  { path, size }: { readonly path: string; readonly size: number },
  readDocument: ReadDocument,
  signal: AbortSignal,
): Promise<string> {
  const bytes = await files.read(path, maxDocumentBytes);
  try {
    return await readDocument(bytes, signal);
  } catch (error) {
    signal.throwIfAborted();
    const words = isApiError(error) ? documentWords(path, error) : undefined;
    throw new Refusal(words ?? `${path} can't be read as a document of ${formatBytes(size)}.`);
  }
}
