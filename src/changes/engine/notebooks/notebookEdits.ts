import * as vscode from "vscode";
import { Refusal } from "../../../platform/errors/refusal.ts";
import type { TemporaryFiles } from "../../../platform/files/durable/temporaryFiles.ts";
import { type AgentEdits, againWhileTyped } from "../agentEdits.ts";
import { agentFile } from "../files/changeablePlace.ts";
import { type Content, contentText, readContent } from "../files/contents.ts";
import { separateNames } from "../files/fileAccess.ts";
import { nameOf, type StoredContents, storedState, toFileChange } from "../files/fileState.ts";
import { notebookOf, refuseUnsavedText } from "../files/openEditors.ts";
import type { CellsChange, FileChange } from "../pendingChanges.ts";
import type { ChangeRecords } from "../records/changeRecord.ts";
import { editedRecord, type Place } from "../records/editedRecord.ts";
import type { KnownTexts } from "../records/knownTexts.ts";
import {
  addKnownCells,
  type CellEdit,
  hasPlannedCells,
  isKnownCell,
  isSameCell,
  isSamePlan,
  type NotebookCell,
  type PlannedCell,
  planCells,
} from "./cellPlan.ts";
import { type JsonNotebook, parseNotebook } from "./notebookJson.ts";
import { isNotebookPath } from "./notebookText.ts";
import { cellsOf, changeCells, copyCells, restoreCells } from "./openNotebook.ts";

interface NotebookEditsDeps {
  readonly edits: Pick<AgentEdits, "put">;
  readonly contents: StoredContents;
  readonly records: ChangeRecords;
  readonly temporary: TemporaryFiles;
}

/** The cells before a change and after it. */
interface Done {
  readonly before: readonly NotebookCell[];
  readonly plan: readonly PlannedCell[];
  readonly after: readonly NotebookCell[];
}

/** A call with what its model has read. */
interface CellsCall {
  readonly edits: readonly CellEdit[];
  readonly known: KnownTexts | undefined;
}

/**
 * Changes of cells by an agent, which become pending as changes of the file. An open notebook is changed through its editor and
 * saved; unsaved cells of the user are saved before, because the file is what a rewind restores. A closed one is changed in its
 * file, in which only the touched cells get other bytes.
 */
export class NotebookEdits {
  readonly #deps: NotebookEditsDeps;

  constructor(deps: NotebookEditsDeps) {
    this.#deps = deps;
  }

  async put(asked: string, call: CellsCall): Promise<CellsChange> {
    const uri = await agentFile(asked);
    const path = vscode.workspace.asRelativePath(uri);
    const notebook = notebookOf(uri);
    return notebook && (notebook.isDirty || (await showsFile(notebook, path)))
      ? againWhileTyped(path, () => this.#putOpen(notebook, { uri, path }, call))
      : this.#putClosed(asked, path, call);
  }

  async #putClosed(asked: string, path: string, { edits, known }: CellsCall): Promise<CellsChange> {
    let done: Done = { before: [], plan: [], after: [] };
    const of = (text: string | undefined) => {
      if (text === undefined) throw new Refusal(`There is no file ${path}. Write it with write_file.`);
      if (!isNotebookPath(path))
        throw new Refusal(
          `${path} is not open as a notebook, so it has no cells. Change its text with edit_file.`,
        );
      const notebook = parseNotebook(path, text);
      const plan = planCells(path, notebook.cells, edits, known);
      const now = isSamePlan(notebook.cells, plan) ? text : notebook.withCells(plan);
      done = { before: notebook.cells, plan, after: parseNotebook(path, now).cells };
      return now;
    };
    const change = await this.#deps.edits.put(asked, { of, known: undefined, isWhole: false });
    return { change, ...afterPlan(path, done, known), hasSavedTyped: false };
  }

  /** Undefined if the user was faster: with nothing changed but what is planned again. */
  async #putOpen(
    notebook: vscode.NotebookDocument,
    place: Place,
    { edits, known }: CellsCall,
  ): Promise<CellsChange | undefined> {
    const { uri, path } = place;
    const { contents, records, temporary } = this.#deps;
    const cells = cellsOf(notebook);
    const plan = planCells(path, cells, edits, known);
    await refuseUnsavedText(uri, path);
    const hasSavedTyped = notebook.isDirty;
    if (!isSamePlan(cells, plan)) {
      await separateNames(uri, path, temporary);
      await saved(notebook, path);
    }
    const content = await readContent(uri, path, records.get(uri));
    if (!content) throw new Refusal(`There is no file ${path}.`);
    const state = await storedState(contents, content);
    const result = (change: FileChange) => ({
      change,
      ...afterPlan(path, { before: cells, plan, after: cellsOf(notebook) }, known),
    });
    if (isSamePlan(cells, plan)) return { ...result(toFileChange(uri, state, state)), hasSavedTyped: false };
    // A formatter has changed the cells in the save, or the user types.
    if (notebook.isDirty || !areSame(cellsOf(notebook), cells)) return undefined;
    const written = await this.#write(notebook, place, { content, original: state.content }, { cells, plan });
    if (written === undefined) return undefined;
    return { ...result(toFileChange(uri, state, { content: written })), hasSavedTyped };
  }

  /** Returns the name of the file's content after the change, without what the user types meanwhile. */
  async #write(
    notebook: vscode.NotebookDocument,
    place: Place,
    former: { readonly content: Content; readonly original: string | null },
    { cells, plan }: { readonly cells: readonly NotebookCell[]; readonly plan: readonly PlannedCell[] },
  ): Promise<string | undefined> {
    const { records } = this.#deps;
    const { uri, path } = place;
    const record = records.syncedWith(uri, former.content);
    const before = contentText(former.content, path);
    const expected = expectedText(path, before, cells, plan);
    const recordOf = (text: string) =>
      editedRecord(place, record, { text: before, original: former.original ?? undefined }, text);
    const next = { record: recordOf(expected.text), text: expected.text };
    return records.quietly(uri, () =>
      records.announced(next, async () => {
        if (!(await changeAndSaveCells(notebook, path, plan))) return undefined;
        const written = await writtenText(notebook, path, plan, expected);
        const { text } = written;
        records.set(text === expected.text ? next.record : recordOf(text), text);
        return written.name;
      }),
    );
  }
}

/** The text of the file after a change, as far as it is the agent's, and the name of the file's content. */
async function writtenText(
  notebook: vscode.NotebookDocument,
  path: string,
  plan: readonly PlannedCell[],
  expected: ExpectedText,
): Promise<{ readonly text: string; readonly name: string }> {
  const now = await readContent(notebook.uri, path);
  if (!now) throw new Refusal(`${path} was deleted while it was changed.`);
  const isTyped = notebook.isDirty || !hasPlannedCells(cellsOf(notebook), plan);
  const text = isTyped && expected.isExact ? expected.text : contentText(now, path);
  // The file has text that the user typed meanwhile. No content has this name, so that a rewind asks.
  return { text, name: nameOf(isTyped ? new TextEncoder().encode(expected.text) : now.bytes) };
}

/** False for a notebook without unsaved cells that has yet to read its file, which the editor does some time later. */
async function showsFile(notebook: vscode.NotebookDocument, path: string): Promise<boolean> {
  if (!isNotebookPath(path)) return true;
  const content = await readContent(notebook.uri, path);
  const json = content && jsonOf(path, contentText(content, path));
  return json !== undefined && areSame(json.cells, cellsOf(notebook));
}

/** Saves the cells that the user has typed, so that nothing of them is lost, whatever becomes of the file. */
async function saved(notebook: vscode.NotebookDocument, path: string): Promise<void> {
  if (!notebook.isDirty || (await notebook.save())) return;
  throw new Refusal(
    `${path} was not changed: it has unsaved cells of the user, and they could not be saved, because the file is newer than the notebook in the editor or can't be written. The user must save or revert it first.`,
  );
}

/** False if the user was faster, with the cells as they were, but for what was typed. Throws a Refusal if it can't be saved. */
async function changeAndSaveCells(
  notebook: vscode.NotebookDocument,
  path: string,
  plan: readonly PlannedCell[],
): Promise<boolean> {
  const copy = copyCells(notebook);
  if (!(await changeCells(notebook, plan))) return false;
  if (await notebook.save()) return true;
  const isRestored = await restoreCells(notebook, copy, plan);
  const rest = isRestored ? "" : " The editor still shows the change.";
  throw new Refusal(
    `${path} could not be saved: its file is newer than the notebook in the editor, or can't be written.${rest}`,
  );
}

interface ExpectedText {
  readonly text: string;
  /** False for a format that only its serializer knows. */
  readonly isExact: boolean;
}

/** The text of the file after the changes, which is known before they are made. */
function expectedText(
  path: string,
  before: string,
  cells: readonly NotebookCell[],
  plan: readonly PlannedCell[],
): ExpectedText {
  const json = jsonOf(path, before);
  if (json && areSame(json.cells, cells)) return { text: json.withCells(plan), isExact: true };
  let text = before;
  for (const { from, source, isEdited } of plan) {
    const former = isEdited && from !== undefined ? (cells[from]?.source ?? "") : "";
    if (former !== "") text = text.replace(former, () => source);
    else if (isEdited) text += `\n${source}\n`;
  }
  return { text, isExact: false };
}

function jsonOf(path: string, text: string): JsonNotebook | undefined {
  try {
    return parseNotebook(path, text);
  } catch {
    return undefined;
  }
}

function areSame(one: readonly NotebookCell[], other: readonly NotebookCell[]): boolean {
  return one.length === other.length && one.every((cell, index) => isSameCell(cell, other[index]));
}

/** The touched cells as they are now, which the model knows from now on. Cells that have another number stay known. */
function afterPlan(
  path: string,
  { before, plan, after }: Done,
  known: KnownTexts | undefined,
): Pick<CellsChange, "edited" | "count"> {
  const edited = plan.flatMap(({ isEdited }, index) => {
    const cell = after[index];
    return isEdited && cell ? [{ index, cell: { ...cell, outputs: [] } }] : [];
  });
  if (!known) return { edited, count: plan.length };
  const read = plan.flatMap(({ from }, index) => {
    const [former, cell] = [from === undefined ? undefined : before[from], after[index]];
    const isRead = !former || from === undefined || isKnownCell(known, path, from, former);
    return cell && isRead ? [[index, cell] as const] : [];
  });
  addKnownCells(known, path, read);
  return { edited, count: plan.length };
}
