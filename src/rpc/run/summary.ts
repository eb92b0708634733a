/** How the run of a cell ended. */
export interface CellEnd {
  readonly state: "passed" | "failed" | "stopped";
  /** Why it failed. */
  readonly reason?: string;
  /** False if the following cells must not run. */
  readonly continues: boolean;
}

/** One cell of a run, in the editor. */
interface Step {
  /** True if the user has stopped it, or all. */
  readonly isStopped: boolean;
  run(): Promise<CellEnd>;
  /** Ends it without a run. */
  end(): void;
}

/** The cells of a run by how they ended. */
export interface RunTally<Cell> {
  readonly failed: readonly { readonly cell: Cell; readonly reason: string }[];
  readonly stopped: number;
  readonly left: number;
  /** The failed cell that ended the run. */
  readonly endedBy: Cell | undefined;
}

/** Runs cells in order until one ends the run; the others are skipped. `stepOf` is undefined for one that was stopped. */
export async function runInOrder<Cell>(
  cells: readonly Cell[],
  stepOf: (cell: Cell) => Step | undefined,
): Promise<RunTally<Cell>> {
  const failed: { readonly cell: Cell; readonly reason: string }[] = [];
  let [continues, stopped, left] = [true, 0, 0];
  let endedBy: Cell | undefined;
  for (const cell of cells) {
    const step = stepOf(cell);
    if (!step || !continues || step.isStopped) {
      if (step && endedBy !== undefined && !step.isStopped) left++;
      else stopped++;
      step?.end();
      continue;
    }
    const { state, reason = "", ...end } = await step.run();
    continues = end.continues;
    if (state === "stopped") stopped++;
    if (state === "failed") {
      failed.push({ cell, reason });
      if (!continues) endedBy = cell;
    }
  }
  return { failed, stopped, left, endedBy };
}

/** A run of several cells, after its end. */
export interface RunSummary {
  readonly failed: number;
  /** Cells that the user stopped, or that were waiting then. */
  readonly stopped: number;
  /** Cells that did not run because of the cell that ended the run. */
  readonly left: number;
  /** All cells of the run, those included that it added for their results. */
  readonly total: number;
  /** One-based place of the cell that ended the run, and its first line. */
  readonly endedBy?: { readonly place: number; readonly line: string };
}

const longestLine = 48;

/** What a notification says about a run; undefined if no cell failed. */
export function summaryText({ failed, stopped, left, total, endedBy }: RunSummary): string | undefined {
  if (failed === 0) return undefined;
  const named = endedBy?.line ? ` (${endedBy.line.slice(0, longestLine)})` : "";
  const passed = total - failed - stopped - left;
  const others = [
    `${passed} passed`,
    ...(left > 0 ? [`${left} ${left === 1 ? "was" : "were"} not run`] : []),
  ];
  return [
    ...(endedBy && left > 0 ? [`The run stopped at cell ${endedBy.place}${named}.`] : []),
    `${failed} of ${total} cells failed, ${others.join(", ")}.`,
    ...(stopped > 0 ? [`${stopped} ${stopped === 1 ? "was" : "were"} stopped.`] : []),
  ].join(" ");
}
