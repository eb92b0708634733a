import { Refusal } from "../../../platform/errors/refusal.ts";
import { lostByElision } from "../../../shared/text/elision.ts";
import { withLineFeeds } from "../../../shared/text/lineFeeds.ts";
import { replaceText } from "../files/replaceText.ts";
import type { KnownTexts } from "../records/knownTexts.ts";

export type CellKind = "code" | "markdown" | "raw";

/** A cell of a notebook, whatever format the notebook has. */
export interface NotebookCell {
  /** Of the format, if it has ids. */
  readonly id: string | undefined;
  readonly kind: CellKind;
  readonly language: string;
  /** Lines end with `\n`. */
  readonly source: string;
  readonly outputs: readonly CellOutput[];
}

/** Its text; undefined for an output that is no text, such as a picture. */
export interface CellOutput {
  readonly mime: string;
  readonly text: string | undefined;
}

export type CellAction = "replace" | "insert_before" | "insert_after" | "delete";

/** A change of a cell. Each names a cell of the notebook as it is before all of them. */
export interface CellEdit {
  readonly action: CellAction;
  /** Its id, or its number from 1. `0` is before the first one. */
  readonly cell: string;
  /** A text that is exactly and once in the source; undefined for all of it. */
  readonly oldText?: string | undefined;
  readonly newText?: string | undefined;
  /** Undefined for the kind that it has, and for code in a new cell. */
  readonly kind?: CellKind | undefined;
}

/** A cell after the edits. */
export interface PlannedCell extends Pick<NotebookCell, "kind" | "language" | "source"> {
  /** Index of the cell that it was; undefined for a new one. */
  readonly from: number | undefined;
  /** Touched by one of the edits. */
  readonly isEdited: boolean;
}

/**
 * The cells after the edits. A source is replaced or deleted as a whole only if the model has read it under this name.
 * Throws a Refusal that names the edit and the reason.
 */
export function planCells(
  path: string,
  cells: readonly NotebookCell[],
  edits: readonly CellEdit[],
  known: KnownTexts | undefined,
): readonly PlannedCell[] {
  const slots = cells.map(slotOf);
  const first: PlannedCell[] = [];
  for (const [index, edit] of edits.entries()) {
    const name = `${edits.length > 1 ? `Edit ${index + 1} of ` : ""}${path}`;
    if (isBeforeFirst(edit, cells)) first.push(newCell(edit, cells, 0));
    else applyEdit({ name, path, cells, known }, slots, edit);
  }
  return [
    ...first,
    ...slots.flatMap(({ before, cell, after }) => [...before, ...(cell ? [cell] : []), ...after]),
  ];
}

/** A cell with the new ones around it; undefined for a deleted one. */
interface Slot {
  readonly before: PlannedCell[];
  cell: PlannedCell | undefined;
  readonly after: PlannedCell[];
}

interface EditedNotebook {
  /** Names the edit in a refusal. */
  readonly name: string;
  readonly path: string;
  readonly cells: readonly NotebookCell[];
  readonly known: KnownTexts | undefined;
}

function slotOf({ kind, language, source }: NotebookCell, from: number): Slot {
  return { before: [], cell: { from, kind, language, source, isEdited: false }, after: [] };
}

function isBeforeFirst({ action, cell }: CellEdit, cells: readonly NotebookCell[]): boolean {
  return action.startsWith("insert") && cell === "0" && !cells.some(({ id }) => id === "0");
}

function applyEdit(notebook: EditedNotebook, slots: readonly Slot[], edit: CellEdit): void {
  const { name, cells } = notebook;
  const index = indexOf(notebook, edit.cell);
  const slot = slots[index];
  if (!slot) throw new Refusal(`${name} was not changed: there is no cell ${edit.cell}.`);
  if (edit.action === "insert_before") slot.before.push(newCell(edit, cells, index));
  else if (edit.action === "insert_after") slot.after.push(newCell(edit, cells, index));
  else if (!slot.cell)
    throw new Refusal(`${name} was not changed: cell ${edit.cell} is deleted by another edit of this call.`);
  else if (edit.action === "delete") {
    refuseUnread(notebook, index, edit);
    slot.cell = undefined;
  } else slot.cell = replaced(notebook, index, slot.cell, edit);
}

function replaced(notebook: EditedNotebook, index: number, cell: PlannedCell, edit: CellEdit): PlannedCell {
  const { name, path, cells } = notebook;
  const { oldText, newText, kind = cell.kind } = edit;
  if (newText === undefined && (oldText !== undefined || edit.kind === undefined))
    throw new Refusal(`${name} was not changed: new_text is missing.`);
  const source = newText === undefined ? cell.source : newSource(notebook, index, cell, { ...edit, newText });
  const elision = lostByElision(cell.source, source, kind === "markdown" ? ".md" : path);
  if (elision)
    throw new Refusal(
      `${name} was not changed: line ${elision.line} of cell ${edit.cell} would stand for text that the cell has there. Write that text out.`,
    );
  return { ...cell, isEdited: true, kind, language: languageFor(kind, cell, cells), source };
}

function newSource(
  notebook: EditedNotebook,
  index: number,
  cell: PlannedCell,
  edit: CellEdit & { readonly newText: string },
): string {
  const [oldText, newText] = [edit.oldText ?? "", withLineFeeds(edit.newText)];
  if (oldText !== "")
    return replaceText(`Cell ${edit.cell} of ${notebook.name}`, cell.source, [{ oldText, newText }]);
  // A second edit of the same cell replaces what the first one has written.
  if (!cell.isEdited && cell.source !== newText) refuseUnread(notebook, index, edit);
  return newText;
}

function newCell(edit: CellEdit, cells: readonly NotebookCell[], near: number): PlannedCell {
  const { kind = "code", newText = "" } = edit;
  const language = languageFor(kind, undefined, [...cells.slice(0, near + 1).toReversed(), ...cells]);
  return { from: undefined, kind, language, source: withLineFeeds(newText), isEdited: true };
}

/** A cell that keeps its kind keeps its language. Another one has that of the first code cell; empty if there is none. */
function languageFor(kind: CellKind, cell: PlannedCell | undefined, cells: readonly NotebookCell[]): string {
  if (cell?.kind === kind) return cell.language;
  if (kind !== "code") return kind;
  return cells.find((one) => one.kind === "code")?.language ?? "";
}

/** The index of a cell by its id, else by its number. */
function indexOf({ name, cells }: EditedNotebook, cell: string): number {
  const byId = cells.findIndex(({ id }) => id !== undefined && id === cell);
  const number = /^\d+$/.test(cell) ? Number(cell) : 0;
  const index = byId >= 0 ? byId : number - 1;
  if (index >= 0 && index < cells.length) return index;
  const numbers = cells.length === 0 ? "It has no cells" : `It has the cells 1 to ${cells.length}`;
  throw new Refusal(`${name} was not changed: there is no cell ${cell}. ${numbers}. Read it with read_file.`);
}

/** Refuses to replace a cell that the model has not read as it is now: the user typed in it, or its number changed. */
function refuseUnread(
  { name, path, cells, known }: EditedNotebook,
  index: number,
  { cell, action }: CellEdit,
) {
  const source = cells[index]?.source ?? "";
  if (source === "" || known?.has(keyOfCell(path, cell, source))) return;
  const what = action === "delete" ? "deleted" : "replaced";
  throw new Refusal(
    `${name} was not changed: you have not read cell ${cell} as it is now, so it is not ${what} as a whole. Read the notebook with read_file.`,
  );
}

/** A model knows these cells from now on, by their numbers and by their ids. */
export function addKnownCells(
  known: KnownTexts,
  path: string,
  cells: Iterable<readonly [index: number, cell: Pick<NotebookCell, "id" | "source">]>,
): void {
  for (const [index, { id, source }] of cells) {
    known.add(keyOfCell(path, String(index + 1), source));
    if (id !== undefined) known.add(keyOfCell(path, id, source));
  }
}

/** True if a model has read this cell. */
export function isKnownCell(
  known: KnownTexts,
  path: string,
  index: number,
  { source }: NotebookCell,
): boolean {
  return source === "" || known.has(keyOfCell(path, String(index + 1), source));
}

/** The source of a cell under its number or its id, as it counts as read. */
function keyOfCell(path: string, name: string, source: string): string {
  return `${path}\ncell ${name}\n${source}`;
}

/** True if the edits change nothing. */
export function isSamePlan(cells: readonly NotebookCell[], plan: readonly PlannedCell[]): boolean {
  return (
    plan.length === cells.length &&
    plan.every((cell, index) => cell.from === index && isSameCell(cell, cells[index]))
  );
}

/** True if these are the cells of a plan, whatever their outputs. */
export function hasPlannedCells(cells: readonly NotebookCell[], plan: readonly PlannedCell[]): boolean {
  return plan.length === cells.length && plan.every((cell, index) => isSameCell(cell, cells[index]));
}

export function isSameCell(
  one: Pick<NotebookCell, "kind" | "source">,
  other: Pick<NotebookCell, "kind" | "source"> | undefined,
): boolean {
  return one.kind === other?.kind && one.source === other.source;
}

/** The beginning of the text of a notebook that a model reads. */
export function notebookIntroduction(path: string): string {
  return `${path} is a notebook with`;
}

/** True for a text of `shownCells`. */
export function showsCells(path: string, text: string): boolean {
  return text.startsWith(notebookIntroduction(path));
}
