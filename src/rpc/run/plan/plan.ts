import { writesToChain } from "../../../shared/rpc/catalog/catalog.ts";
import { staticContext } from "../../language/check/contexts.ts";
import { maxBatch } from "../../language/check/diagnose/diagnoseLiteral.ts";
import { type Give, givesOf } from "../../language/check/gives.ts";
import { namedKey } from "../../language/check/idempotencyKey.ts";
import { maxUsed, requestsUsed } from "../../language/encode/constants.ts";
import { type EncodedRequest, encodeRequest, wireMethod } from "../../language/encode/encodeRequest.ts";
import {
  isSerial,
  type LookUpKind,
  lookUpsOf,
  type Polling,
  pollingOf,
  watchesLogs,
} from "../../language/parse/directives.ts";
import { type LiteralCell, nodeValueOf, writtenJson } from "../../language/parse/literal.ts";
import { type Expectation, type Request, valuesOf } from "../../language/parse/nodes.ts";
import type { LinesCell } from "../../language/parse/parseCell.ts";
import {
  type Definition,
  definitionBefore,
  directivesOf,
  expectationsOf,
  indexOfStatement,
  networksOfCell,
  type Project,
  type ProjectCell,
  requestsOf,
  textOf,
} from "../../language/project.ts";
import type { RpcOutput } from "../../output/rpcOutput.ts";
import { isSimulated } from "../../simulate/simulate.ts";

/** A line of a cell as a planned call. */
interface PlannedLine {
  /** Zero-based line in the cell. */
  readonly line: number;
  /** Offset of its end in the cell. */
  readonly end: number;
  readonly source: string;
  readonly name?: string;
  /** The definition of its name. */
  readonly definition?: Definition;
  /** As it is written: a line, or the item of a literal cell. */
  readonly written: PlannedRequest;
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

type PlannedRequest =
  /** `encoded` is its call, if that is the same in each run: it contains no names and no functions. */
  | { readonly form: "line"; readonly request: Request; readonly encoded?: EncodedRequest }
  | { readonly form: "item"; readonly node: LiteralCell["items"][number]["node"] };

/** An `expect` line, which is checked after the calls. */
export interface PlannedExpectation extends Pick<PlannedLine, "line" | "source" | "statement" | "uses"> {
  readonly expectation: Expectation;
  /** Index in the plan of the request above it. */
  readonly above: number | undefined;
  /** False if it uses so many results that `uses` does not list all. */
  readonly listsAll: boolean;
}

/** The calls of a cell on one network, in order, and where and how often they are made. */
export interface CellPlan {
  /** Index of the cell in its notebook. */
  readonly cell: number;
  readonly networks: readonly string[];
  readonly lines: readonly PlannedLine[];
  readonly expectations: readonly PlannedExpectation[];
  /** HTTP requests as indexes of lines; `headLine` is the request for the newest block number. */
  readonly calls: readonly (readonly number[])[];
  /** The JSON that is sent as one request; undefined for a cell of lines. */
  readonly literal?: PlannedJson;
  /** The ENS names of its lines, which are resolved before the first call of a run. */
  readonly names: readonly string[];
  /** The balances that its transactions find in a simulation. */
  readonly gives: readonly Give[];
  /** The look-ups for the results, after the calls. */
  readonly lookUps: readonly LookUpKind[];
  /** Undefined if the cell runs once. */
  readonly polling: Polling | undefined;
  /** True for a cell with `@watch logs`. */
  readonly watches: boolean;
  /** The chosen view of its results. */
  readonly view: RpcOutput["view"];
  /** The idempotency key of its request. */
  readonly key?: string;
}

interface PlannedJson {
  readonly value: unknown;
  /** As it is written. */
  readonly text: string;
}

export const headLine = -1;

/** A cell that is not in the notebook does nothing. */
export function planCell(project: Project, index: number): CellPlan {
  const one = project.cells[index];
  const nothing = { lines: [], expectations: [], calls: [], names: [], gives: [], lookUps: [] };
  if (!one)
    return { cell: index, networks: [], ...nothing, polling: undefined, watches: false, view: undefined };
  const { cell } = one;
  const facts = {
    cell: index,
    networks: networksOfCell(project, one),
    polling: pollingOf(cell),
    watches: watchesLogs(cell),
    view: viewOf(one),
    ...keyOf(project, index),
  };
  if (cell.form === "literal") {
    const lines = literalLines(cell);
    const calls = lines.length > 0 ? [lines.map((_, at) => at)] : [];
    return { ...facts, ...nothing, lines, calls, ...literalOf(cell) };
  }
  const lines = plannedLines(project, index, cell);
  return {
    ...facts,
    lines,
    expectations: plannedExpectations(project, index, cell, lines),
    calls: groupLines(lines, isSerial(cell), facts.watches),
    names: [...new Set(lines.flatMap(({ names }) => names))],
    gives: givesOf(project, index),
    lookUps: lookUpsOf(cell),
  };
}

function keyOf(project: Project, index: number): Pick<CellPlan, "key"> {
  const named = namedKey(project, index);
  return named && "key" in named ? { key: named.key } : {};
}

function viewOf({ cell, facts }: ProjectCell): RpcOutput["view"] {
  const [chosen] = directivesOf(cell, "view").flatMap(({ statement }) => statement.args.flatMap(textOf));
  const view = chosen ?? facts.view;
  return view === "table" || view === "tree" || view === "json" ? view : undefined;
}

/** True if a run of the cell does nothing: it only defines names. */
export function isIdle({ lines, expectations }: CellPlan): boolean {
  return lines.length === 0 && expectations.length === 0;
}

/** Characters of the source that the output shows. */
const mostSource = 200;

function literalOf({ root, text }: LiteralCell): Pick<CellPlan, "literal"> {
  return root ? { literal: { value: nodeValueOf(root), text: writtenJson(root, text) } } : {};
}

function literalLines({ text, items }: LiteralCell): PlannedLine[] {
  let [line, counted] = [0, 0];
  return items.map(({ method, start, end, node }, statement) => {
    for (; counted < start; counted++) if (text[counted] === "\n") line++;
    const name = method?.text ?? "";
    return {
      line,
      end,
      written: { form: "item", node },
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
    const encoded = encodeRequest(statement, staticContext(project, index, place, undefined));
    const { needsHead, names, isKnown, size, problems } = encoded;
    const isFinal = isKnown && size === 0 && problems.length === 0;
    const name = statement.name?.text;
    const definition = name === undefined ? undefined : definitionBefore(project, name, index, place + 1);
    return {
      line,
      end: offset + statement.end,
      written: { form: "line", request: statement, ...(isFinal ? { encoded } : {}) },
      source: sourceOf(cell, offset, statement.end),
      ...(name === undefined ? {} : { name }),
      ...(definition ? { definition } : {}),
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
      expectation: statement,
      source: sourceOf(cell, offset, statement.end),
      statement: place,
      uses: used.filter((one) => one.cell !== index),
      above: above > 0 ? above - 1 : undefined,
      listsAll: used.length <= maxUsed,
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
export function canSimulate({ lines }: CellPlan): boolean {
  return lines.some(({ method }) => isSimulated(method));
}
