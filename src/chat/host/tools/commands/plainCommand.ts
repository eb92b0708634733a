import { constants } from "node:os";
import { type ProgramEnd, startProgram } from "../../../../platform/process/program.ts";
import { type CommandOutput, createOutput } from "./commandOutput.ts";
import type { Sandboxed } from "./sandbox/commandSandbox.ts";

/** A command without a terminal. */
export interface PlainCommand {
  readonly output: CommandOutput;
  /** A sentence such as "Exit code 0." Never rejects, and always resolves after a kill. */
  readonly ended: Promise<string>;
  /** Signals it with all that it has started. */
  signal(name: NodeJS.Signals): void;
}

/** Starts a command line without input. The sandbox is not released. */
export function startPlainCommand(
  command: string,
  folder: string,
  sandboxed: Sandboxed | undefined,
  env: NodeJS.ProcessEnv = process.env,
): PlainCommand {
  const line = sandboxed ? ([...sandboxed.words, "/bin/sh", "-c", command] as const) : command;
  const hasMonitor = sandboxed?.hasMonitor === true;
  const program = startProgram(line, { folder, env }, "ignore", { hasMonitor });
  let asked: NodeJS.Signals | undefined;
  const output = createOutput();
  program.child.stdout?.on("data", output.adder());
  program.child.stderr?.on("data", output.adder());
  const ended = program.ended.then(
    (end) => verdictOf(withSignal(end, asked, hasMonitor)),
    (error: Error) => `It could not be started: ${error.message}.`,
  );
  const signal = (name: NodeJS.Signals) => {
    asked = name;
    program.signal(name);
  };
  return { output, ended, signal };
}

/** The sandbox reports a command that a signal has ended by an exit code. */
function withSignal(end: ProgramEnd, asked: NodeJS.Signals | undefined, hasMonitor: boolean): ProgramEnd {
  const isBySignal = hasMonitor && asked !== undefined && end.code === 128 + constants.signals[asked];
  return isBySignal ? { ...end, code: null, signal: asked } : end;
}

function verdictOf({ code, signal, hasLeftOthers }: ProgramEnd): string {
  const verdict = code === null ? `It was ended by ${signal}.` : `Exit code ${code}.`;
  return hasLeftOthers ? `${verdict} The processes that it left running were ended.` : verdict;
}

/** Time between the request to end and the kill. */
const graceMs = 2_000;

/** Asks a command to end, and kills it if it does not. */
export function endGently({
  ended,
  signal,
}: {
  readonly ended: Promise<unknown>;
  signal(name: NodeJS.Signals): void;
}): void {
  signal("SIGTERM");
  const timer = setTimeout(() => signal("SIGKILL"), graceMs);
  void ended.then(() => clearTimeout(timer));
}
