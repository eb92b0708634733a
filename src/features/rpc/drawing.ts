import type { NotebookCellExecution } from "vscode";
import type { Session } from "../../session/session.ts";
import type { RpcOutput } from "../../shared/rpcOutput.ts";
import { toCellOutput } from "./cellOutput.ts";
import type { EvmLoader } from "./evmLoader.ts";
import type { History } from "./run/history.ts";
import { needsEvm } from "./run/outcome.ts";
import { hintsOf, toOutput } from "./run/output.ts";
import type { CellRun } from "./run/runCell.ts";

export interface DrawingDeps {
  readonly session: Session;
  readonly evm: EvmLoader;
  readonly history: History;
}

/** The output of a cell while it runs. */
export interface Drawing {
  progress(run: CellRun): void;
  /** Resolves once the last state is handed to the editor. */
  finish(run: CellRun): Promise<RpcOutput>;
}

/** An output is replaced at most so often while a run goes on: each time costs the editor 23 ms. */
const drawMs = 200;

export function createDrawing(
  { session, evm, history }: DrawingDeps,
  execution: NotebookCellExecution,
  runId: string,
): Drawing {
  const { active } = session;
  let drawnAtMs = 0;
  let drawing: Promise<unknown> = Promise.resolve();
  const draw = (run: CellRun): RpcOutput => {
    const before = history.of(execution.cell).at(-1);
    const output = toOutput(run, {
      runId,
      evm: evm.loaded,
      service: active?.name ?? "The service",
      isSandbox: active?.kind === "sandbox",
      changedIn: (key) => before && history.changes(before, run, key),
      shownBefore: (key) => before?.output.lines.find((line) => line.key === key)?.outcome,
    });
    drawing = drawing.then(() => execution.replaceOutput(toCellOutput(output)));
    return output;
  };
  return {
    progress(run) {
      if (run.endedAtMs !== undefined || Date.now() - drawnAtMs < drawMs) return;
      drawnAtMs = Date.now();
      draw(run);
    },
    async finish(run) {
      if (wantsEvm(run)) await evm.load();
      const output = draw(run);
      await drawing;
      return output;
    },
  };
}

function wantsEvm(run: CellRun): boolean {
  return run.rounds.some(({ lines }) =>
    lines.some((state, at) => needsEvm(state.outcome, hintsOf(run, at, state))),
  );
}
