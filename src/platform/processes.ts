import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";

/** A process of this machine. */
export interface ProcessRow {
  readonly id: number;
  readonly parent: number;
  /** The id of its process group. */
  readonly group: number;
  /** Processes of one terminal have the same text. */
  readonly terminal: string;
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
      const [state, parent, group, , terminal = ""] = after.split(" ");
      const row = { id: Number(name), parent: Number(parent), group: Number(group) };
      return [{ ...row, terminal, isZombie: state === "Z" }];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

function rowsOfPs(): readonly ProcessRow[] {
  try {
    const columns = ["-A", "-o", "pid=,ppid=,pgid=,tty=,stat="];
    const text = execFileSync("ps", columns, { encoding: "utf8", maxBuffer: 16_000_000 });
    return text.split("\n").flatMap((line) => {
      const [id, parent, group, terminal = "", state = ""] = line.trim().split(/\s+/);
      const row = { id: Number(id), parent: Number(parent), group: Number(group) };
      return id ? [{ ...row, terminal, isZombie: state.startsWith("Z") }] : [];
    });
  } catch {
    return [];
  }
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
