import type { InlayHint } from "../language/outline.ts";
import { networksOfCell, type Project } from "../language/project.ts";
import { creditsOn, lineCredits } from "./estimate.ts";
import { planCell } from "./planCell.ts";

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
