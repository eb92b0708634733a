import * as vscode from "vscode";
import { languages } from "../../shared/names/ids.ts";
import {
  environmentInHead,
  networksInHead,
  readDocument,
  withEnvironment,
  withNetworks,
} from "../file/readDocument.ts";
import { type WrittenCell, writeDocument } from "../file/writeDocument.ts";
import type { CellFacts } from "../language/check/cellFacts.ts";

/** Metadata of an editor cell. It is saved with the cell. */
export interface CellMetadata {
  readonly facts: CellFacts;
  /** The source of the cell in the file. */
  readonly raw?: string;
}

/** Reads a file. Throws if it is not UTF-8, so that saving can't damage it. */
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
      "This file can't be opened as a notebook, because it is not UTF-8 text. Open it with the text editor.",
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
  // Code in other languages becomes a fenced block of a markdown cell.
  if (isCode && cell.languageId !== languages.rpc) {
    return { kind: "markup", text: `\`\`\`${cell.languageId}\n${cell.value}\n\`\`\``, facts: {}, raw };
  }
  return { kind: isCode ? "request" : "markup", text: cell.value, facts: isCode ? facts : {}, raw };
}

/** A new request cell. */
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

/** The text before the first cell: front matter and blank lines. */
function headOf(metadata: { readonly [key: string]: unknown } | undefined): string {
  return typeof metadata?.head === "string" ? metadata.head : "";
}

type Metadata = vscode.NotebookDocument["metadata"];

/** The networks in the front matter of a notebook. */
export function networksOfNotebook(metadata: Metadata): readonly string[] {
  return networksInHead(headOf(metadata));
}

/** The environment in the front matter of a notebook. */
export function environmentOfNotebook(metadata: Metadata): string | undefined {
  return environmentInHead(headOf(metadata));
}

/** The metadata of a notebook with another environment in its front matter. */
export function withNotebookEnvironment(metadata: Metadata, environment: string): Metadata {
  return { ...metadata, head: withEnvironment(headOf(metadata), environment) };
}

/** The metadata of a notebook with other networks in its front matter. */
export function withNotebookNetworks(metadata: Metadata, networks: readonly string[]): Metadata {
  return { ...metadata, head: withNetworks(headOf(metadata), networks) };
}
