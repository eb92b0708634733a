import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { hidesSomething } from "../../../shared/visibleText.ts";

/** A command for an interactive bash or zsh. It waits at a named pipe until it may start, and then has an empty input. */
export interface TypedCommand {
  /** The line to type. */
  readonly line: string;
  /** The command as a word of the line. */
  readonly word: string;
  /** Lets the command start. Rejects if the signal aborts before the command waits. */
  open(signal: AbortSignal): Promise<void>;
  /** A command that has not started never will. */
  dispose(): Promise<void>;
}

/** A longer line is slow to type into a shell, and hard to read there. */
const longestCommand = 2_000;
/** Time between two looks at whether the command waits, in milliseconds. The system does not tell. */
const lookMs = 5;

/**
 * Undefined if a command can't be typed: it is too long, or has control characters other than tabs and line breaks, or
 * characters that can't be seen; or this machine has no named pipes.
 */
export async function createTypedCommand(command: string): Promise<TypedCommand | undefined> {
  if (command.length > longestCommand || hidesSomething(command)) return undefined;
  // The path needs no quotes.
  const folder = await mkdtemp(join(tmpdir(), "inference-"));
  const input = join(folder, "in");
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    await promisify(execFile)("mkfifo", ["-m", "600", input]);
  } catch {
    await dispose();
    return undefined;
  }
  const word = quoted(command);
  // Aliases, functions and grammar of the interactive shell don't apply, so the command is the one that was approved.
  const line = `/bin/sh -c ${word} <${input}`;
  return { line, word, open: (signal) => openPipe(input, signal), dispose };
}

/** A word. A typed tab would complete, and a typed line break would end the line. */
function quoted(text: string): string {
  const plain = text.replaceAll("'", `'\\''`);
  const inside = plain.replace(/[\t\n]+/g, (blanks) => {
    return `'$'${blanks.replaceAll("\t", "\\t").replaceAll("\n", "\\n")}''`;
  });
  return `'${inside}'`;
}

async function openPipe(path: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    try {
      const input = await open(path, constants.O_WRONLY | constants.O_NONBLOCK);
      return await input.close();
    } catch (error) {
      // No process has opened the other end yet.
      if (!(error instanceof Error && "code" in error && error.code === "ENXIO")) throw error;
    }
    await setTimeout(lookMs, undefined, { signal });
  }
}
