import { writesToChain } from "../language/catalog/catalog.ts";
import { requestsUsed } from "../language/constants.ts";
import { staticContext } from "../language/contexts.ts";
import { maxBatch } from "../language/diagnoseLiteral.ts";
import { isSerial } from "../language/directives.ts";
import type { LiteralCell } from "../language/literal.ts";
import { lowerRequest, wireMethod } from "../language/lowerRequest.ts";
import { memo } from "../language/memo.ts";
import type { LinesCell } from "../language/parseCell.ts";
import { type Definition, indexOfStatement, type Project, requestsOf } from "../language/project.ts";

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
  const known = plans(project);
  const plan = known.get(index) ?? makePlan(project, index);
  known.set(index, plan);
  return plan;
}

/** A notebook does not change: an edit makes another one. */
const plans = memo((_: Project) => new Map<number, CellPlan>());

function makePlan(project: Project, index: number): CellPlan {
  const cell = project.cells[index]?.cell;
  if (!cell) return { lines: [], calls: [], literal: false };
  if (cell.form === "lines") {
    const lines = plannedLines(project, index, cell);
    return { lines, calls: groupLines(lines, isSerial(cell)), literal: false };
  }
  const lines = literalLines(cell);
  return { lines, calls: lines.length > 0 ? [lines.map((_, at) => at)] : [], literal: true };
}

/** A row has room for the beginning of what was asked. */
const mostSource = 200;

function literalLines({ text, items }: LiteralCell): PlannedLine[] {
  let [line, counted] = [0, 0];
  return items.map(({ method, start, end }, statement) => {
    for (; counted < start; counted++) if (text[counted] === "\n") line++;
    const name = method?.text ?? "";
    return {
      line,
      source: text.slice(start, Math.min(end, start + mostSource)),
      method: name,
      statement,
      after: [],
      uses: [],
      needsHead: false,
      waits: false,
    };
  });
}

function plannedLines(project: Project, index: number, cell: LinesCell): PlannedLine[] {
  const requests = requestsOf(cell);
  const places = requests.map(({ offset }) => indexOfStatement(cell, offset));
  const lineOf = new Map(places.map((place, at) => [place, at]));
  return requests.map(({ offset, line, statement }, at) => {
    const place = places[at] ?? 0;
    const used = requestsUsed(project, index, place, statement.args);
    return {
      line,
      source: cell.text
        .slice(offset, offset + statement.end)
        .trim()
        .slice(0, mostSource),
      ...(statement.name ? { name: statement.name.text } : {}),
      method: wireMethod(statement.method.text),
      statement: place,
      after: used.flatMap((one) => (one.cell === index ? (lineOf.get(one.statement) ?? []) : [])),
      uses: used.filter((one) => one.cell !== index),
      needsHead: lowerRequest(statement, staticContext(project, index, place, undefined)).needsHead,
      waits: statement.method.text === "wait",
    };
  });
}

/** Lines that can go together do, as far as a batch reaches; what is written to a chain and a wait go alone. */
function groupLines(lines: readonly PlannedLine[], serial: boolean): number[][] {
  const calls: number[][] = [];
  const withHead = lines.some(({ needsHead }) => needsHead);
  stagesOf(lines).forEach((stage, at) => {
    const goesAlone = (place: number) => {
      const { method = "", waits } = lines[place] ?? {};
      return serial || waits === true || writesToChain(method);
    };
    const together = stage.filter((place) => !goesAlone(place));
    if (at === 0 && withHead) together.unshift(headLine);
    for (let from = 0; from < together.length; from += maxBatch)
      calls.push(together.slice(from, from + maxBatch));
    for (const place of stage) if (goesAlone(place)) calls.push([place]);
  });
  return calls;
}

/** The places of lines; each stage needs what those before it bring. */
function stagesOf(lines: readonly PlannedLine[]): readonly (readonly number[])[] {
  const stages: number[][] = [[]];
  const stageOf: number[] = [];
  lines.forEach(({ after, needsHead }, at) => {
    const stage = after.reduce((last, one) => Math.max(last, (stageOf[one] ?? 0) + 1), needsHead ? 1 : 0);
    stageOf[at] = stage;
    const lined = stages[stage] ?? [];
    lined.push(at);
    stages[stage] = lined;
  });
  return stages;
}
