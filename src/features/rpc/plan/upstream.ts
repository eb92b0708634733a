import type { Definition, Project } from "../language/project.ts";
import { networksOfCell } from "../language/project.ts";
import { planCell } from "./planCell.ts";

/** Who knows what names stand for already. */
export interface KnownValues {
  get(project: Project, definition: Definition, network: string): unknown;
}

/** The cells to run, in their order: those that are asked for, and before them those whose results they lack. */
export function cellsToRun(project: Project, asked: readonly number[], values: KnownValues): number[] {
  const order: number[] = [];
  const visit = (index: number, path: ReadonlySet<number>) => {
    const cell = project.cells[index];
    if (!cell || order.includes(index) || path.has(index)) return;
    const networks = networksOfCell(project, cell);
    for (const definition of planCell(project, index).lines.flatMap(({ uses }) => uses)) {
      const isKnown = networks.every((network) => values.get(project, definition, network) !== undefined);
      if (!isKnown) visit(definition.cell, new Set([...path, index]));
    }
    order.push(index);
  };
  for (const index of [...asked].sort((a, b) => a - b)) visit(index, new Set());
  return order;
}
