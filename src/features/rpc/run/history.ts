import type { NotebookCell } from "vscode";
import type { Json, RpcOutput } from "../../../shared/rpcOutput.ts";
import { changedPaths } from "./changedPaths.ts";
import type { LineOutcome } from "./outcome.ts";
import type { CellRun } from "./runCell.ts";
import { lineKey } from "./toOutput.ts";

/** One run that is over, with its results whole. */
export interface PastRun {
  /** Where it was run. */
  readonly cell: NotebookCell;
  readonly output: RpcOutput;
  /** By the key of the line. */
  readonly outcomes: ReadonlyMap<string, LineOutcome>;
}

/** The last runs of each cell, while the window is open; never in the file. */
export interface History {
  add(cell: NotebookCell, output: RpcOutput, run: CellRun): void;
  /** The newest run of a cell. */
  before(cell: NotebookCell): PastRun | undefined;
  /** Newest last. */
  of(cell: NotebookCell): readonly PastRun[];
  /** A run by the id in its output, with the one before it. */
  find(runId: string): { readonly run: PastRun; readonly previous: PastRun | undefined } | undefined;
  changes(before: PastRun, run: CellRun, key: string): readonly string[] | undefined;
}

const keptRuns = 20;

export function createHistory(): History {
  // The editor makes new cells of a file that was changed elsewhere: what a cell is called outlives them.
  const runs = new Map<string, PastRun[]>();
  const keyOf = ({ notebook, document, metadata }: NotebookCell) => {
    const facts = metadata.facts as { readonly name?: string } | undefined;
    return JSON.stringify([notebook.uri.toString(), facts?.name ?? document.getText()]);
  };
  return {
    add(cell, output, run) {
      const key = keyOf(cell);
      const known = runs.get(key) ?? [];
      runs.set(key, [...known, { cell, output, outcomes: outcomesOf(run) }].slice(-keptRuns));
    },
    before: (cell) => runs.get(keyOf(cell))?.at(-1),
    of: (cell) => runs.get(keyOf(cell)) ?? [],
    find(runId) {
      for (const list of runs.values()) {
        const at = list.findIndex(({ output }) => output.runId === runId);
        const run = list[at];
        if (run) return { run, previous: list[at - 1] };
      }
      return undefined;
    },
    changes(before, run, key) {
      const old = before.outcomes.get(key);
      const now = outcomesOf(run).get(key);
      if (old?.kind !== "result" || now?.kind !== "result") return undefined;
      return changedPaths(old.value as Json, now.value as Json);
    },
  };
}

function outcomesOf({ rounds }: CellRun): Map<string, LineOutcome> {
  return new Map(
    rounds.flatMap(({ network, lines }) =>
      lines.map(({ outcome }, at) => [lineKey(network, at), outcome] as const),
    ),
  );
}
