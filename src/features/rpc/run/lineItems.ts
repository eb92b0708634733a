import { createContexts } from "../language/contexts.ts";
import type { LiftContext } from "../language/lift.ts";
import { nodeValueOf } from "../language/literal.ts";
import { type Decoding, lowerRequest } from "../language/lowerRequest.ts";
import { memo } from "../language/memo.ts";
import type { Definition } from "../language/project.ts";
import { type CellPlan, headLine } from "../plan/plan.ts";
import type { Round, RoundDeps, RoundTask } from "./round.ts";
import type { RpcItem } from "./sender.ts";
import { takesRawTransaction } from "./transactionGuard.ts";

/** A line that is ready to go. */
export interface Item {
  /** Place in the plan; `headLine` for the question that the cell does not ask itself. */
  readonly at: number;
  readonly method: string;
  readonly params: readonly unknown[] | undefined;
  readonly decoding?: Decoding;
  /** Of a literal item, sent as it is. */
  readonly written?: RpcItem;
}

export const headItem: Item = { at: headLine, method: "eth_blockNumber", params: [] };

/** Whether some line of the notebook asks for what only the library can do. */
export function wantsEvm({ project, cell, plan }: RoundTask): boolean {
  if (plan.lines.some(({ method }) => takesRawTransaction(method))) return true;
  const one = project.cells[cell]?.cell;
  if (one?.form !== "lines") return false;
  return project.cells.some(({ cell: any }) =>
    /\b(call|logs)[ \t]|\b(abi|topic|keccak)\(/.test(any.form === "lines" ? any.text : ""),
  );
}

/** A line as an item of a request, or why it can't be one. */
export function lowerLine(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  at: number,
  known: Pick<LiftContext, "evm" | "head">,
): Item | { readonly reason: string } {
  const { project, cell, plan } = task;
  const line = plan.lines[at];
  const one = project.cells[cell]?.cell;
  if (!line || !one) return { reason: "There is no such line" };
  if (one.form === "literal")
    return literalItem(
      nodeValueOf(one.items[line.statement]?.node ?? { type: "null", offset: 0, length: 0 }),
      at,
    );
  const failed = line.after.find((other) => round.lines[other]?.outcome.kind !== "result");
  if (failed !== undefined) {
    return { reason: `It needs $${plan.lines[failed]?.name ?? "a line above"}, which has no result` };
  }
  const statement = one.statements[line.statement]?.statement;
  if (statement?.kind !== "request") return { reason: "There is no request on this line" };
  const contextAt = createContexts(project, {
    ...known,
    resultOf: (definition) => resultOf(deps, task, round, definition),
  });
  const lowered = lowerRequest(statement, contextAt(cell, line.statement));
  const { params, method, decoding, problems, waitsFor } = lowered;
  const [problem] = problems;
  if (problem) return { reason: problem.message };
  if (waitsFor[0] !== undefined) return { reason: `$${waitsFor[0]} has no value` };
  if (!lowered.isKnown) return { reason: "A part of this line has no value yet" };
  return { at, method, params, ...(decoding ? { decoding } : {}) };
}

function literalItem(value: unknown, at: number): Item | { readonly reason: string } {
  const written = value as RpcItem | null;
  if (typeof written?.method !== "string") return { reason: "This is no call: it has no method" };
  return { at, method: written.method, params: written.params, written };
}

function resultOf(
  deps: RoundDeps,
  { project, cell, plan, network }: RoundTask,
  round: Round,
  definition: Definition,
): { readonly result: unknown } | undefined {
  if (definition.cell === cell) {
    const outcome = round.lines[linesOf(plan).get(definition.statement) ?? -1]?.outcome;
    return outcome?.kind === "result" ? { result: outcome.value } : undefined;
  }
  const kept = deps.values.get(project, definition, network);
  return kept && { result: kept.value };
}

/** The places of a plan's lines by that of their statement. */
const linesOf = memo(({ lines }: CellPlan) => new Map(lines.map(({ statement }, at) => [statement, at])));

/** What goes over the wire: a literal cell as it is written. */
export function bodyOf(items: readonly Item[], { plan, project, cell }: RoundTask): RpcItem | RpcItem[] {
  const one = project.cells[cell]?.cell;
  if (plan.literal && one?.form === "literal" && one.root)
    return nodeValueOf(one.root) as RpcItem | RpcItem[];
  const made = items.map(
    ({ method, params }, at): RpcItem => ({
      jsonrpc: "2.0",
      id: at + 1,
      method,
      params: [...(params ?? [])],
    }),
  );
  return made.length === 1 && made[0] ? made[0] : made;
}
