import { setTimeout as pause } from "node:timers/promises";
import * as vscode from "vscode";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { allProcesses, isBelow, type ProcessRow, signalAll } from "../../../../platform/process/processes.ts";
import { leftMs, markedProcesses, mostSearches } from "../../../../platform/process/program.ts";
import { type CommandEnd, createOutput, type TerminalCommand } from "./commandOutput.ts";
import type { TypedCommand } from "./typedCommand.ts";

/** A terminal with a shell whose commands the editor reports. */
export interface ShellTerminal extends vscode.Disposable {
  readonly terminal: vscode.Terminal;
  readonly integration: vscode.TerminalShellIntegration;
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
export function closedByUser({ exitStatus }: vscode.Terminal): Refusal | undefined {
  return exitStatus?.reason === vscode.TerminalExitReason.User
    ? new Refusal("The command was not run, because its terminal was closed.")
    : undefined;
}

/**
 * A command that is typed into a terminal, and followed to its end. It waits until the editor follows it, because the
 * editor drops output that comes in one piece with the report of the start.
 */
export class CommandInShell implements Omit<TerminalCommand, "release"> {
  readonly output = createOutput();
  readonly ended: Promise<CommandEnd>;
  /** False if it has not begun, and never will. Rejects with a Refusal if the user has closed the terminal. */
  readonly isBegun: Promise<boolean>;
  readonly #one: ShellTerminal;
  readonly #typed: TypedCommand;
  readonly #hasMonitor: boolean;
  readonly #end = Promise.withResolvers<CommandEnd>();
  readonly #begun = Promise.withResolvers<boolean>();
  readonly #subscriptions: vscode.Disposable;
  /** Ends the wait for the start. */
  readonly #waiting: AbortSignal;
  #execution: vscode.TerminalShellExecution | undefined;
  /** The process id of the command; undefined before it begins. */
  #root: number | undefined;
  #reading: Promise<void> | undefined;
  #asked: NodeJS.Signals | undefined;
  #killing: NodeJS.Timeout | undefined;
  #isOver = false;

  /** `hasMonitor`: the first process is that of the sandbox. */
  constructor(one: ShellTerminal, typed: TypedCommand, cancel: AbortSignal, hasMonitor = false) {
    this.#one = one;
    this.#hasMonitor = hasMonitor;
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
    this.#signalAll(name);
    if (name === "SIGKILL")
      this.#killing ??= setTimeout(() => this.#abandon("It was ended by SIGKILL, with its terminal."), endMs);
  }

  #start({ terminal, execution }: vscode.TerminalShellExecutionStartEvent): void {
    if (terminal !== this.#one.terminal || execution === this.#execution) return;
    const { value } = execution.commandLine;
    if (this.#execution || !this.#typed.isAloneIn(value)) {
      // A key that clears the line is reported as an empty one.
      if (value.trim() === "") return;
      this.#one.isTaken = true;
      if (!this.#execution) this.#giveUp();
      return;
    }
    this.#execution = execution;
    this.#reading = readAll(execution, this.output.add);
    this.#typed.open(this.#waiting).then((root) => {
      this.#waiting.removeEventListener("abort", this.#giveUp);
      this.#root = root;
      this.#begun.resolve(true);
    }, this.#giveUp);
  }

  async #finish({ terminal, execution, exitCode }: vscode.TerminalShellExecutionEndEvent): Promise<void> {
    if (terminal !== this.#one.terminal || execution !== this.#execution) return;
    // The shell reports the end of a process that it has waited for.
    const isEarly = this.#alive().some(({ id }) => id === this.#root);
    await this.#reading;
    const hasLeft = await this.#endLeft(isEarly || this.#asked !== undefined);
    const code = exitCode === undefined ? "Its exit code is not known." : `Exit code ${exitCode}.`;
    const how = this.#asked !== undefined && exitCode !== 0 ? `It was ended by ${this.#asked}.` : code;
    const left = hasLeft ? `${how} The processes that it left running were ended.` : how;
    const early =
      "It was stopped, or wrote what the editor takes for its end. So it was ended; its exit code and what it wrote afterwards are not known.";
    this.#settle({ how: isEarly ? early : left });
  }

  #close(closed: vscode.Terminal): void {
    if (closed !== this.#one.terminal) return;
    this.#signalAll("SIGKILL");
    const refusal = closedByUser(closed);
    if (refusal) this.#begun.reject(refusal);
    const how = "It was ended: its terminal was closed.";
    this.#settle(refusal ? { how, isByUser: true } : { how });
  }

  readonly #giveUp = () => this.#abandon("It was not started.");

  #abandon(how: string): void {
    if (this.#isOver) return;
    this.#signalAll("SIGKILL");
    if (!this.#one.isTaken) this.#one.dispose();
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

  /** Ends what is left, after some time. True if there was something. Daemons may outlive a command that ended by itself. */
  async #endLeft(isAll: boolean): Promise<boolean> {
    const left = () => this.#alive().filter(({ group }) => isAll || group === this.#root);
    if (left().length === 0) return false;
    await pause(leftMs);
    const last = left();
    signalAll(last, "SIGKILL");
    return last.length > 0;
  }

  #signalAll(name: NodeJS.Signals): void {
    // Processes can start others while they are found.
    for (let search = 0; search < (name === "SIGKILL" ? mostSearches : 1); search++)
      signalAll(this.#alive().filter(this.#mayGet(name)), name);
  }

  /** The end of the sandbox's first process kills all others, so it is not asked to end: they would have no time. */
  #mayGet(name: NodeJS.Signals): (row: ProcessRow) => boolean {
    return ({ id }) => name === "SIGKILL" || !this.#hasMonitor || id !== this.#root;
  }

  /** The processes of the command: those in its group, those below it, and on Linux those that have left both. */
  #alive(): readonly ProcessRow[] {
    const root = this.#root;
    if (root === undefined) return [];
    const all = new Map(allProcesses().map((row) => [row.id, row]));
    const near = [...all.values()].filter(({ id, group }) => group === root || isBelow(id, root, all));
    const away = markedProcesses(this.#typed.mark).filter(({ id }) => !near.some((row) => row.id === id));
    return [...near, ...away].filter(({ isZombie }) => !isZombie);
  }
}

async function readAll(execution: vscode.TerminalShellExecution, add: (text: string) => void): Promise<void> {
  for await (const piece of execution.read()) add(piece);
}
