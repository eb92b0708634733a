import * as vscode from "vscode";
import { visibleText } from "../../../../shared/text/html/visibleText.ts";
import type { TerminalCommand } from "./commandOutput.ts";
import { endGently, startPlainCommand } from "./plainCommand.ts";
import type { Sandboxed } from "./sandbox/commandSandbox.ts";
import { createShellTerminals } from "./shellTerminals.ts";

export interface CommandTerminals extends vscode.Disposable {
  /** Prepares what the next command would wait for, out of sight. */
  warm(folder: string): void;
  /**
   * Starts a command in a folder: in the user's shell if the editor can follow it there, else without a shell of the user,
   * in a terminal that shows its output. Rejects if the signal aborts before it runs. The sandbox is released at its end.
   */
  start(
    command: string,
    folder: string,
    signal: AbortSignal,
    sandboxed?: Sandboxed,
  ): Promise<TerminalCommand>;
}

export function createCommandTerminals(): CommandTerminals {
  const life = new AbortController();
  const shells = createShellTerminals();
  const plain = new Map<TerminalCommand, vscode.Disposable>();
  const begin = async (command: string, folder: string, cancel: AbortSignal, sandboxed?: Sandboxed) => {
    const signal = AbortSignal.any([cancel, life.signal]);
    signal.throwIfAborted();
    const inShell = await shells.start(command, folder, signal, sandboxed);
    if (inShell) return inShell;
    signal.throwIfAborted();
    const { terminal, ...rest } = startPlain(command, folder, sandboxed);
    const begun: TerminalCommand = {
      ...rest,
      release() {
        terminal.dispose();
        plain.delete(begun);
      },
    };
    plain.set(begun, terminal);
    return begun;
  };
  return {
    warm: shells.warm,
    async start(command, folder, signal, sandboxed) {
      try {
        const begun = await begin(command, folder, signal, sandboxed);
        void begun.ended.then(() => sandboxed?.release());
        return begun;
      } catch (error) {
        sandboxed?.release();
        throw error;
      }
    },
    dispose() {
      life.abort();
      shells.dispose();
      for (const [command, terminal] of plain) {
        command.signal("SIGKILL");
        terminal.dispose();
      }
    },
  };
}

function startPlain(command: string, folder: string, sandboxed: Sandboxed | undefined) {
  const { output, ended, signal } = startPlainCommand(command, folder, sandboxed);
  let isByUser = false;
  const running = { output, signal, ended: ended.then((how) => ({ how, isByUser })) };
  const close = () => {
    isByUser = true;
    endGently(running);
  };
  return { ...running, terminal: showTerminal(command, running, close) };
}

/** The user sees the command and its output; closing the terminal ends the command. */
function showTerminal(
  command: string,
  { output, ended }: Pick<TerminalCommand, "output" | "ended">,
  close: () => void,
): vscode.Disposable {
  const written = new vscode.EventEmitter<string>();
  const write = (text: string) => written.fire(text.replace(/\r?\n/g, "\r\n"));
  const terminal = vscode.window.createTerminal({
    name: "Inference Agent",
    iconPath: new vscode.ThemeIcon("robot"),
    isTransient: true,
    pty: {
      onDidWrite: written.event,
      open() {
        // The terminal would obey escape sequences of the model, which can hide the command.
        write(`$ ${visibleText(command)}\n${output.text()}`);
        output.onText = write;
        void ended.then(({ how }) => write(`\n${how}\n`));
      },
      close,
    },
  });
  terminal.show(true);
  return vscode.Disposable.from(written, terminal);
}
