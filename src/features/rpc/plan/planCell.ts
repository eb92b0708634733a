import { staticContext } from "../language/diagnoseLines.ts";
import { maxBatch } from "../language/diagnoseLiteral.ts";
import { isSerial } from "../language/directives.ts";
import { lowerRequest, wireMethod } from "../language/lowerRequest.ts";
import type { LinesCell } from "../language/parseCell.ts";
import { type Definition, indexOfStatement, type Project, requestsOf } from "../language/project.ts";
import { requestsUsed } from "./dependencies.ts";

/** A line of a cell on its way to the wire. */
export interface PlannedLine {
  /** Zero-based line in the cell. */
  readonly line: number;
  readonly source: string;
  readonly name?: string;
  /** As the wire has it. */
  readonly method: string;
  /** Place of its statement; of an item in a literal cell, its place there. */
  readonly statement: number;
  /** Lines of this cell that have to be answered before, by their place in the plan. */
  readonly after: readonly number[];
  /** Results of other cells that it uses. */
  readonly uses: readonly Definition[];
  /** Asks for the newest block first, and counts from there. */
  readonly needsHead: boolean;
  /** Asked again until there is an answer. */
  readonly waits: boolean;
}

/** What a cell asks one network, in which order. */
export interface CellPlan {
  readonly lines: readonly PlannedLine[];
  /** HTTP requests: places of lines; -1 stands for the newest block's number, which the cell itself does not ask for. */
  readonly calls: readonly (readonly number[])[];
  /** Sent as it is written, as one request. */
  readonly literal: boolean;
}

export const headLine = -1;

export function planCell(project: Project, index: number): CellPlan {
  const cell = project.cells[index]?.cell;
  if (!cell) return { lines: [], calls: [], literal: false };
  if (cell.form === "lines") {
    const lines = plannedLines(project, index, cell);
    return { lines, calls: groupLines(lines, isSerial(cell)), literal: false };
  }
  const lines = cell.items.map(({ method, start }, statement) => ({
    line: cell.text.slice(0, start).split("\n").length - 1,
    source: method?.text ?? "",
    method: method?.text ?? "",
    statement,
    after: [],
    uses: [],
    needsHead: false,
    waits: false,
  }));
  return { lines, calls: lines.length > 0 ? [lines.map((_, at) => at)] : [], literal: true };
}

function plannedLines(project: Project, index: number, cell: LinesCell): PlannedLine[] {
  const requests = requestsOf(cell);
  const places = requests.map(({ offset }) => indexOfStatement(cell, offset));
  return requests.map(({ offset, line, statement }, at) => {
    const place = places[at] ?? 0;
    const used = requestsUsed(project, index, place, statement.args);
    const after = used.filter((one) => one.cell === index).map((one) => places.indexOf(one.statement));
    return {
      line,
      source: cell.text
        .slice(offset, offset + statement.end)
        .trim()
        .slice(0, 200),
      ...(statement.name ? { name: statement.name.text } : {}),
      method: wireMethod(statement.method.text),
      statement: place,
      after: after.filter((one) => one >= 0 && one < at),
      uses: used.filter((one) => one.cell !== index),
      needsHead: lowerRequest(statement, staticContext(project, index, place, undefined)).needsHead,
      waits: statement.method.text === "wait",
    };
  });
}

/** Lines that can go together do, as far as a batch reaches; a transaction and a wait go alone. */
function groupLines(lines: readonly PlannedLine[], serial: boolean): number[][] {
  const calls: number[][] = [];
  const stageOf: number[] = [];
  const withHead = lines.some(({ needsHead }) => needsHead);
  lines.forEach(({ after, needsHead }, at) => {
    const before = after.map((one) => stageOf[one] ?? 0);
    stageOf[at] = Math.max(needsHead ? 0 : -1, ...before) + 1;
  });
  const last = Math.max(0, ...stageOf);
  for (let stage = 0; stage <= last; stage++) {
    const together: number[] = stage === 0 && withHead ? [headLine] : [];
    const alone: number[][] = [];
    lines.forEach(({ method, waits }, at) => {
      if (stageOf[at] !== stage) return;
      if (serial || waits || method === "eth_sendRawTransaction") alone.push([at]);
      else together.push(at);
    });
    for (let from = 0; from < together.length; from += maxBatch)
      calls.push(together.slice(from, from + maxBatch));
    calls.push(...alone);
  }
  return calls;
}
