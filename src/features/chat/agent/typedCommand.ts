import { execFile } from "node:child_process";
import { closeSync, constants } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { openPrivateNow, writePrivately } from "../../../platform/privateFiles.ts";
import { environment } from "../../../shared/ids.ts";

/** A command for an interactive bash or zsh. It waits at a named pipe until it may begin, and then has an empty input. */
export interface TypedCommand {
  /** The line to type: a script, and the command as a word. */
  readonly line: string;
  readonly script: string;
  readonly word: string;
  /** Lets the command begin. Rejects if the signal aborts before the command waits. */
  open(signal: AbortSignal): Promise<void>;
  /** A command that has not begun never will. */
  dispose(): Promise<void>;
}

/** A longer line is slow to type, and zsh needs more than a millisecond to report each character of it. */
const longestLine = 1_000;
/** Time between two looks at whether the command waits, in milliseconds. The system does not tell. */
const lookMs = 5;

/**
 * Undefined if a command can't be typed: its line is too long, or has characters other than printable ones of ASCII, tabs
 * and line breaks; or this machine has no named pipes.
 */
export async function createTypedCommand(command: string): Promise<TypedCommand | undefined> {
  const word = quoted(command);
  if (word.length > longestLine || !/^[\t\n -~]*$/.test(command)) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "inference-"));
  const [script, input] = [join(folder, "run"), join(folder, "in")];
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    await promisify(execFile)("mkfifo", ["-m", "600", input]);
    await writePrivately(script, scriptText(input));
  } catch {
    await dispose();
    return undefined;
  }
  return {
    line: `/bin/sh ${/^[\w./-]+$/.test(script) ? script : quoted(script)} ${word}`,
    ...{ script, word, dispose },
    open: (signal) => openPipe(input, signal),
  };
}

/**
 * Runs its argument by /bin/sh, so that aliases, functions and grammar of the interactive shell don't apply, and the command
 * is the one that was approved. The start files of that shell may have set the key. A pager would wait for a key press.
 */
function scriptText(input: string): string {
  return `exec <${quoted(input)} || exit\nunset ${environment.key}\nexport PAGER=cat GIT_PAGER=cat\nexec /bin/sh -c "$1"\n`;
}

/** A word. A typed tab would complete, and a typed line break would end the line. */
function quoted(text: string): string {
  const plain = text.replaceAll("'", `'\\''`);
  const inside = plain.replace(/[\t\n]+/g, (blanks) => {
    return `'$'${blanks.replaceAll("\t", "\\t").replaceAll("\n", "\\n")}''`;
  });
  return `'${inside}'`;
}

/** Its result is there in the same turn in which the command begins, so that no later event comes before it. */
async function openPipe(path: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return closeSync(openPrivateNow(path, constants.O_WRONLY | constants.O_NONBLOCK));
    } catch (error) {
      // No process has opened the other end yet.
      if (!(error instanceof Error && "code" in error && error.code === "ENXIO")) throw error;
    }
    await setTimeout(lookMs, undefined, { signal });
  }
}
