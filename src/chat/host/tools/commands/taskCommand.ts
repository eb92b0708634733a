import { isAbsolute, join } from "node:path";
import * as vscode from "vscode";
import { isMembers, membersOf } from "../../../../shared/members.ts";
import { fileName } from "../../../../shared/text/fileName.ts";
import { shellQuoted } from "../../../../shared/text/shellQuoted.ts";

/** What a task does, as far as the editor tells. */
export interface TaskFacts {
  /** `build (npm)`, with the folder if the workspace has several. */
  readonly label: string;
  /** Its command line as it is defined; undefined if only its extension knows. */
  readonly line: string | undefined;
  /** How to run it as a command, so that its output can be read; undefined if only the editor can run it. */
  readonly command: TaskCommand | undefined;
}

interface TaskCommand {
  /** For /bin/sh. */
  readonly line: string;
  /** An absolute path. */
  readonly folder: string | undefined;
}

/** Variables that the editor replaces when it runs a task. */
const variable =
  /\$\{(?:(?:env|config|command|input|workspaceFolder|extensionInstallFolder):|(?:workspace|file|relative|line|column|selected|exec|default|user|path)\w*\}|cwd\}|\/\})/;

/** The facts of a task. */
export function factsOf(task: vscode.Task): TaskFacts {
  const folder = folderOf(task);
  const { execution } = task;
  const isSeveral = (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
  const place = isSeveral && folder ? `, ${folder.name}` : "";
  const label = `${task.name} (${task.source}${place})`;
  const root = folder?.uri.scheme === "file" ? folder.uri.fsPath : undefined;
  const resolved = (text: string) => (root === undefined ? text : withFolder(text, root));
  const line = execution && lineOf(execution, resolved);
  const isPlain =
    line !== undefined && process.platform !== "win32" && root !== undefined && !dependsOn(task);
  return { label, line, command: isPlain ? commandOf(execution, line, root, resolved) : undefined };
}

function folderOf({ scope }: vscode.Task): vscode.WorkspaceFolder | undefined {
  return typeof scope === "object" ? scope : vscode.workspace.workspaceFolders?.[0];
}

function withFolder(text: string, root: string): string {
  return text
    .replace(/\$\{workspace(?:Folder|Root)\}/g, () => root)
    .replace(/\$\{workspaceFolderBasename\}/g, () => fileName(root));
}

type Execution = NonNullable<vscode.Task["execution"]>;

/** Undefined for a task that an extension runs itself. */
function lineOf(execution: Execution, resolved: (text: string) => string): string | undefined {
  if ("process" in execution)
    return [execution.process, ...execution.args].map((word) => quotedWord(resolved(word))).join(" ");
  if (!("commandLine" in execution) && !("command" in execution)) return undefined;
  const { commandLine, command, args } = execution as vscode.ShellExecution;
  if (commandLine) return resolved(commandLine);
  if (!command) return undefined;
  return [command, ...(args ?? [])].map((word) => shellWord(word, resolved)).join(" ");
}

/** A word of a shell task. The editor quotes one with blanks; what else is in it has its meaning for the shell. */
function shellWord(word: string | vscode.ShellQuotedString, resolved: (text: string) => string): string {
  if (typeof word !== "string") return quotedWord(resolved(word.value));
  const text = resolved(word);
  return /\s/.test(text) && !/^(["']).*\1$/s.test(text) ? shellQuoted(text) : text;
}

function quotedWord(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : shellQuoted(word);
}

/** Undefined if the editor does more for the task than to run this line. */
function commandOf(
  execution: Execution | undefined,
  line: string,
  root: string,
  resolved: (text: string) => string,
): TaskCommand | undefined {
  const { cwd, env, executable, shellArgs } = membersOf(membersOf(execution).options);
  if (executable !== undefined || shellArgs !== undefined) return undefined;
  const folder = typeof cwd === "string" && cwd !== "" ? resolved(cwd) : root;
  const variables = Object.entries(membersOf(env)).map(
    ([name, value]) => [name, resolved(String(value))] as const,
  );
  const texts = [line, folder, ...variables.map(([, value]) => value)];
  const isNamed = variables.every(([name]) => /^[A-Za-z_]\w*$/.test(name));
  if (!isNamed || texts.some((text) => variable.test(text))) return undefined;
  const set = variables.map(([name, value]) => `${name}=${shellQuoted(value)} `).join("");
  const isShell = execution !== undefined && !("process" in execution);
  return {
    line: `${set}${isShell ? inShell(line) : line}`,
    folder: isAbsolute(folder) ? folder : join(root, folder),
  };
}

/** A task is written for the user's shell. */
function inShell(line: string): string {
  const shell = /(?:^|\/)(?:bash|zsh|dash|ksh|sh)$/.test(vscode.env.shell) ? vscode.env.shell : "/bin/sh";
  return `${quotedWord(shell)} -c ${shellQuoted(line)}`;
}

/** True if the settings say that other tasks run before this one. The editor's API does not tell. */
function dependsOn(task: vscode.Task): boolean {
  const scope = typeof task.scope === "object" ? task.scope.uri : undefined;
  const found = vscode.workspace.getConfiguration("tasks", scope).inspect<unknown>("tasks");
  const lists = [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue];
  const all = lists.flatMap((list) => (Array.isArray(list) ? list : [])).filter(isMembers);
  return all.some(
    ({ label, taskName, script, task: name, dependsOn: others }) =>
      others !== undefined && [label, taskName, script, name].includes(task.name),
  );
}
