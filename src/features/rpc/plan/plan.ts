import { baseCredits, predictCredits } from "../../../api/money/rpcCredits.ts";
import { isMainnet, localNetwork } from "../../../shared/rpc/networks.ts";
import { writesToChain } from "../language/catalog/catalog.ts";
import { requestsUsed } from "../language/constants.ts";
import { staticContext } from "../language/contexts.ts";
import { maxBatch } from "../language/diagnoseLiteral.ts";
import { isSerial, pollingOf } from "../language/directives.ts";
import { encodeRequest, wireMethod } from "../language/encodeRequest.ts";
import type { LiteralCell } from "../language/literal.ts";
import { memo } from "../language/memo.ts";
import type { InlayHint } from "../language/outline.ts";
import type { LinesCell } from "../language/parseCell.ts";
import {
  type Definition,
  indexOfStatement,
  networksOfCell,
  type Project,
  requestsOf,
} from "../language/project.ts";

/** A line of a cell on its way to the wire. */
interface PlannedLine {
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
      needsHead: encodeRequest(statement, staticContext(project, index, place, undefined)).needsHead,
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

/** What a run costs if every item has a result; error items cost less (spec E3, billing rule 3). */
export interface Estimate {
  readonly credits: number;
  /** HTTP requests: 100 a minute are taken. */
  readonly requests: number;
  readonly items: number;
  /** At least so much: a line waits for something. */
  readonly open: boolean;
  /** Rounds of a polling cell, all of them counted in. */
  readonly rounds: number;
}

export const nonceMethod = "eth_getTransactionCount";

/** Whether the next nonce of an account is looked up before its transaction is shown: where money is real. */
export function asksForNonce(method: string, network: string): boolean {
  return method === "eth_sendRawTransaction" && isMainnet(network);
}

/** Of one call of a line. */
function lineCredits(method: string, network: string): number {
  return network === localNetwork ? 0 : predictCredits(network, [method]);
}

/** Of one round of a plan on one network. */
export function planCredits({ lines, calls }: CellPlan, network: string): number {
  if (network === localNetwork) return 0;
  const head = calls.some((call) => call.includes(headLine)) ? baseCredits(network) : 0;
  return lines.reduce(
    (sum, { method }) =>
      sum +
      lineCredits(method, network) +
      (asksForNonce(method, network) ? lineCredits(nonceMethod, network) : 0),
    head,
  );
}

export function estimateCell(project: Project, index: number): Estimate {
  const one = project.cells[index];
  if (!one) return nothing;
  const plan = planCell(project, index);
  const networks = networksOfCell(project, one);
  const { times: rounds = 1, budgetCredits } = pollingOf(one.cell) ?? {};
  const credits = creditsOn(networks, (network) => planCredits(plan, network)) * rounds;
  return {
    credits: Math.min(credits, budgetCredits ?? credits),
    requests: plan.calls.length * networks.length * rounds,
    items: plan.calls.reduce((sum, { length }) => sum + length, 0) * networks.length * rounds,
    open: plan.lines.some(({ waits }) => waits),
    rounds,
  };
}

/** The sum over networks; those of one price are asked about once. */
function creditsOn(networks: readonly string[], creditsOf: (network: string) => number): number {
  const known = new Map<string, number>();
  return networks.reduce((sum, network) => {
    const price = network === localNetwork ? localNetwork : (/^(?:zksync|solana)-/.exec(network)?.[0] ?? "");
    const credits = known.get(price) ?? creditsOf(network);
    known.set(price, credits);
    return sum + credits;
  }, 0);
}

const nothing: Estimate = { credits: 0, requests: 0, items: 0, open: false, rounds: 1 };

export function sumEstimates(estimates: readonly Estimate[]): Estimate {
  return estimates.reduce(
    (sum, one) => ({
      credits: sum.credits + one.credits,
      requests: sum.requests + one.requests,
      items: sum.items + one.items,
      open: sum.open || one.open,
      rounds: Math.max(sum.rounds, one.rounds),
    }),
    nothing,
  );
}

/** The results that names stand for already. */
interface KnownValues {
  get(project: Project, definition: Definition, network: string): unknown;
}

/** The cells to run, in their order: those that are asked for, and before them those whose results they lack. */
export function cellsToRun(project: Project, asked: readonly number[], values: KnownValues): number[] {
  const due = new Set<number>();
  const open = [...asked];
  // A cell uses nothing that stands below it: in the order of the notebook each finds what it needs.
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const cell = project.cells[index];
    if (!cell || due.has(index)) continue;
    due.add(index);
    const networks = networksOfCell(project, cell);
    const isKnown = (definition: Definition) =>
      networks.every((network) => values.get(project, definition, network) !== undefined);
    const used = new Set(planCell(project, index).lines.flatMap(({ uses }) => uses));
    for (const definition of used) if (!isKnown(definition)) open.push(definition.cell);
  }
  return [...due].sort((a, b) => a - b);
}

/** What each line costs, behind it: where lines cost the same, the sum below the cell and their number say as much. */
export function lineHints(project: Project, index: number): InlayHint[] {
  const one = project.cells[index];
  if (one?.cell.form !== "lines") return [];
  const { statements } = one.cell;
  const networks = networksOfCell(project, one);
  const priced = planCell(project, index).lines.flatMap(({ method, statement }) => {
    const placed = statements[statement];
    const credits = creditsOn(networks, (network) => lineCredits(method, network));
    return placed ? [{ at: placed.offset + placed.statement.end, credits }] : [];
  });
  if (new Set(priced.map(({ credits }) => credits)).size < 2) return [];
  return priced.map(({ at, credits }) => ({
    at,
    text: ` ${credits} credits`,
    tooltip: "What this line costs if it has a result; an error costs 5 credits",
  }));
}
