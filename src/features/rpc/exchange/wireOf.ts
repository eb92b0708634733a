import type { RpcItem } from "../../../api/endpoints/rpc.ts";
import { declaredIn } from "../language/declarations.ts";
import { type LiftContext, unknownYet } from "../language/lift.ts";
import { nodeValueOf } from "../language/literal.ts";
import { lowerRequest } from "../language/lowerRequest.ts";
import { definitionOf, indexOfStatement, type Project, requestsOf } from "../language/project.ts";
import type { WireItem } from "./writeRequest.ts";

/** What a cell would send, as far as it is known without asking; what is not is named in `<…>`. */
export interface Wire {
  readonly body: unknown;
  readonly items: readonly WireItem[];
  /** What stands in for values that a run would fetch. */
  readonly unknown: readonly string[];
}

export function wireOf(
  project: Project,
  index: number,
  evm: LiftContext["evm"],
  resultOf: (cell: number, name: string) => unknown,
): Wire {
  const cell = project.cells[index]?.cell;
  if (!cell) return { body: [], items: [], unknown: [] };
  if (cell.form === "literal") {
    const body = cell.root ? nodeValueOf(cell.root) : [];
    const items = (Array.isArray(body) ? body : [body]) as RpcItem[];
    return { body, items: items.map(({ method, params = [] }) => ({ method, params })), unknown: [] };
  }
  const unknown: string[] = [];
  const items = requestsOf(cell).map(({ offset, statement }) => {
    const place = indexOfStatement(cell, offset);
    const context: LiftContext = {
      evm,
      declared: () => declaredIn(project),
      head: undefined,
      lookUp(name) {
        const found = definitionOf(project, name, index, place);
        if (found?.constant) return { constant: found.constant };
        const result = found && resultOf(found.cell, name);
        return result === undefined ? undefined : { result };
      },
    };
    const { method, params, waitsFor, needsHead } = lowerRequest(statement, context);
    const standIn = waitsFor[0] ? `<$${waitsFor[0]}>` : needsHead ? "<block>" : "<?>";
    if (holdsUnknown(params)) unknown.push(standIn);
    return { method, params: replaced(params, standIn) as unknown[] };
  });
  const numbered = items.map((item, at) => ({ jsonrpc: "2.0", id: at + 1, ...item }));
  return { body: numbered.length === 1 ? numbered[0] : numbered, items, unknown };
}

function holdsUnknown(value: unknown): boolean {
  return (
    value === unknownYet ||
    (typeof value === "object" && value !== null && Object.values(value).some(holdsUnknown))
  );
}

function replaced(value: unknown, standIn: string): unknown {
  if (value === unknownYet) return standIn;
  if (Array.isArray(value)) return value.map((one) => replaced(one, standIn));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one, standIn)]));
}
