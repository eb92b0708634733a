import type { NotebookCell, NotebookDocument } from "vscode";
import type { Json, RpcChange, RpcOutcome, RpcOutput } from "../../../shared/rpcOutput.ts";
import type { CellFacts } from "../language/cellFacts.ts";
import { changesBetween } from "./changesBetween.ts";
import type { HistoryFiles } from "./historyFile.ts";
import type { LineOutcome } from "./outcome.ts";
import type { CellRun } from "./runCell.ts";
import { lineKey } from "./toOutput.ts";

/** One run that is over. Its results are whole while the window is open, and as its output had them after that. */
export interface PastRun {
  readonly output: RpcOutput;
  /** By the key of the line. */
  readonly outcomes: ReadonlyMap<string, LineOutcome>;
}

/** A run with what stands around it. */
export interface FoundRun {
  readonly run: PastRun;
  readonly previous: PastRun | undefined;
  /** Whether it is a run of this cell. */
  readonly isOf: (cell: NotebookCell) => boolean;
}

/** The last runs of each cell; never in the notebook's own file. */
export interface History {
  /** Brings back what was kept of a notebook; once for each, whoever asks. */
  load(notebook: NotebookDocument): Promise<void>;
  add(cell: NotebookCell, output: RpcOutput, run: CellRun): void;
  /** Newest last. */
  of(cell: NotebookCell): readonly PastRun[];
  /** A notebook that is no file is gone when it is closed, and another one may get its name. */
  forget(notebook: NotebookDocument): void;
  /** A run by the id in its output. */
  find(runId: string): FoundRun | undefined;
  /** How a line differs from an older run; undefined where one of them has no result, or no longer has it whole. */
  changes(before: PastRun, run: CellRun, key: string): readonly RpcChange[] | undefined;
}

const keptRuns = 20;
type Runs = Map<string, readonly PastRun[]>;

export function createHistory(files: HistoryFiles): History {
  const byNotebook = new Map<string, Runs>();
  const loading = new Map<string, Promise<void>>();
  const runsOf = (notebook: string) => {
    const runs: Runs = byNotebook.get(notebook) ?? new Map();
    byNotebook.set(notebook, runs);
    return runs;
  };
  const read = async (notebook: string) => {
    const kept = await files.read(notebook);
    const runs = runsOf(notebook);
    for (const [name, outputs] of Object.entries(kept)) {
      const old = outputs.map((output) => ({ output, outcomes: outcomesIn(output) }));
      runs.set(name, [...old, ...(runs.get(name) ?? [])].slice(-keptRuns));
    }
  };
  const load = ({ uri, isUntitled }: NotebookDocument) => {
    const name = uri.toString();
    const loaded = loading.get(name) ?? (isUntitled ? Promise.resolve() : read(name));
    loading.set(name, loaded);
    return loaded;
  };
  const of = (cell: NotebookCell) => byNotebook.get(cell.notebook.uri.toString())?.get(nameOf(cell)) ?? [];
  return {
    load,
    add(cell, output, run) {
      const notebook = cell.notebook.uri.toString();
      runsOf(notebook).set(
        nameOf(cell),
        [...of(cell), { output, outcomes: outcomesOf(run) }].slice(-keptRuns),
      );
      if (cell.notebook.isUntitled) return;
      // What was kept is not written over before it is read.
      void load(cell.notebook).then(() => {
        const kept = [...runsOf(notebook)].map(([name, list]) => [name, list.map((past) => past.output)]);
        files.write(notebook, Object.fromEntries(kept));
      });
    },
    of,
    forget({ uri }) {
      byNotebook.delete(uri.toString());
      loading.delete(uri.toString());
    },
    find(runId) {
      for (const [notebook, runs] of byNotebook) {
        for (const [name, list] of runs) {
          const at = list.findIndex(({ output }) => output.runId === runId);
          const run = list[at];
          const isOf = (cell: NotebookCell) =>
            cell.notebook.uri.toString() === notebook && nameOf(cell) === name;
          if (run) return { run, previous: list[at - 1], isOf };
        }
      }
      return undefined;
    },
    changes(before, run, key) {
      const old = before.outcomes.get(key);
      const now = outcomesOf(run).get(key);
      if (old?.kind !== "result" || now?.kind !== "result") return undefined;
      if (old.cut) return undefined;
      return changesBetween(old.value as Json, now.value as Json);
    },
  };
}

/** The editor makes new cells of a file that was changed elsewhere: what a cell is called, or asks, outlives them. */
function nameOf({ document, metadata }: NotebookCell): string {
  const { name, networks = [] } = readFacts(metadata);
  return name ? `name ${name}` : `text ${networks.join(",")} ${document.getText()}`;
}

function readFacts({ facts }: { readonly [key: string]: unknown }): CellFacts {
  return typeof facts === "object" && facts !== null ? (facts as CellFacts) : {};
}

function outcomesOf({ rounds }: CellRun): Map<string, LineOutcome> {
  return new Map(
    rounds.flatMap(({ network, lines }) =>
      lines.map(({ outcome }, at) => [lineKey(network, at), outcome] as const),
    ),
  );
}

function outcomesIn({ lines }: RpcOutput): Map<string, LineOutcome> {
  return new Map(lines.map(({ key, outcome }) => [key, asAnswered(outcome)]));
}

/** Without what was added for its view. */
function asAnswered(outcome: RpcOutcome): LineOutcome {
  if (outcome.kind === "result") {
    const { kind, value, cut } = outcome;
    return { kind, value, ...(cut ? { cut } : {}) };
  }
  if (outcome.kind !== "error") return outcome;
  const { revert: _, ...failure } = outcome;
  return failure;
}
