import { writesToChain } from "../../../shared/rpc/catalog/catalog.ts";
import { staticContext } from "../../language/check/contexts.ts";
import { maxBatch } from "../../language/check/diagnoseLiteral.ts";
import { requestsUsed } from "../../language/encode/constants.ts";
import { encodeRequest, wireMethod } from "../../language/encode/encodeRequest.ts";
import { memo } from "../../language/memo.ts";
import { isSerial, type LookUpKind, lookUpsOf, watchesLogs } from "../../language/parse/directives.ts";
import type { LiteralCell } from "../../language/parse/literal.ts";
import { valuesOf } from "../../language/parse/nodes.ts";
import type { LinesCell } from "../../language/parse/parseCell.ts";
import {
  type Definition,
  expectationsOf,
  indexOfStatement,
  networksOfCell,
  type Project,
  requestsOf,
} from "../../language/project.ts";
import { isSimulated } from "../../simulate/simulate.ts";

/** A line of a cell as a planned call. */
interface PlannedLine {
  /** Zero-based line in the cell. */
  readonly line: number;
  readonly source: string;
  readonly name?: string;
  /** The JSON-RPC method. */
  readonly method: string;
  /** Index of its statement, or of the item in a literal cell. */
  readonly statement: number;
  /** Indexes of lines in the plan that must have results first. */
  readonly after: readonly number[];
  /** Results of other cells that it uses. */
  readonly uses: readonly Definition[];
  /** True if it counts from the newest block, whose number is requested first. */
  readonly needsHead: boolean;
  /** The ENS names in it. */
  readonly names: readonly string[];
  /** True if it is repeated until the result is not null. */
  readonly waits: boolean;
}

/** An `expect` line, which is checked after the calls. */
export interface PlannedExpectation extends Pick<PlannedLine, "line" | "source" | "statement" | "uses"> {
  /** Index in the plan of the request above it. */
  readonly above: number | undefined;
}

/** The calls of a cell on one network, in order. */
export interface CellPlan {
  readonly lines: readonly PlannedLine[];
  readonly expectations: readonly PlannedExpectation[];
  /** HTTP requests as indexes of lines; `headLine` is the request for the newest block number. */
  readonly calls: readonly (readonly number[])[];
  /** True if the cell is sent unchanged as one request. */
  readonly literal: boolean;
  /** The ENS names of its lines, which are resolved before the first call of a run. */
  readonly names: readonly string[];
  /** The look-ups for the results, after the calls. */
  readonly lookUps: readonly LookUpKind[];
}

export const headLine = -1;

export function planCell(project: Project, index: number): CellPlan {
  const cache = plans(project);
  const plan = cache.get(index) ?? makePlan(project, index);
  cache.set(index, plan);
  return plan;
}

/** Cached per project, because an edit creates a new project. */
const plans = memo((_: Project) => new Map<number, CellPlan>());

function makePlan(project: Project, index: number): CellPlan {
  const cell = project.cells[index]?.cell;
  if (!cell) return { lines: [], expectations: [], calls: [], literal: false, names: [], lookUps: [] };
  if (cell.form === "lines") {
    const lines = plannedLines(project, index, cell);
    const expectations = plannedExpectations(project, index, cell, lines);
    return {
      lines,
      expectations,
      calls: groupLines(lines, isSerial(cell), watchesLogs(cell)),
      literal: false,
      names: [...new Set(lines.flatMap(({ names }) => names))],
      lookUps: lookUpsOf(cell),
    };
  }
  const lines = literalLines(cell);
  const calls = lines.length > 0 ? [lines.map((_, at) => at)] : [];
  return { lines, expectations: [], calls, literal: true, names: [], lookUps: [] };
}

/** True if a run of the cell does nothing: it only defines names. */
export function isIdle({ lines, expectations }: CellPlan): boolean {
  return lines.length === 0 && expectations.length === 0;
}

/** Characters of the source that the output shows. */
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
      names: [],
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
    const { needsHead, names } = encodeRequest(statement, staticContext(project, index, place, undefined));
    return {
      line,
      source: sourceOf(cell, offset, statement.end),
      ...(statement.name ? { name: statement.name.text } : {}),
      method: wireMethod(statement.method.text),
      statement: place,
      after: used.flatMap((one) => (one.cell === index ? (lineOf.get(one.statement) ?? []) : [])),
      uses: used.filter((one) => one.cell !== index),
      needsHead,
      names: [...names],
      waits: statement.method.text === "wait",
    };
  });
}

function plannedExpectations(
  project: Project,
  index: number,
  cell: LinesCell,
  lines: readonly PlannedLine[],
): PlannedExpectation[] {
  let above = 0;
  return expectationsOf(cell).map(({ offset, line, statement }) => {
    const place = indexOfStatement(cell, offset);
    while ((lines[above]?.statement ?? Number.POSITIVE_INFINITY) < place) above++;
    const used = requestsUsed(project, index, place, valuesOf(statement));
    return {
      line,
      source: sourceOf(cell, offset, statement.end),
      statement: place,
      uses: used.filter((one) => one.cell !== index),
      above: above > 0 ? above - 1 : undefined,
    };
  });
}

function sourceOf({ text }: LinesCell, offset: number, length: number): string {
  return text
    .slice(offset, offset + length)
    .trim()
    .slice(0, mostSource);
}

/** Groups lines into batches. Writes and `wait` are sent alone. */
function groupLines(lines: readonly PlannedLine[], serial: boolean, watches: boolean): number[][] {
  const calls: number[][] = [];
  // A watch continues from the newest block of its last poll.
  const withHead = watches || lines.some(({ needsHead }) => needsHead);
  stagesOf(lines).forEach((stage, at) => {
    const isSentAlone = (place: number) => {
      const { method = "", waits } = lines[place] ?? {};
      return serial || waits === true || writesToChain(method);
    };
    const together = stage.filter((place) => !isSentAlone(place));
    if (at === 0 && withHead) together.unshift(headLine);
    for (let from = 0; from < together.length; from += maxBatch)
      calls.push(together.slice(from, from + maxBatch));
    for (const place of stage) if (isSentAlone(place)) calls.push([place]);
  });
  return calls;
}

/** Groups the indexes of lines into stages, which only use results of earlier stages. */
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

/** True if a cell has a transaction that can be simulated. */
export function canSimulate(project: Project, index: number): boolean {
  return planCell(project, index).lines.some(({ method }) => isSimulated(method));
}

/** The stored results of names. */
interface KnownValues {
  get(project: Project, definition: Definition, network: string): unknown;
}

/** The indexes of the cells to run, in order: the requested cells and those whose results they lack. */
export function cellsToRun(project: Project, requested: readonly number[], values: KnownValues): number[] {
  const needed = new Set<number>();
  const open = [...requested];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const cell = project.cells[index];
    if (!cell || needed.has(index)) continue;
    needed.add(index);
    const networks = networksOfCell(project, cell);
    const isKnown = (definition: Definition) =>
      networks.every((network) => values.get(project, definition, network) !== undefined);
    const { lines, expectations } = planCell(project, index);
    const used = new Set([...lines, ...expectations].flatMap(({ uses }) => uses));
    for (const definition of used) if (!isKnown(definition)) open.push(definition.cell);
  }
  // Cells only use results of cells above them, so the order of the notebook is a valid order.
  return [...needed].sort((a, b) => a - b);
}
