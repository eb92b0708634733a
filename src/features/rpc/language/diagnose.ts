import type { EvmTools } from "./applyFunction.ts";
import { diagnoseLines } from "./diagnoseLines.ts";
import { diagnoseLiteral } from "./diagnoseLiteral.ts";
import { memo } from "./memo.ts";
import { type Problem, problem } from "./problems.ts";
import { maxNetworks, namedNetworks, networksOfCell, type Project, type ProjectCell } from "./project.ts";

/** All that can be said against a cell before it is sent. Without `evm` what needs a library is left out. */
export function diagnose(project: Project, index: number, evm?: EvmTools): readonly Problem[] {
  const known = diagnosed(project);
  const key = `${index} ${evm !== undefined}`;
  const found = known.get(key) ?? judge(project, index, evm);
  known.set(key, found);
  return found;
}

/** A notebook does not change: an edit makes another one. */
const diagnosed = memo((_: Project) => new Map<string, readonly Problem[]>());

function judge(project: Project, index: number, evm: EvmTools | undefined): readonly Problem[] {
  const one = project.cells[index];
  if (!one) return [];
  const own =
    one.cell.form === "lines"
      ? diagnoseLines(project, index, one.cell, evm)
      : diagnoseLiteral(one.cell, networksOfCell(project, one));
  return [...own, ...tooManyNetworks(project, one)];
}

function tooManyNetworks(project: Project, cell: ProjectCell): Problem[] {
  const { length } = namedNetworks(project, cell);
  if (length <= maxNetworks) return [];
  const message = `A cell asks at most ${maxNetworks} networks, not ${length}`;
  return [problem({ start: 0, end: 0 }, "network", message)];
}
