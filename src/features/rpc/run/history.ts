import type { NotebookCell, NotebookDocument } from "vscode";
import type { Json, RpcChange, RpcOutput } from "../../../shared/rpcOutput.ts";
import { changesBetween } from "./changesBetween.ts";
import type { HistoryFiles } from "./historyFile.ts";
import type { LineOutcome } from "./outcome.ts";
import type { CellRun } from "./runCell.ts";
import { lineKey } from "./toOutput.ts";

/** One run that is over. Its results are whole while the window is open, and as its output had them after that. */
export interface PastRun {
  readonly cell: NotebookCell;
  readonly output: RpcOutput;
  /** By the key of the line. */
  readonly outcomes: ReadonlyMap<string, LineOutcome>;
}

/** The last runs of each cell; never in the notebook's own file. */
export interface History {
  /** Brings back what was kept of a notebook. */
  load(notebook: NotebookDocument): Promise<void>;
  add(cell: NotebookCell, output: RpcOutput, run: CellRun): void;
  /** The newest run of a cell. */
  before(cell: NotebookCell): PastRun | undefined;
  /** Newest last. */
  of(cell: NotebookCell): readonly PastRun[];
  /** A run by the id in its output, with the one before it. */
  find(runId: string): { readonly run: PastRun; readonly previous: PastRun | undefined } | undefined;
  /** How a line differs from an older run; undefined where one of them has no result, or no longer has it whole. */
  changes(before: PastRun, run: CellRun, key: string): readonly RpcChange[] | undefined;
}

const keptRuns = 20;

export function createHistory(files: HistoryFiles): History {
  const byNotebook = new Map<string, Map<string, PastRun[]>>();
  const runsOf = (notebook: NotebookDocument) => {
    const name = notebook.uri.toString();
    const runs = byNotebook.get(name) ?? new Map<string, PastRun[]>();
    byNotebook.set(name, runs);
    return runs;
  };
  const of = (cell: NotebookCell) => runsOf(cell.notebook).get(nameOf(cell)) ?? [];
  return {
    async load(notebook) {
      if (notebook.isUntitled) return;
      const kept = await files.read(notebook.uri.toString());
      const runs = runsOf(notebook);
      for (const cell of notebook.getCells()) {
        const name = nameOf(cell);
        const old = kept[name]?.map((output) => ({ cell, output, outcomes: outcomesIn(output) })) ?? [];
        if (old.length > 0 && !runs.has(name)) runs.set(name, old);
      }
    },
    add(cell, output, run) {
      const runs = runsOf(cell.notebook);
      runs.set(nameOf(cell), [...of(cell), { cell, output, outcomes: outcomesOf(run) }].slice(-keptRuns));
      if (cell.notebook.isUntitled) return;
      const kept = [...runs].map(([name, list]) => [name, list.map((past) => past.output)]);
      files.write(cell.notebook.uri.toString(), Object.fromEntries(kept));
    },
    before: (cell) => of(cell).at(-1),
    of,
    find(runId) {
      for (const list of [...byNotebook.values()].flatMap((runs) => [...runs.values()])) {
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
      if ("cut" in old && old.cut) return undefined;
      return changesBetween(old.value as Json, now.value as Json);
    },
  };
}

/** The editor makes new cells of a file that was changed elsewhere: what a cell is called, or asks, outlives them. */
function nameOf({ document, metadata }: NotebookCell): string {
  const facts = metadata.facts as { readonly name?: string } | undefined;
  return facts?.name ? `name ${facts.name}` : `text ${document.getText()}`;
}

function outcomesOf({ rounds }: CellRun): Map<string, LineOutcome> {
  return new Map(
    rounds.flatMap(({ network, lines }) =>
      lines.map(({ outcome }, at) => [lineKey(network, at), outcome] as const),
    ),
  );
}

function outcomesIn({ lines }: RpcOutput): Map<string, LineOutcome> {
  return new Map(lines.map(({ key, outcome }) => [key, outcome]));
}
