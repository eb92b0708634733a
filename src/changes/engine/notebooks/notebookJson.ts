import { randomBytes } from "node:crypto";
import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from "jsonc-parser";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { withLineFeeds } from "../../../shared/text/lineFeeds.ts";
import {
  type CellKind,
  type CellOutput,
  isSameCell,
  type NotebookCell,
  type PlannedCell,
} from "./cellPlan.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** A Jupyter notebook as its file has it (nbformat 4). */
export interface JsonNotebook {
  readonly cells: readonly NotebookCell[];
  /** The text of the file after the planned changes: only the touched cells have other bytes. */
  withCells(plan: readonly PlannedCell[]): string;
}

/** Throws a Refusal if the text is no notebook of this format. */
export function parseNotebook(path: string, text: string): JsonNotebook {
  const errors: ParseError[] = [];
  const root = text.trim() === "" ? undefined : parseTree(text, errors, { disallowComments: true });
  const list = root && findNodeAtLocation(root, ["cells"]);
  const format: unknown = root && findNodeAtLocation(root, ["nbformat"])?.value;
  const isOlder = typeof format === "number" && format < 4;
  const isList = list?.type === "array" && (list.children ?? []).every(({ type }) => type === "object");
  if (errors.length > 0 || !isList || isOlder)
    throw new Refusal(
      `${path} is no Jupyter notebook of format 4, so it has no cells. Change its text with edit_file.`,
    );
  const nodes = list.children ?? [];
  const metadata = asObject(valueAt(root, ["metadata"]));
  const language = languageOf(metadata);
  const values = nodes.map((node) => asObject(getNodeValue(node)));
  const cells = values.map((value) => toCell(value, language));
  const minor = valueAt(root, ["nbformat_minor"]);
  const hasIds = typeof minor === "number" && minor >= 5;
  return {
    cells,
    withCells: (plan) => new Rewrite({ text, list, nodes, values, cells, language, hasIds }).of(plan),
  };
}

function valueAt(root: Node | undefined, path: readonly string[]): unknown {
  const node = root && findNodeAtLocation(root, [...path]);
  return node && getNodeValue(node);
}

function asObject(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function languageOf(metadata: JsonObject): string {
  const names = [asObject(metadata.language_info).name, asObject(metadata.kernelspec).language];
  return names.find((name): name is string => typeof name === "string" && name !== "") ?? "python";
}

function toCell(value: JsonObject, language: string): NotebookCell {
  const kind: CellKind =
    value.cell_type === "markdown" || value.cell_type === "raw" ? value.cell_type : "code";
  const own = asObject(asObject(value.metadata).vscode).languageId;
  const outputs = Array.isArray(value.outputs)
    ? value.outputs.flatMap((one) => toOutputs(asObject(one)))
    : [];
  return {
    id: typeof value.id === "string" ? value.id : undefined,
    kind,
    language: kind === "code" ? (typeof own === "string" ? own : language) : kind,
    source: withLineFeeds(joined(value.source) ?? ""),
    outputs,
  };
}

/** A text of the format: one, or its lines. */
function joined(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.filter((line) => typeof line === "string").join("") : undefined;
}

function toOutputs(output: JsonObject): readonly CellOutput[] {
  if (output.output_type === "stream") return [{ mime: "text/plain", text: joined(output.text) }];
  if (output.output_type === "error") {
    const trace = Array.isArray(output.traceback) ? output.traceback.join("\n") : "";
    return [{ mime: "error", text: trace || `${String(output.ename)}: ${String(output.evalue)}` }];
  }
  return Object.entries(asObject(output.data)).map(([mime, data]) => ({
    mime,
    text: mime === "text/plain" ? joined(data) : undefined,
  }));
}

interface Written {
  readonly text: string;
  readonly list: Node;
  readonly nodes: readonly Node[];
  readonly values: readonly JsonObject[];
  readonly cells: readonly NotebookCell[];
  readonly language: string;
  readonly hasIds: boolean;
}

/** Writes the list of cells again, in the form that it has. */
class Rewrite {
  readonly #written: Written;
  readonly #eol: string;
  /** The white space before a cell on its own line, and what one level more adds. Undefined for a file without breaks. */
  readonly #indent: { readonly cell: string; readonly list: string; readonly unit: string } | undefined;

  constructor(written: Written) {
    this.#written = written;
    const { text, list, nodes } = written;
    this.#eol = text.includes("\r\n") ? "\r\n" : "\n";
    const [listLine, cellLine] = [
      whiteBefore(text, list.offset),
      whiteBefore(text, nodes[0]?.offset ?? list.offset),
    ];
    const unit = cellLine.length > listLine.length ? cellLine.slice(listLine.length) : listLine || " ";
    this.#indent = text.trim().includes("\n") ? { cell: listLine + unit, list: listLine, unit } : undefined;
  }

  of(plan: readonly PlannedCell[]): string {
    const { text, list, nodes } = this.#written;
    const [start, end] = [list.offset + 1, list.offset + list.length - 1];
    const lead = nodes[0] ? text.slice(start, nodes[0].offset) : this.#break("cell");
    const last = nodes.at(-1);
    const tail = last ? text.slice(last.offset + last.length, end) : this.#break("list");
    let written = "";
    for (const [index, cell] of plan.entries()) {
      written += index === 0 ? lead : this.#between(plan[index - 1], cell);
      written += this.#cell(cell);
    }
    return `${text.slice(0, start)}${written}${plan.length > 0 ? tail : ""}${text.slice(end)}`;
  }

  #between(former: PlannedCell | undefined, { from }: PlannedCell): string {
    const { text, nodes } = this.#written;
    const isSame = from !== undefined && former?.from === from - 1;
    const [one, other] = isSame ? [nodes[from - 1], nodes[from]] : [nodes[0], nodes[1]];
    return one && other ? text.slice(one.offset + one.length, other.offset) : `,${this.#break("cell")}`;
  }

  #break(level: "cell" | "list"): string {
    return this.#indent ? this.#eol + this.#indent[level] : "";
  }

  #cell(cell: PlannedCell): string {
    const { text, nodes, values, cells } = this.#written;
    const node = cell.from === undefined ? undefined : nodes[cell.from];
    if (cell.from === undefined || !node) return this.#json(this.#newValue(cell));
    const former = cells[cell.from];
    const raw = text.slice(node.offset, node.offset + node.length);
    if (isSameCell(cell, former)) return raw;
    const source = findNodeAtLocation(node, ["source"]);
    if (cell.kind !== former?.kind || !source) return this.#json(ofKind(values[cell.from] ?? {}, cell));
    const isText = source.type === "string";
    const value = this.#json(
      isText ? cell.source : linesOf(cell.source),
      whiteBefore(text, source.parent?.offset ?? 0),
    );
    const at = source.offset - node.offset;
    return raw.slice(0, at) + value + raw.slice(at + source.length);
  }

  #newValue({ kind, language, source }: PlannedCell): JsonObject {
    const isOther = kind === "code" && language !== "" && language !== this.#written.language;
    return {
      cell_type: kind,
      ...(kind === "code" ? { execution_count: null } : {}),
      ...(this.#written.hasIds ? { id: this.#newId() } : {}),
      metadata: isOther ? { vscode: { languageId: language } } : {},
      ...(kind === "code" ? { outputs: [] } : {}),
      source: linesOf(source),
    };
  }

  #newId(): string {
    const id = randomBytes(4).toString("hex");
    return this.#written.cells.some((cell) => cell.id === id) ? this.#newId() : id;
  }

  /** A value below white space, as the file writes its values. */
  #json(value: unknown, white = this.#indent?.cell ?? ""): string {
    if (!this.#indent) return JSON.stringify(value);
    return JSON.stringify(value, undefined, this.#indent.unit).replaceAll("\n", `${this.#eol}${white}`);
  }
}

/** A cell of another kind: it has the members of its kind only. */
function ofKind(value: JsonObject, { kind, source }: PlannedCell): JsonObject {
  const { outputs = [], execution_count = null, attachments, ...rest } = value;
  const own =
    kind === "code" ? { execution_count, outputs } : attachments === undefined ? {} : { attachments };
  const members = { ...rest, cell_type: kind, ...own, source: linesOf(source) };
  return Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function linesOf(source: string): readonly string[] {
  return source.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** The white space at the start of the line of a position. */
function whiteBefore(text: string, position: number): string {
  const start = text.lastIndexOf("\n", position - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, position))?.[0] ?? "";
}
