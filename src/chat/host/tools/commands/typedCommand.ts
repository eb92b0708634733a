import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, constants, readFileSync, writeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { openPrivateNow, writePrivately } from "../../../../platform/files/privateFiles.ts";
import { markName } from "../../../../platform/process/program.ts";
import { environment } from "../../../../shared/names/ids.ts";
import { shellQuoted } from "../../../../shared/text/shellQuoted.ts";

/** A command for an interactive bash or zsh. It waits at a named pipe until it may begin, and then has an empty input. */
export interface TypedCommand {
  /** The line to type: /bin/sh, a script, and the command as a word. */
  readonly line: string;
  /** The path of the script. */
  readonly script: string;
  /**
   * Whether a line that the editor reports as started is this one. False also for one with what the user has typed before
   * it. The editor may report a line without its first or last character.
   */
  isAloneIn(reported: string): boolean;
  /** The value of `markName` in the environment of the command and of what it starts. */
  readonly mark: string;
  /** Lets the command begin; resolves to its process id. Rejects if the signal aborts before the command waits. */
  open(signal: AbortSignal): Promise<number>;
  /** A command that has not begun never will. */
  dispose(): Promise<void>;
}

/** A longer line is slow to type, and zsh needs more than a millisecond to report each character of it. */
const longestLine = 1_000;
/** Time between two looks at whether the command waits, in milliseconds. The system does not tell. */
const lookMs = 5;

/**
 * Undefined if a command can't be typed: its line is too long, or has characters other than printable ones of ASCII, tabs
 * and line breaks; or this machine has no named pipes. `cwd` is the folder in which it runs, `before` are the words that run
 * it in a sandbox. They are in the script, so that the line stays short.
 */
export async function createTypedCommand(
  command: string,
  cwd: string,
  before: readonly string[] = [],
): Promise<TypedCommand | undefined> {
  const word = quoted(command);
  if (word.length > longestLine || !/^[\t\n -~]*$/.test(command)) return undefined;
  const folder = await mkdtemp(resolve(tmpdir(), "inference-")).catch(() => undefined);
  if (folder === undefined) return undefined;
  const paths: Paths = { script: join(folder, "run"), input: join(folder, "in"), id: join(folder, "id") };
  const mark = randomUUID();
  const dispose = () => removePipe(folder, paths.input);
  try {
    await promisify(execFile)("mkfifo", ["-m", "600", paths.input]);
    await writePrivately(paths.script, scriptText({ command, cwd, before, mark }, paths));
  } catch {
    await dispose();
    return undefined;
  }
  const { script } = paths;
  const line = `/bin/sh ${/^[\w./-]+$/.test(script) ? script : quoted(script)} ${word}`;
  return {
    ...{ line, script, mark, dispose },
    isAloneIn(reported) {
      const start = reported.indexOf(script);
      return start >= 0 && line.slice(0, line.indexOf(script)).endsWith(reported.slice(0, start).trimStart());
    },
    open: (signal) => openPipe(paths, signal),
  };
}

interface Script {
  readonly command: string;
  readonly cwd: string;
  readonly before: readonly string[];
  readonly mark: string;
}

interface Paths {
  readonly script: string;
  /** The named pipe. */
  readonly input: string;
  /** The process id of the command. */
  readonly id: string;
}

/**
 * Runs its argument by /bin/sh if that is the command, so that neither the grammar of the interactive shell nor an extension
 * of it that types quotes changes what was approved. The start files of that shell may have set the key or another folder.
 * A pager would wait for a key press.
 */
function scriptText({ command, cwd, before, mark }: Script, { input, id }: Paths): string {
  return [
    `[ "$#" = 1 ] && [ "$1" = ${shellQuoted(command)} ] && cd ${shellQuoted(cwd)} || exit`,
    `echo $$ >${shellQuoted(id)} && exec <${shellQuoted(input)} && read -r _ || exit`,
    `unset ${environment.key}`,
    `export ${markName}=${mark} PAGER=cat GIT_PAGER=cat`,
    `exec ${[...before, "/bin/sh"].map(shellQuoted).join(" ")} -c "$1"\n`,
  ].join("\n");
}

/** A word. A typed tab would complete, and a typed line break would end the line. */
function quoted(text: string): string {
  const plain = text.replaceAll("'", `'\\''`);
  const inside = plain.replace(/[\t\n]+/g, (blanks) => {
    return `'$'${blanks.replaceAll("\t", "\\t").replaceAll("\n", "\\n")}''`;
  });
  return `'${inside}'`;
}

/** Removes a folder with its pipe. A command that waits there, or comes to it meanwhile, finds the end of its input and exits. */
async function removePipe(folder: string, input: string): Promise<void> {
  let pipe: number | undefined;
  try {
    // Open at both ends, so that no process waits for the other one.
    pipe = openPrivateNow(input, constants.O_RDWR | constants.O_NONBLOCK);
  } catch {
    // There is no pipe.
  }
  try {
    // The script may write into it meanwhile.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: lookMs });
  } finally {
    if (pipe !== undefined) closeSync(pipe);
  }
}

/** Its result is there in the same turn in which the command begins, so that no later event comes before it. */
async function openPipe({ input, id }: Paths, signal: AbortSignal): Promise<number> {
  for (;;) {
    signal.throwIfAborted();
    const pipe = openIfWaiting(input);
    if (pipe !== undefined) {
      try {
        const root = Number(readFileSync(id, "utf8"));
        writeSync(pipe, "\n");
        return root;
      } finally {
        closeSync(pipe);
      }
    }
    await setTimeout(lookMs, undefined, { signal });
  }
}

/** Undefined if no process has opened the other end. */
function openIfWaiting(path: string): number | undefined {
  try {
    return openPrivateNow(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENXIO") return undefined;
    throw error;
  }
}
