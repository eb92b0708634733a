import * as vscode from "vscode";
import { environment } from "../../../../shared/names/ids.ts";
import { untilAborted } from "../../../../shared/untilAborted.ts";
import { CommandInShell, closedByUser, type ShellTerminal } from "./commandInShell.ts";
import type { TerminalCommand } from "./commandOutput.ts";
import type { Sandboxed } from "./sandbox/commandSandbox.ts";
import { createTypedCommand, type TypedCommand } from "./typedCommand.ts";

/** Terminals of the user's shell, in which the editor reports the output and the end of each command. */
export interface ShellTerminals extends vscode.Disposable {
  /** Opens a terminal out of sight, so that the next command need not wait for its shell. */
  warm(folder: string): void;
  /** Undefined with nothing run if the editor can't follow this command in the user's shell. */
  start(
    command: string,
    folder: string,
    signal: AbortSignal,
    sandboxed?: Sandboxed,
  ): Promise<TerminalCommand | undefined>;
}

/** Time for the shell to start and to report that the editor can follow it, in milliseconds. */
const activationMs = 10_000;
const mostFailures = 2;

export function createShellTerminals(): ShellTerminals {
  const open = new Set<ShellTerminal>();
  const running = new Set<TerminalCommand>();
  /** Consecutive failures to follow a shell, by its path. After `mostFailures`, commands don't wait for it. */
  const failures = new Map<string, number>();
  const free = () => [...open].find((terminal) => !terminal.isBusy && !terminal.isTaken);
  const mayFollow = () =>
    (failures.get(vscode.env.shell) ?? 0) < mostFailures && isKnown(vscode.env.shell) && isFollowed();
  const opener = createOpener(open);
  const noteFailure = (shell: string) =>
    failures.set(shell, failuresAfter(failures.get(shell) ?? 0, undefined));
  const following = followTerminals(open);
  const begin = async (
    one: ShellTerminal,
    typed: TypedCommand,
    signal: AbortSignal,
    sandboxed: Sandboxed | undefined,
  ) => {
    one.isBusy = true;
    one.terminal.show(true);
    const command = new CommandInShell(one, typed, signal, sandboxed?.hasMonitor);
    const begun: TerminalCommand = {
      output: command.output,
      ended: command.ended,
      signal: (name) => command.signal(name),
      release() {
        one.isBusy = false;
        const isExtra = [...open].some((other) => other !== one && !other.isBusy && !other.isTaken);
        if (isExtra && !one.isTaken) one.dispose();
      },
    };
    running.add(begun);
    void begun.ended.then(() => running.delete(begun));
    return (await command.isBegun) ? begun : undefined;
  };
  /** Undefined if the command can't be typed. `isTaken`: the user has taken its terminal. */
  const tryToBegin = async (command: string, folder: string, signal: AbortSignal, sandboxed?: Sandboxed) => {
    const typed = await createTypedCommand(command, folder, sandboxed?.words);
    if (!typed) return undefined;
    let begun: TerminalCommand | undefined;
    try {
      signal.throwIfAborted();
      const terminal = free() ?? (await opener.open(folder, signal));
      begun = terminal && (await begin(terminal, typed, signal, sandboxed));
      return { begun, isTaken: terminal?.isTaken === true };
    } finally {
      const disposed = typed.dispose().catch(() => {});
      // A stop after it has begun must find it begun: nothing is waited for until its caller has it.
      if (!begun) await disposed;
    }
  };
  return {
    warm(folder) {
      // One whose command has ended is free when the next begins.
      const isThere = [...open].some(({ isRunning, isTaken }) => !isRunning && !isTaken);
      if (isThere || !mayFollow()) return;
      opener.warm(folder, noteFailure);
    },
    async start(command, folder, signal, sandboxed) {
      if (!mayFollow()) return undefined;
      const shell = vscode.env.shell;
      const failed = failures.get(shell) ?? 0;
      // The user may run a command in the first terminal before this one starts there.
      for (const isLast of [false, true]) {
        const tried = await tryToBegin(command, folder, signal, sandboxed);
        if (!tried) return undefined;
        if (!tried.begun && tried.isTaken && !isLast) continue;
        failures.set(shell, failuresAfter(failed, tried.begun));
        return tried.begun;
      }
      return undefined;
    },
    dispose() {
      opener.dispose();
      following.dispose();
      for (const command of running) command.signal("SIGKILL");
      for (const one of open) if (!one.isTaken) one.dispose();
    },
  };
}

/** Notes those that close, and those in which the user runs a command. */
function followTerminals(open: ReadonlySet<ShellTerminal>): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.window.onDidCloseTerminal((terminal) => {
      for (const one of open) if (one.terminal === terminal) one.dispose();
    }),
    vscode.window.onDidStartTerminalShellExecution(({ terminal }) => {
      for (const one of open) if (one.terminal === terminal && !one.isRunning) one.isTaken = true;
    }),
  );
}

function failuresAfter(failed: number, begun: TerminalCommand | undefined): number {
  return begun ? 0 : failed + 1;
}

function isKnown(shell: string): boolean {
  return /(?:^|\/)(?:bash|zsh)$/.test(shell);
}

/** Settings of a terminal that choose its shell, or the programs that the names in a command stand for. */
const shellSettings = ["defaultProfile", "profiles", "env"].flatMap((name) => [
  `${name}.linux`,
  `${name}.osx`,
]);

/** False also if the workspace sets the shell or its environment: it must not choose what an allowed command runs. */
function isFollowed(): boolean {
  const settings = vscode.workspace.getConfiguration("terminal.integrated");
  const isOwn = shellSettings.every((name) => {
    const { workspaceValue, workspaceFolderValue } = settings.inspect(name) ?? {};
    return workspaceValue === undefined && workspaceFolderValue === undefined;
  });
  return isOwn && settings.get<boolean>("shellIntegration.enabled", false);
}

/** Opens terminals, one of them before a command needs it. */
function createOpener(open: Set<ShellTerminal>) {
  const life = new AbortController();
  let opening: Promise<ShellTerminal | undefined> | undefined;
  return {
    /** Out of sight. `onFailure`: the editor can't follow its shell, and no command has waited for it. */
    warm(folder: string, onFailure: (shell: string) => void): void {
      if (opening) return;
      const { shell } = vscode.env;
      const begun = openTerminal({ folder, open, signal: life.signal, isHidden: true }).catch(
        () => undefined,
      );
      opening = begun;
      void begun.then((opened) => {
        // A command has taken it.
        if (opening !== begun) return;
        opening = undefined;
        if (opened) opened.isBusy = false;
        else onFailure(shell);
      });
    },
    /** The one that opens, if there is one, else a new one. Rejects if the signal is aborted. */
    open(folder: string, signal: AbortSignal): Promise<ShellTerminal | undefined> {
      const begun = opening;
      opening = undefined;
      const free = (late: ShellTerminal | undefined) => {
        if (late) late.isBusy = false;
      };
      return begun ? untilAborted(begun, signal, free) : openTerminal({ folder, open, signal });
    },
    dispose: () => life.abort(),
  };
}

/** Adds it to those that are open. Undefined, without a terminal, if the editor can't follow its shell. */
async function openTerminal({
  folder,
  open,
  signal,
  isHidden = false,
}: {
  readonly folder: string;
  readonly open: Set<ShellTerminal>;
  readonly signal: AbortSignal;
  /** Until it is shown. */
  readonly isHidden?: boolean;
}): Promise<ShellTerminal | undefined> {
  const terminal = vscode.window.createTerminal({
    name: "Inference Agent",
    iconPath: new vscode.ThemeIcon("robot"),
    isTransient: true,
    cwd: folder,
    env: { [environment.key]: null },
    hideFromUser: isHidden,
  });
  if (!isHidden) terminal.show(true);
  const integration = await activated(terminal, signal);
  if (signal.aborted || !integration) {
    terminal.dispose();
    signal.throwIfAborted();
    return undefined;
  }
  const opened: ShellTerminal = {
    terminal,
    integration,
    isBusy: true,
    isRunning: false,
    isTaken: false,
    dispose() {
      open.delete(opened);
      terminal.dispose();
    },
  };
  open.add(opened);
  return opened;
}

/** Undefined if it is cancelled or takes too long. Rejects with a Refusal if the user closes it. */
async function activated(
  terminal: vscode.Terminal,
  signal: AbortSignal,
): Promise<vscode.TerminalShellIntegration | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<vscode.TerminalShellIntegration | undefined>();
  const giveUp = () => resolve(undefined);
  const timer = setTimeout(giveUp, activationMs);
  signal.addEventListener("abort", giveUp, { once: true });
  const listening = vscode.Disposable.from(
    vscode.window.onDidChangeTerminalShellIntegration((event) => {
      if (event.terminal === terminal) resolve(event.shellIntegration);
    }),
    vscode.window.onDidCloseTerminal((closed) => {
      if (closed !== terminal) return;
      const refusal = closedByUser(closed);
      if (refusal) reject(refusal);
      else giveUp();
    }),
  );
  if (terminal.shellIntegration) resolve(terminal.shellIntegration);
  if (signal.aborted) giveUp();
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
    listening.dispose();
  });
}
