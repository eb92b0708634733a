import * as vscode from "vscode";
import { languages } from "../../shared/ids.ts";
import { readDocument } from "./file/readDocument.ts";
import { type WrittenCell, writeDocument } from "./file/writeDocument.ts";
import type { CellFacts } from "./language/cellFacts.ts";

/** What a cell of the editor carries beside its text; saved, for it is no transient member. */
export interface CellMetadata {
  readonly facts: CellFacts;
  /** What the file had for the cell. */
  readonly raw?: string;
}

/** Reads a file. Throws where it is no UTF-8: what can't be read is never written. */
export function readNotebook(bytes: Uint8Array): vscode.NotebookData {
  const text = decode(bytes);
  const { head, cells } = readDocument(text);
  const data = new vscode.NotebookData(
    cells.map(({ kind, text: value, facts, raw }) => {
      const cell =
        kind === "request"
          ? new vscode.NotebookCellData(vscode.NotebookCellKind.Code, value, languages.rpc)
          : new vscode.NotebookCellData(vscode.NotebookCellKind.Markup, value, "markdown");
      cell.metadata = { facts, raw } satisfies CellMetadata;
      return cell;
    }),
  );
  data.metadata = { head };
  return data;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(
      "This file is not UTF-8 text, so it is not opened as a notebook. Open it with the text editor.",
    );
  }
}

export function writeNotebook({ cells, metadata }: vscode.NotebookData): Uint8Array {
  const text = writeDocument(headOf(metadata), cells.map(toWritten));
  return new TextEncoder().encode(text);
}

function toWritten(cell: vscode.NotebookCellData): WrittenCell {
  const { facts, raw } = readCellMetadata(cell.metadata);
  const isCode = cell.kind === vscode.NotebookCellKind.Code;
  // A language that is not ours stays what it is: a fenced block of prose.
  if (isCode && cell.languageId !== languages.rpc) {
    return { kind: "markup", text: `\`\`\`${cell.languageId}\n${cell.value}\n\`\`\``, facts: {}, raw };
  }
  return { kind: isCode ? "request" : "markup", text: cell.value, facts: isCode ? facts : {}, raw };
}

/** A cell that the editor is to have. */
export function toCellData(text: string, facts: CellFacts = {}): vscode.NotebookCellData {
  const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, languages.rpc);
  cell.metadata = { facts } satisfies CellMetadata;
  return cell;
}

export function readCellMetadata(metadata: { readonly [key: string]: unknown } | undefined): CellMetadata {
  const facts = metadata?.facts;
  const raw = metadata?.raw;
  return {
    facts: typeof facts === "object" && facts !== null ? (facts as CellFacts) : {},
    ...(typeof raw === "string" ? { raw } : {}),
  };
}

/** What stands before the first cell: front matter and blank lines. */
export function headOf(metadata: { readonly [key: string]: unknown } | undefined): string {
  return typeof metadata?.head === "string" ? metadata.head : "";
}
