import type { Value } from "../language/nodes.ts";
import { type Definition, definitionOf, type Project } from "../language/project.ts";
import { referencesOf } from "../language/references.ts";

/** The requests whose results a statement uses, directly or by way of constants. */
export function requestsUsed(
  project: Project,
  cell: number,
  statement: number,
  values: readonly Value[],
): readonly Definition[] {
  const found = new Map<string, Definition>();
  const visited = new Set<string>();
  const visit = (inCell: number, at: number, used: readonly Value[]) => {
    for (const { name } of used.flatMap(referencesOf)) {
      const definition = definitionOf(project, name, inCell, at);
      if (!definition) continue;
      const key = `${definition.cell}/${definition.statement}/${name}`;
      if (visited.has(key)) continue;
      visited.add(key);
      if (definition.constant) visit(definition.cell, definition.statement, [definition.constant]);
      else found.set(key, definition);
    }
  };
  visit(cell, statement, values);
  return [...found.values()];
}
