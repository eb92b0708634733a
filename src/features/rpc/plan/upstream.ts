import type { Definition, Project } from "../language/project.ts";
import { networksOfCell } from "../language/project.ts";
import { planCell } from "./planCell.ts";

/** Who knows what names stand for already. */
export interface KnownValues {
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
