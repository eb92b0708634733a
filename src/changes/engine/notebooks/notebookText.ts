import { stripVTControlCharacters } from "node:util";
import type * as vscode from "vscode";
import { decoded } from "../files/contents.ts";
import { documentOf, notebookOf } from "../files/openEditors.ts";
import { type CellOutput, type NotebookCell, notebookIntroduction } from "./cellPlan.ts";
import { parseNotebook } from "./notebookJson.ts";
import { cellsOf } from "./openNotebook.ts";

/** Limits of the text outputs of a cell: lines and characters. The rest is counted. */
const maxOutputLines = 30;
const maxOutputLength = 3_000;

/** True for a file that is a Jupyter notebook by its name. */
export function isNotebookPath(path: string): boolean {
  return path.toLowerCase().endsWith(".ipynb");
}

/**
 * The cells of a notebook as its editor shows them, unsaved ones included; those of a closed Jupyter notebook as its file has
 * them. Undefined for a file that is read as text: no notebook, one of another format that is closed or without unsaved cells,
 * and one whose JSON is open in a text editor with unsaved text. Throws a Refusal for a file that is no notebook of its format.
 */
export async function notebookCells(
  uri: vscode.Uri,
  path: string,
  bytes: () => Promise<Uint8Array>,
): Promise<readonly NotebookCell[] | undefined> {
  const open = notebookOf(uri);
  if (open && (open.isDirty || isNotebookPath(path))) return cellsOf(open);
  if (!isNotebookPath(path) || documentOf(uri)?.isDirty) return undefined;
  return parseNotebook(path, decoded(await bytes())).cells;
}

/** The same as one text for a model: a line with number, kind and id before each source, and short text outputs below it. */
export async function notebookText(
  uri: vscode.Uri,
  path: string,
  bytes: () => Promise<Uint8Array>,
): Promise<string | undefined> {
  const cells = await notebookCells(uri, path, bytes).catch(() => undefined);
  return cells && shownCells(path, cells);
}

/** Cells as a model reads them. */
export function shownCells(path: string, cells: readonly NotebookCell[]): string {
  const count = `${cells.length} cell${cells.length === 1 ? "" : "s"}`;
  return [
    `${notebookIntroduction(path)} ${count}. Change them with edit_notebook.`,
    ...cells.map(shownCell),
  ].join("\n\n");
}

/** The title, source and outputs of one cell. */
export function shownCell(cell: NotebookCell, index: number): string {
  const { id, kind, language, source, outputs } = cell;
  const title = [
    `[cell ${index + 1}] ${kind === "code" ? `code, ${language}` : kind}`,
    ...(id === undefined ? [] : [`id ${id}`]),
  ].join(", ");
  const shown = outputs.length > 0 ? [`[output of cell ${index + 1}]`, shownOutputs(outputs)] : [];
  return [title, ...(source === "" ? [] : [source]), ...shown].join("\n");
}

/** An output may be there in several forms; the text stands for all. */
function shownOutputs(outputs: readonly CellOutput[]): string {
  const texts = outputs.flatMap(({ text }) => (text === undefined ? [] : [stripVTControlCharacters(text)]));
  const others = outputs.filter(({ text, mime }) => text === undefined && !mime.startsWith("text/"));
  const names = [...new Set(others.map(({ mime }) => mime))].map((mime) => `(${mime})`);
  const text = texts.map((one) => one.replace(/\n+$/, "")).join("\n");
  return [...shortText(text), ...names].join("\n");
}

function shortText(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  const kept: string[] = [];
  let left = maxOutputLength;
  for (const line of lines.slice(0, maxOutputLines)) {
    if (line.length > left) break;
    kept.push(line);
    left -= line.length + 1;
  }
  // One long line, such as a data set, is cut inside.
  if (kept.length === 0) kept.push(`${(lines[0] ?? "").slice(0, maxOutputLength)}…`);
  const rest = lines.length - kept.length;
  return rest > 0 ? [...kept, `(${rest} more line${rest === 1 ? "" : "s"})`] : kept;
}
