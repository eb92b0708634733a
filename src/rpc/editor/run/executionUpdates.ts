import type { NotebookCellExecution, NotebookCellOutput } from "vscode";

/** An execution as this class uses it. */
type Execution = Pick<
  NotebookCellExecution,
  "executionOrder" | "start" | "end" | "replaceOutput" | "clearOutput"
>;

/** A cell that runs, as the editor is told. */
interface RunningCell {
  /** Its newest output while it runs, made when the editor takes it. */
  progress(make: () => NotebookCellOutput): void;
  /** Ends it. Without an output it has none. */
  end(success: boolean, output: NotebookCellOutput | undefined, atMs?: number): void;
}

interface Update {
  readonly execution: Execution;
  readonly start: { readonly order?: number; readonly atMs?: number };
  isStarted: boolean;
  make?: (() => NotebookCellOutput) | undefined;
  end?: {
    readonly success: boolean;
    readonly output: NotebookCellOutput | undefined;
    readonly atMs?: number;
  };
}

/** Milliseconds until the editor is told of a start or an end, and of an output in between. */
const groupMs = 60;
const progressMs = 200;
/** Outputs that the editor has not taken yet: it takes 2 ms for each, and draws nothing meanwhile. */
const mostPending = 50;
/** Cells that have ended before the editor was told. */
const mostAhead = 200;

/**
 * Tells the editor of the starts, outputs and ends of a run's cells in groups. Each one that is awaited alone takes
 * 20 ms, most of which the editor waits; a local node answers in less than one. A cell that has ended meanwhile is
 * started, shown and ended at once.
 */
export class ExecutionUpdates {
  readonly #changed = new Set<Update>();
  readonly #pending = new Set<Promise<void>>();
  readonly #report: (error: unknown) => void;
  #timer: { readonly dueMs: number; readonly handle: NodeJS.Timeout } | undefined;

  /** `report` gets the errors of outputs that can't be made, or that the editor refuses. */
  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  begin(execution: Execution, start: Update["start"]): RunningCell {
    const update: Update = { execution, start, isStarted: false };
    this.#change(update, groupMs);
    return {
      progress: (make) => {
        update.make = make;
        this.#change(update, progressMs);
      },
      end: (success, output, atMs) => {
        update.end = { success, output, ...(atMs === undefined ? {} : { atMs }) };
        this.#change(update, groupMs);
      },
    };
  }

  /** Waits while the run is too far ahead of the editor. */
  async room(): Promise<void> {
    while (this.#changed.size >= mostAhead) await this.#hand();
  }

  /** Resolves when the editor has taken all updates. */
  async settled(): Promise<void> {
    while (this.#changed.size + this.#pending.size > 0) await this.#hand();
  }

  #change(update: Update, waitMs: number): void {
    this.#changed.add(update);
    this.#handIn(waitMs);
  }

  #handIn(waitMs: number): void {
    const dueMs = performance.now() + waitMs;
    if (this.#timer && this.#timer.dueMs <= dueMs) return;
    clearTimeout(this.#timer?.handle);
    this.#timer = { dueMs, handle: setTimeout(() => void this.#hand(), waitMs) };
  }

  /** Hands over what the editor has room for. Resolves when it has taken a part of it. Never rejects. */
  async #hand(): Promise<void> {
    clearTimeout(this.#timer?.handle);
    this.#timer = undefined;
    for (const update of this.#changed) {
      if (this.#pending.size >= mostPending) break;
      this.#changed.delete(update);
      const taken: Promise<void> = this.#apply(update)
        .catch(this.#report)
        .then(() => {
          this.#pending.delete(taken);
          if (this.#changed.size > 0 && this.#pending.size <= mostPending / 2) this.#handIn(0);
        });
      this.#pending.add(taken);
    }
    if (this.#pending.size > 0) await Promise.race(this.#pending);
  }

  /** Resolves when the editor has taken it. */
  async #apply(update: Update): Promise<void> {
    const { execution, start, isStarted, make, end } = update;
    if (!isStarted) {
      update.isStarted = true;
      if (start.order !== undefined) execution.executionOrder = start.order;
      execution.start(start.atMs);
    }
    update.make = undefined;
    if (end) {
      const taken = end.output ? execution.replaceOutput(end.output) : execution.clearOutput();
      execution.end(end.success, end.atMs);
      await taken;
    } else if (make) await execution.replaceOutput(make());
  }
}
