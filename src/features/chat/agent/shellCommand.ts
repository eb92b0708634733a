import { realpathSync } from "node:fs";
import * as vscode from "vscode";
import { allProcesses, type ProcessRow, signalAll } from "../../../platform/processes.ts";
import { ToolRefusal } from "../../../session/tools/serviceTool.ts";
import { leftMs, markedProcesses, mostSearches } from "../tools/program.ts";
import { type CommandEnd, createOutput, type TerminalCommand } from "./commandOutput.ts";
import type { TypedCommand } from "./typedCommand.ts";

/** A terminal with a shell whose commands the editor reports. */
export interface ShellTerminal extends vscode.Disposable {
  readonly terminal: vscode.Terminal;
  readonly integration: vscode.TerminalShellIntegration;
  readonly folder: string;
  /** The process of the shell. */
  readonly shell: number;
  readonly mark: string;
  isBusy: boolean;
  /** The user has run a command in it, so it is left to the user. */
  isTaken: boolean;
}

/** Time for a typed command to start. */
const startMs = 5_000;
/** Time for the shell to report the end of a command whose processes were killed. */
const endMs = 2_000;

export function wasClosed(): ToolRefusal {
  return new ToolRefusal("The command was not run, because its terminal was closed.");
}

interface Following extends Omit<TerminalCommand, "release"> {
  /**
   * False if it has not started, and never will: its terminal is closed. Rejects with a ToolRefusal if the user has closed
   * the terminal before.
   */
  readonly isStarted: Promise<boolean>;
}

/**
 * Types a line into a terminal, and follows it to its end. The command waits until the editor follows it, because the
 * editor drops output that comes in one piece with the report of the start.
 */
export function typeCommand(one: ShellTerminal, typed: TypedCommand, cancel: AbortSignal): Following {
  const { terminal, integration } = one;
  const output = createOutput();
  const before = new Set(processesIn(one).map(({ id }) => id));
  const others = () => processesIn(one).filter(({ id }) => !before.has(id));
  const { promise: ended, resolve } = Promise.withResolvers<CommandEnd>();
  const { promise: isStarted, resolve: setStarted, reject: refuse } = Promise.withResolvers<boolean>();
  let started: vscode.TerminalShellExecution | undefined;
  let reading: Promise<void> | undefined;
  let asked: NodeJS.Signals | undefined;
  const lose = (how: string) => {
    signalAll(others(), "SIGKILL");
    one.dispose();
    resolve({ how });
  };
  const waiting = AbortSignal.any([cancel, AbortSignal.timeout(startMs)]);
  const giveUp = () => lose("It was not started.");
  waiting.addEventListener("abort", giveUp, { once: true });
  const listening = vscode.Disposable.from(
    vscode.window.onDidStartTerminalShellExecution((event) => {
      // The shell may report the line in another form, and then it is not the execution that was asked for.
      if (event.terminal !== terminal || started) return;
      started = event.execution;
      if (!isAsked(event, one, typed)) return giveUp();
      reading = readAll(started, output.add);
      typed.open(waiting).then(() => {
        waiting.removeEventListener("abort", giveUp);
        setStarted(true);
      }, giveUp);
    }),
    vscode.window.onDidEndTerminalShellExecution(async (event) => {
      if (event.terminal !== terminal || event.execution !== started) return;
      const { exitCode } = event;
      await reading;
      const hasLeft = await endLeft(one, others, asked === undefined);
      const isEnded = asked !== undefined && exitCode !== 0;
      const code = exitCode === undefined ? "Its exit code is not known." : `Exit code ${exitCode}.`;
      const verdict = isEnded ? `It was ended by ${asked}.` : code;
      resolve({ how: hasLeft ? `${verdict} The processes that it left running were ended.` : verdict });
    }),
    vscode.window.onDidCloseTerminal((closed) => {
      if (closed !== terminal) return;
      signalAll(others(), "SIGKILL");
      refuse(wasClosed());
      resolve({ how: "It was ended: its terminal was closed.", isByUser: true });
    }),
  );
  let killing: NodeJS.Timeout | undefined;
  void ended.then(() => {
    setStarted(false);
    waiting.removeEventListener("abort", giveUp);
    clearTimeout(killing);
    listening.dispose();
  });
  integration.executeCommand(typed.line);
  return {
    output,
    ended,
    isStarted,
    signal(name) {
      asked = name;
      for (let search = 0; search < (name === "SIGKILL" ? mostSearches : 1); search++)
        signalAll(others(), name);
      if (name !== "SIGKILL") return;
      killing = setTimeout(() => lose("It was ended by SIGKILL, with its terminal."), endMs);
    },
  };
}

/** False if the shell has changed its folder or the line, as an extension of it may do that adds quotes. */
function isAsked(
  { execution, shellIntegration: { cwd } }: vscode.TerminalShellExecutionStartEvent,
  { folder }: ShellTerminal,
  { word }: TypedCommand,
): boolean {
  // The editor may report a line without its first or last character, and with other blanks around redirections.
  const plain = (text: string) => text.replace(/\s+/g, "");
  return (
    cwd !== undefined &&
    realpathSync(cwd.fsPath) === realpathSync(folder) &&
    plain(execution.commandLine.value).includes(plain(word))
  );
}

async function readAll(execution: vscode.TerminalShellExecution, add: (text: string) => void): Promise<void> {
  for await (const piece of execution.read()) add(piece);
}

/**
 * Ends what a command has left, some time after its end. True if there was something. A process that has left the
 * terminal may outlive a command that ended by itself.
 */
async function endLeft(
  { shell }: ShellTerminal,
  others: () => readonly ProcessRow[],
  isByItself: boolean,
): Promise<boolean> {
  const left = () => {
    const all = new Map(allProcesses().map((row) => [row.id, row]));
    const terminal = all.get(shell)?.terminal;
    const found = others().filter((row) => !isByItself || row.terminal === terminal);
    // What the shell runs for its prompt is its child.
    return found.filter(({ id }) => !isBelow(id, shell, all));
  };
  if (left().length === 0) return false;
  await new Promise((resolve) => setTimeout(resolve, leftMs));
  const last = left();
  signalAll(last, "SIGKILL");
  return last.length > 0;
}

function isBelow(id: number, ancestor: number, all: ReadonlyMap<number, ProcessRow>): boolean {
  let at: number | undefined = id;
  for (let step = 0; at !== undefined && step < all.size; step++) {
    if (at === ancestor) return true;
    at = all.get(at)?.parent;
  }
  return false;
}

/** The processes of a terminal other than its shell, and on Linux those that have left it. */
function processesIn({ shell, mark }: ShellTerminal): readonly ProcessRow[] {
  const all = allProcesses();
  const terminal = all.find(({ id }) => id === shell)?.terminal ?? "";
  // Processes without a terminal have the same text, too. Another one may get the name of a closed one.
  const isNone = /^[0?-]*$/.test(terminal);
  const inside = isNone ? [] : all.filter((row) => row.terminal === terminal && !row.isZombie);
  const marked = markedProcesses(mark).filter((row) => isNone || row.terminal !== terminal);
  return [...inside, ...marked].filter(({ id }) => id !== shell);
}
