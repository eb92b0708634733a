// What a model does in a task, in no tool's words: a style renders it as the calls that a family of models writes.

interface TextEdit {
  readonly from: string;
  readonly to: string;
}

export type Action =
  | { readonly do: "read"; readonly path: string; readonly first?: number; readonly lines?: number }
  | { readonly do: "search"; readonly text: string }
  | {
      readonly do: "edit";
      readonly path: string;
      readonly edits: readonly TextEdit[];
      readonly isEverywhere?: true;
    }
  | { readonly do: "write"; readonly path: string; readonly text: string }
  | { readonly do: "run"; readonly command: string; readonly isInBackground?: true }
  /** The output of a background command, and its end. */
  | { readonly do: "output"; readonly id: string }
  | { readonly do: "stop"; readonly id: string }
  /** The rest of a result that was cut. */
  | { readonly do: "rest"; readonly handle: string; readonly query: string };

/** One answer of the model. */
interface Round {
  /** What the results of the round before must say: a model that is told something else would do something else. */
  readonly relies?: readonly RegExp[];
  /** What they must not say. */
  readonly refutes?: readonly RegExp[];
  /** Its calls, all in one reply; none ends the task. `results` are those of the round before. */
  readonly acts?: readonly Action[] | ((results: readonly string[]) => readonly Action[]);
}

/** The workspace of a running task. */
interface TaskPlace {
  /** Absolute. */
  readonly folder: string;
  /** The file as it is on the disk. */
  onDisk(path: string): string;
}

export interface AgentTask {
  readonly name: string;
  readonly question: string;
  /** Contents by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Text that the user has typed at the start of these files and has not saved. */
  readonly unsaved?: Readonly<Record<string, string>>;
  readonly rounds: readonly Round[];
  /** The user stops the answer once a command has written this file, and then says `next`. */
  readonly interruption?: { readonly file: string; readonly next: string };
  /** Throws if the workspace is not what the user asked for. */
  check(place: TaskPlace): void;
}

/** The text that a pattern's first group finds in the results. */
export function foundIn(results: readonly string[], pattern: RegExp): string {
  const found = pattern.exec(results.join("\n"))?.[1];
  if (found === undefined)
    throw new Error(`no result has ${pattern}:\n${results.join("\n").slice(0, 2_000)}`);
  return found;
}
