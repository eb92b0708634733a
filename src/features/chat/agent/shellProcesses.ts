import { allProcesses, isBelow, type ProcessRow } from "../../../platform/processes.ts";
import { markedProcesses } from "../tools/program.ts";

/** The processes of one command in a terminal of the user's shell. */
export interface ShellProcesses {
  /** To be called when the command has begun: the process in the foreground is its root. */
  noteRoot(): void;
  /** True as long as its root lives. False if it had ended before it was noted. */
  hasRoot(): boolean;
  /** Those of the command. On Linux these include those that have left the terminal. */
  alive(): readonly ProcessRow[];
  /** Those of the command in its terminal, without those that the shell has started since its end for its prompt. */
  left(): readonly ProcessRow[];
}

/**
 * To be called before the command begins: what is there without being in the foreground, and what that starts, is not the
 * command's. `mark` is the variable by which all processes of the terminal are found.
 */
export function followProcesses(shell: number, mark: string): ShellProcesses {
  let root: number | undefined;
  const earlier = new Set<number>();
  const found = (): readonly ProcessRow[] => {
    const all = byId();
    const own = all.get(shell);
    const inside = own && hasTerminal(own) ? [...all.values()].filter((row) => isBeside(row, own)) : [];
    const outside = markedProcesses(mark).filter((row) => row.terminal !== own?.terminal);
    const both = [...inside, ...outside].filter(({ id, isZombie }) => id !== shell && !isZombie);
    return both.filter(({ id }) => ![...earlier].some((one) => isBelow(id, one, all)));
  };
  const foreground = () => {
    const own = byId().get(shell);
    return own && own.foreground !== own.group ? own.foreground : undefined;
  };
  const now = foreground();
  for (const { id, group } of found()) if (group !== now) earlier.add(id);
  return {
    noteRoot() {
      root = foreground();
    },
    hasRoot: () => root !== undefined && byId().get(root)?.isZombie === false,
    alive: found,
    left() {
      const all = byId();
      const terminal = all.get(shell)?.terminal;
      const isOfShell = ({ id }: ProcessRow) =>
        isBelow(id, shell, all) && (root === undefined || !isBelow(id, root, all));
      return found().filter((row) => row.terminal === terminal && !isOfShell(row));
    },
  };
}

function byId(): ReadonlyMap<number, ProcessRow> {
  return new Map(allProcesses().map((row) => [row.id, row]));
}

/** Processes without a terminal have the same text, too. */
function hasTerminal({ terminal }: ProcessRow): boolean {
  return !/^[0?-]*$/.test(terminal);
}

function isBeside({ terminal }: ProcessRow, own: ProcessRow): boolean {
  return terminal === own.terminal;
}
