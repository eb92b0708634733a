import { memo } from "./memo.ts";
import type { Value } from "./nodes.ts";
import { type Definition, definitionBefore, definitionsIn, type Project } from "./project.ts";
import { nestingOf } from "./references.ts";

/** A line can use the results of so many requests; a batch has no more calls. */
export const maxUsed = 100;

/** What stands behind values, by way of names of names too. */
interface Behind {
  readonly nesting: number;
  /** Requests whose results are used; one too many where there are more than can be. */
  readonly requests: readonly Definition[];
}

/** How deep a constant nests, the names that it uses included. */
export function nestingOfConstant(project: Project, constant: Value): number {
  return behindConstants(project).get(constant)?.nesting ?? 0;
}

/** The requests whose results a statement uses, directly or by way of constants: `maxUsed`, and one more where there are more. */
export function requestsUsed(
  project: Project,
  cell: number,
  statement: number,
  values: readonly Value[],
): readonly Definition[] {
  return behind(project, cell, statement, values, behindConstants(project)).requests;
}

/** In the order of the notebook: a constant uses nothing that stands below it, so that one pass is enough. */
const behindConstants = memo((project: Project): ReadonlyMap<Value, Behind> => {
  const known = new Map<Value, Behind>();
  project.cells.forEach((_, cell) => {
    for (const { constant, statement } of definitionsIn(project, cell))
      if (constant) known.set(constant, behind(project, cell, statement, [constant], known));
  });
  return known;
});

function behind(
  project: Project,
  cell: number,
  statement: number,
  values: readonly Value[],
  known: ReadonlyMap<Value, Behind>,
): Behind {
  const requests = new Set<Definition>();
  let nesting = 0;
  const add = (all: readonly Definition[]) => {
    for (const one of all) if (requests.size <= maxUsed) requests.add(one);
  };
  for (const value of values) {
    const own = nestingOf(value, ({ name }) => {
      const found = definitionBefore(project, name, cell, statement);
      if (found && !found.constant) add([found]);
      const inner = found?.constant && known.get(found.constant);
      if (inner) add(inner.requests);
      return inner?.nesting ?? 0;
    });
    nesting = Math.max(nesting, own);
  }
  return { nesting, requests: [...requests] };
}
