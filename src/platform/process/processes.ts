import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";

/** A process of this machine. */
export interface ProcessRow {
  readonly id: number;
  readonly parent: number;
  /** The id of its process group. */
  readonly group: number;
  /** It has ended, and its parent has not asked how. */
  readonly isZombie: boolean;
}

/** All processes; empty if the system doesn't tell them. Reads /proc on Linux, where `ps` may be missing, else runs `ps`. */
export function allProcesses(platform: NodeJS.Platform = process.platform): readonly ProcessRow[] {
  return platform === "linux" ? rowsOfProc() : platform === "win32" ? [] : rowsOfPs();
}

function rowsOfProc(): readonly ProcessRow[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // The name of the program is in parentheses and may contain any character.
      const after = readFileSync(`/proc/${name}/stat`, "latin1").replace(/^.*\) /s, "");
      const [state, parent, group] = after.split(" ");
      return [toRow([name, parent, group, state])];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

function rowsOfPs(): readonly ProcessRow[] {
  try {
    const columns = ["-A", "-o", "pid=,ppid=,pgid=,stat="];
    const text = execFileSync("ps", columns, { encoding: "utf8", maxBuffer: 16_000_000 });
    const lines = text.split("\n").map((line) => line.trim());
    return lines.filter((line) => line !== "").map((line) => toRow(line.split(/\s+/)));
  } catch {
    return [];
  }
}

function toRow([id, parent, group, state = ""]: readonly (string | undefined)[]): ProcessRow {
  return { id: Number(id), parent: Number(parent), group: Number(group), isZombie: state.startsWith("Z") };
}

/** True if a process is another one or was started by it, or by one that it has started. */
export function isBelow(id: number, ancestor: number, all: ReadonlyMap<number, ProcessRow>): boolean {
  let at: number | undefined = id;
  for (let step = 0; at !== undefined && step <= all.size; step++) {
    if (at === ancestor) return true;
    at = all.get(at)?.parent;
  }
  return false;
}

/** True if a living process of the same user was started with an environment variable. Only Linux tells. */
export function startedWith(id: number, name: string, value: string): boolean {
  if (process.platform !== "linux") return false;
  try {
    if (statSync(`/proc/${id}`).uid !== process.getuid?.()) return false;
    const variables = readFileSync(`/proc/${id}/environ`, "latin1").split("\0");
    return variables.includes(`${name}=${value}`);
  } catch {
    // It has ended meanwhile, or is not to be read.
    return false;
  }
}

/** Signals processes. One that has ended meanwhile is no error. */
export function signalAll(rows: readonly Pick<ProcessRow, "id">[], name: NodeJS.Signals): void {
  for (const { id } of rows)
    try {
      process.kill(id, name);
    } catch {
      // It has ended meanwhile.
    }
}
