import type { InlayHint } from "../language/assist/outline.ts";
import { refusalOf } from "../language/check/diagnose/diagnose.ts";
import { memo } from "../language/memo.ts";
import type { Project } from "../language/project.ts";
import { type Estimate, estimateCell, lineHints, sumEstimates } from "../run/plan/estimate.ts";
import { type CreditPrice, priceRange } from "../run/plan/money.ts";
import { planCell } from "../run/plan/plan.ts";

/** The price of all cells that can be run; undefined if none can. */
const sumOf = memo((project: Project): Estimate | undefined => {
  const running = [...project.cells.keys()].filter((index) => canRun(project, index));
  if (running.length === 0 && project.cells.length > 0) return undefined;
  return sumEstimates(running.map((index) => estimateCell(planCell(project, index))));
});

/** What running all cells once costs, for the status bar of the window: a short text, and a sentence. */
export function notebookSum(
  project: Project,
  price: Pick<CreditPrice, "now" | "unit">,
): { readonly runAll: string; readonly cost: string } {
  const sum = sumOf(project);
  if (!sum) return { runAll: "Run all: no cell can be run", cost: "Each cell has an error in its text." };
  const { credits, mayBeReplayed } = sum;
  if (credits === 0) return { runAll: "Run all: free", cost: "All cells once: free." };
  const usd = priceRange(credits, price.now(), price.unit);
  const replay = mayBeReplayed ? "\nResponses that are replayed for an @idempotency key are free." : "";
  return {
    runAll: `Run all: ${credits} credits`,
    cost: `All cells once: ${credits} credits, ${usd}.${replay}`,
  };
}

/** The price after each line of a cell. A cell that can't be run has none. */
export function priceHints(project: Project, index: number): readonly InlayHint[] {
  return canRun(project, index) ? lineHints(planCell(project, index)) : [];
}

function canRun(project: Project, index: number): boolean {
  return refusalOf(project, index, undefined) === undefined;
}
