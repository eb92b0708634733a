// Jupyter notebooks of the editor over real files, as its own extension reads and writes them: cells are documents of their own,
// a save writes the file in the extension's form, and refuses a file that is newer.
import { readFileSync, writeFileSync } from "node:fs";
import { Document, events, isFileAt, type Range, Uri } from "./editorDocument.ts";

type Json = Readonly<Record<string, unknown>>;

export const NotebookCellKind = { Markup: 1, Code: 2 } as const;

export class NotebookRange {
  readonly start: number;
  readonly end: number;
  constructor(start: number, end: number) {
    this.start = start;
    this.end = end;
  }
}

export class NotebookCellData {
  readonly kind: number;
  readonly value: string;
  readonly languageId: string;
  metadata: Json = {};
  outputs: readonly unknown[] = [];
  constructor(kind: number, value: string, languageId: string) {
    this.kind = kind;
    this.value = value;
    this.languageId = languageId;
  }
}

export class NotebookEdit {
  readonly range: NotebookRange;
  readonly cells: readonly NotebookCellData[];
  constructor(range: NotebookRange, cells: readonly NotebookCellData[]) {
    this.range = range;
    this.cells = cells;
  }
  static replaceCells = (range: NotebookRange, cells: readonly NotebookCellData[]) =>
    new NotebookEdit(range, cells);
  static insertCells = (index: number, cells: readonly NotebookCellData[]) =>
    new NotebookEdit(new NotebookRange(index, index), cells);
  static deleteCells = (range: NotebookRange) => new NotebookEdit(range, []);
}

/** The text of a cell, whose changes make its notebook unsaved. */
class CellDocument extends Document {
  #changed: () => void;
  constructor(uri: Uri, { value, languageId }: NotebookCellData, changed: () => void) {
    super(uri, "utf8", languageId);
    this.#changed = () => {};
    if (value !== "") this.put(value);
    this.#changed = changed;
  }
  override edit(changes: readonly { readonly range: Range; readonly text: string }[], isDirty = true): void {
    super.edit(changes, isDirty);
    this.#changed();
  }
}

export class Cell {
  readonly kind: number;
  readonly document: CellDocument;
  readonly metadata: Json;
  readonly outputs: readonly { readonly items: readonly unknown[] }[] = [];
  readonly data: NotebookCellData;
  constructor(uri: Uri, data: NotebookCellData, changed: () => void) {
    this.kind = data.kind;
    this.metadata = data.metadata;
    this.data = data;
    this.document = new CellDocument(uri, data, changed);
  }
}

/** Called when an edit of cells was applied, and in a save, so that a test lets the user act while the agent works. */
export const notebookMoments = {
  at: (_moment: "after the change" | "in the save", _notebook: Notebook): void => {},
};

export class Notebook {
  readonly uri: Uri;
  readonly notebookType = "jupyter-notebook";
  isDirty = false;
  isClosed = false;
  #cells: Cell[] = [];
  #rest: Json = {};
  /** The file as it was read or written last. */
  #known: string | undefined;
  #handle = 0;

  constructor(uri: Uri) {
    this.uri = uri;
    this.#load();
  }

  get cellCount(): number {
    return this.#cells.length;
  }

  getCells(): readonly Cell[] {
    return this.#cells;
  }

  /** All positions are those before the edits. */
  apply(edits: readonly NotebookEdit[]): void {
    const last = edits
      .map((edit, index) => ({ edit, index }))
      .sort((one, other) => other.edit.range.end - one.edit.range.end || other.index - one.index);
    for (const { edit } of last)
      this.#cells.splice(
        edit.range.start,
        edit.range.end - edit.range.start,
        ...edit.cells.map((one) => this.#cell(one)),
      );
    this.#changed();
  }

  /** What the user types at the start of a cell. */
  type(index: number, text: string): void {
    this.#cells[index]?.document.type(0, 0, text);
  }

  async save(): Promise<boolean> {
    if (this.isDirty && this.#read() !== undefined && this.#read() !== this.#known) return false;
    if (!this.isDirty) return true;
    notebookMoments.at("in the save", this);
    this.#known = this.text();
    writeFileSync(this.uri.path, this.#known);
    this.isDirty = false;
    events.savedNotebook.fire(this);
    return true;
  }

  /** The text that a save writes. */
  text(): string {
    const cells = this.#cells.map(({ data, document, kind }) => {
      const lines = document.getText().match(/[^\n]*\n|[^\n]+/g) ?? [];
      const isRaw = document.languageId === "raw";
      const cell_type = kind === NotebookCellKind.Markup ? "markdown" : isRaw ? "raw" : "code";
      const former = data.metadata as Json & { readonly json?: Json };
      const own = cell_type === "code" ? { execution_count: null, outputs: [], ...codeOf(former.json) } : {};
      return {
        metadata: former.json?.metadata ?? {},
        id: former.id ?? "new",
        ...own,
        cell_type,
        source: lines,
      };
    });
    return `${JSON.stringify(sorted({ ...this.#rest, cells }), undefined, 1)}\n`;
  }

  /** The same notebook with its unsaved cells in another window, or under another name. */
  movedTo(uri: Uri): Notebook {
    const moved = new Notebook(uri);
    if (!this.isDirty) return moved;
    const cells = this.#cells.map(({ data, document }) => {
      const cell = new NotebookCellData(data.kind, document.getText(), data.languageId);
      cell.metadata = data.metadata;
      return cell;
    });
    moved.#rest = this.#rest;
    moved.#known = this.#known;
    moved.#cells = [];
    moved.apply([NotebookEdit.insertCells(0, cells)]);
    return moved;
  }

  /** Takes the cells of the file. */
  revert(): void {
    this.isDirty = false;
    this.#load();
  }

  follow(): void {
    const now = this.#read();
    if (!this.isDirty && now !== undefined && now !== this.#known) this.#load();
  }

  #cell(data: NotebookCellData): Cell {
    const uri = new Uri(`${this.uri.path}#W${this.#handle++}`, "vscode-notebook-cell");
    return new Cell(uri, data, () => this.#changed());
  }

  #changed(): void {
    this.isDirty = true;
  }

  #load(): void {
    this.#known = this.#read();
    try {
      const { cells, ...rest } = JSON.parse(this.#known ?? "{}") as Json & {
        readonly cells?: readonly Json[];
      };
      this.#rest = rest;
      this.#cells = (cells ?? []).map((cell) => this.#cell(toData(cell)));
    } catch {
      this.#rest = {};
      this.#cells = [];
    }
  }

  #read(): string | undefined {
    return isFileAt(this.uri.path) ? readFileSync(this.uri.path, "utf8") : undefined;
  }
}

function codeOf(json: Json | undefined): Json {
  if (json?.cell_type !== "code") return {};
  return { execution_count: json.execution_count ?? null, outputs: json.outputs ?? [] };
}

function toData(json: Json): NotebookCellData {
  const source = Array.isArray(json.source) ? json.source.join("") : String(json.source ?? "");
  const isMarkup = json.cell_type === "markdown";
  const language = json.cell_type === "raw" ? "raw" : "python";
  const { Markup, Code } = NotebookCellKind;
  const data = new NotebookCellData(isMarkup ? Markup : Code, source, isMarkup ? "markdown" : language);
  data.metadata = { ...(json.id === undefined ? {} : { id: json.id }), json };
  return data;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, one]) => [name, sorted(one)]));
}
