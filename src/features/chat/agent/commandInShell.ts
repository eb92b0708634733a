import { realpathSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import * as vscode from "vscode";
import { signalAll } from "../../../platform/processes.ts";
import { ToolRefusal } from "../../../session/tools/serviceTool.ts";
import { leftMs, mostSearches } from "../tools/program.ts";
import { type CommandEnd, createOutput, type TerminalCommand } from "./commandOutput.ts";
import { followProcesses, type ShellProcesses } from "./shellProcesses.ts";
import type { TypedCommand } from "./typedCommand.ts";

/** A terminal with a shell whose commands the editor reports. */
export interface ShellTerminal extends vscode.Disposable {
  readonly terminal: vscode.Terminal;
  readonly integration: vscode.TerminalShellIntegration;
  readonly folder: string;
  /** The process of the shell. */
  readonly shell: number;
  readonly mark: string;
  /** A command has it, which may have ended. */
  isBusy: boolean;
  /** A command runs in it. */
  isRunning: boolean;
  /** The user has run a command in it, so it is left to the user. */
  isTaken: boolean;
}

/** Time for a typed command to start, in milliseconds. */
const startMs = 10_000;
/** Time for the shell to report the end of a command whose processes were killed. */
const endMs = 2_000;

/** Undefined if a terminal was not closed by the user. */
export function closedByUser({ exitStatus }: vscode.Terminal): ToolRefusal | undefined {
  return exitStatus?.reason === vscode.TerminalExitReason.User
    ? new ToolRefusal("The command was not run, because its terminal was closed.")
    : undefined;
}

/**
 * A command that is typed into a terminal, and followed to its end. It waits until the editor follows it, because the
 * editor drops output that comes in one piece with the report of the start.
 */
export class CommandInShell implements Omit<TerminalCommand, "release"> {
  readonly output = createOutput();
  readonly ended: Promise<CommandEnd>;
  /** False if it has not begun, and never will. Rejects with a ToolRefusal if the user has closed the terminal. */
  readonly isBegun: Promise<boolean>;
  readonly #one: ShellTerminal;
  readonly #typed: TypedCommand;
  readonly #end = Promise.withResolvers<CommandEnd>();
  readonly #begun = Promise.withResolvers<boolean>();
  readonly #subscriptions: vscode.Disposable;
  /** Ends the wait for the start. */
  readonly #waiting: AbortSignal;
  #execution: vscode.TerminalShellExecution | undefined;
  #processes: ShellProcesses | undefined;
  #reading: Promise<void> | undefined;
  #asked: NodeJS.Signals | undefined;
  #killing: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(one: ShellTerminal, typed: TypedCommand, cancel: AbortSignal) {
    this.#one = one;
    this.#typed = typed;
    this.ended = this.#end.promise;
    this.isBegun = this.#begun.promise;
    this.#subscriptions = vscode.Disposable.from(
      vscode.window.onDidStartTerminalShellExecution((event) => this.#start(event)),
      vscode.window.onDidEndTerminalShellExecution((event) => void this.#finish(event)),
      vscode.window.onDidCloseTerminal((closed) => this.#close(closed)),
    );
    this.#waiting = AbortSignal.any([cancel, AbortSignal.timeout(startMs)]);
    this.#waiting.addEventListener("abort", this.#giveUp, { once: true });
    one.isRunning = true;
    if (this.#waiting.aborted) this.#giveUp();
    else one.integration.executeCommand(typed.line);
  }

  signal(name: NodeJS.Signals): void {
    if (this.#isOver) return;
    this.#asked = name;
    for (let search = 0; search < (name === "SIGKILL" ? mostSearches : 1); search++)
      signalAll(this.#processes?.alive() ?? [], name);
    if (name === "SIGKILL")
      this.#killing ??= setTimeout(() => this.#abandon("It was ended by SIGKILL, with its terminal."), endMs);
  }

  #start(event: vscode.TerminalShellExecutionStartEvent): void {
    if (event.terminal !== this.#one.terminal || this.#execution || this.#isOver) return;
    if (!isOfLine(event, this.#typed)) {
      // The user was faster. The line is typed behind it, and then its script is gone.
      this.#one.isTaken = true;
      this.#settle({ how: "It was not started." });
      return;
    }
    this.#execution = event.execution;
    if (!isAsked(event, this.#one, this.#typed)) {
      this.#giveUp();
      return;
    }
    const processes = followProcesses(this.#one.shell, this.#one.mark);
    this.#processes = processes;
    this.#reading = readAll(event.execution, this.output.add);
    this.#typed.open(this.#waiting).then(() => {
      this.#waiting.removeEventListener("abort", this.#giveUp);
      this.#begun.resolve(true);
      processes.noteRoot();
    }, this.#giveUp);
  }

  async #finish({ terminal, execution, exitCode }: vscode.TerminalShellExecutionEndEvent): Promise<void> {
    if (terminal !== this.#one.terminal || execution !== this.#execution) return;
    await this.#reading;
    const isEarly = this.#processes?.hasRoot() === true && (await this.#outlives(leftMs));
    const hasLeft = !isEarly && (await this.#endLeft());
    if (isEarly) signalAll(this.#processes?.alive() ?? [], "SIGKILL");
    const code = exitCode === undefined ? "Its exit code is not known." : `Exit code ${exitCode}.`;
    const how = this.#asked !== undefined && exitCode !== 0 ? `It was ended by ${this.#asked}.` : code;
    const left = hasLeft ? `${how} The processes that it left running were ended.` : how;
    const early = "It was ended, because its shell reported its end, or stopped it, while it was running.";
    this.#settle({ how: isEarly ? early : left });
  }

  #close(closed: vscode.Terminal): void {
    if (closed !== this.#one.terminal) return;
    signalAll(this.#processes?.alive() ?? [], "SIGKILL");
    const refusal = closedByUser(closed);
    if (refusal) this.#begun.reject(refusal);
    const how = "It was ended: its terminal was closed.";
    this.#settle(refusal ? { how, isByUser: true } : { how });
  }

  readonly #giveUp = () => this.#abandon("It was not started.");

  #abandon(how: string): void {
    if (this.#isOver) return;
    signalAll(this.#processes?.alive() ?? [], "SIGKILL");
    this.#one.dispose();
    this.#settle({ how });
  }

  #settle(end: CommandEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#one.isRunning = false;
    this.#waiting.removeEventListener("abort", this.#giveUp);
    clearTimeout(this.#killing);
    this.#subscriptions.dispose();
    this.#begun.resolve(false);
    this.#end.resolve(end);
  }

  /** True if the root of the command still lives after some time, although the shell has reported its end. */
  async #outlives(ms: number): Promise<boolean> {
    await pause(ms);
    return this.#processes?.hasRoot() === true;
  }

  /** Ends what the command has left, after some time. True if there was something. One that was asked to end leaves nothing. */
  async #endLeft(): Promise<boolean> {
    const left = () => (this.#asked ? this.#processes?.alive() : this.#processes?.left()) ?? [];
    if (left().length === 0) return false;
    await pause(leftMs);
    const last = left();
    signalAll(last, "SIGKILL");
    return last.length > 0;
  }
}

/** The editor may report a line without its first or last character. */
function isOfLine({ execution }: vscode.TerminalShellExecutionStartEvent, { script }: TypedCommand): boolean {
  return execution.commandLine.value.includes(script);
}

/** False if the shell has changed its folder or the command, as an extension of it may do that adds quotes. */
function isAsked(
  { execution, shellIntegration: { cwd } }: vscode.TerminalShellExecutionStartEvent,
  { folder }: ShellTerminal,
  { word }: TypedCommand,
): boolean {
  return (
    cwd !== undefined &&
    isSameFolder(cwd.fsPath, folder) &&
    plain(execution.commandLine.value).includes(plain(word))
  );
}

/** Without blanks and quotes: bash may report escaped blanks as they are. */
function plain(line: string): string {
  return line.replace(/\$'(?:\\[nt])+'/g, "").replace(/[\s'\\]+/g, "");
}

function isSameFolder(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false; // deleted meanwhile
  }
}

async function readAll(execution: vscode.TerminalShellExecution, add: (text: string) => void): Promise<void> {
  for await (const piece of execution.read()) add(piece);
}
