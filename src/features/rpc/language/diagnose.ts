import { diagnoseLines } from "./diagnoseLines.ts";
import { diagnoseLiteral } from "./diagnoseLiteral.ts";
import type { EvmTools } from "./lift.ts";
import type { Problem } from "./problems.ts";
import { networksOfCell, type Project } from "./project.ts";

/** All that can be said against a cell before it is sent. Without `evm` what needs a library is left out. */
export function diagnose(project: Project, index: number, evm?: EvmTools): Problem[] {
  const one = project.cells[index];
  if (!one) return [];
  if (one.cell.form === "lines") return diagnoseLines(project, index, one.cell, evm);
  return diagnoseLiteral(one.cell, networksOfCell(project, one));
}
