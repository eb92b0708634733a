import { nestingOf } from "../assist/references.ts";
import { memo } from "../memo.ts";
import type { Value } from "../parse/nodes.ts";
import { type Definition, definitionBefore, definitionsIn, type Project } from "../project.ts";

/** Results that a line can use. A batch has no more calls. */
export const maxUsed = 100;

/** Facts about values after all names are resolved, including names in constants. */
interface Resolved {
  readonly nesting: number;
  /** Requests whose results are used: at most `maxUsed` + 1. */
  readonly requests: readonly Definition[];
}

/** The nesting depth of a constant, including the constants that it uses. */
export function nestingOfConstant(project: Project, constant: Value): number {
  return resolvedConstants(project).get(constant)?.nesting ?? 0;
}

/** The requests whose results a statement uses, directly or through constants: at most `maxUsed` + 1. */
export function requestsUsed(
  project: Project,
  cell: number,
  statement: number,
  values: readonly Value[],
): readonly Definition[] {
  return resolve(project, cell, statement, values, resolvedConstants(project)).requests;
}

/** In the order of the notebook. Constants only use names above them, so one pass is enough. */
const resolvedConstants = memo((project: Project): ReadonlyMap<Value, Resolved> => {
  const resolved = new Map<Value, Resolved>();
  project.cells.forEach((_, cell) => {
    for (const { constant, statement } of definitionsIn(project, cell))
      if (constant) resolved.set(constant, resolve(project, cell, statement, [constant], resolved));
  });
  return resolved;
});

function resolve(
  project: Project,
  cell: number,
  statement: number,
  values: readonly Value[],
  resolved: ReadonlyMap<Value, Resolved>,
): Resolved {
  const requests = new Set<Definition>();
  let nesting = 0;
  const add = (all: readonly Definition[]) => {
    for (const one of all) if (requests.size <= maxUsed) requests.add(one);
  };
  for (const value of values) {
    const own = nestingOf(value, ({ name }) => {
      const found = definitionBefore(project, name, cell, statement);
      if (found && !found.constant) add([found]);
      const inner = found?.constant && resolved.get(found.constant);
      if (inner) add(inner.requests);
      return inner?.nesting ?? 0;
    });
    nesting = Math.max(nesting, own);
  }
  return { nesting, requests: [...requests] };
}
