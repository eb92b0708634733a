import * as vscode from "vscode";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { readUserSetting } from "../../../platform/settings.ts";
import { settings } from "../../../shared/names/ids.ts";
import { looksSecret } from "../../../shared/secretFiles.ts";
import { checkedUri } from "../../../tools/files/editorFiles.ts";
import { inputText, type ToolInput, toolSchema } from "../../../tools/serviceTool.ts";
import type { CallContext, ChatTool } from "../tools/tool.ts";
import { builtIn } from "../tools/tool.ts";
import { commandScopes, isAllowedCommand } from "./commands/commandLine.ts";
import type { CommandRuns } from "./commands/commandRuns.ts";
import { askService, reportOf } from "./languageServices.ts";

/** Seconds. */
const defaultTimeout = 120;
const longestTimeout = 600;
/** Lines of a result. */
const mostLines = 100;
const lineLength = 300;

/** Tools that run commands, and those that ask the language services of the editor. */
export function createActingTools(runs: CommandRuns): readonly ChatTool[] {
  return [...commandTools(runs), ...languageTools()];
}

/** True if the user's settings allow the command of a call. A workspace can't set them. */
export function isAllowedCall({ name }: ChatTool, input: ToolInput): boolean {
  if (name !== "run_command") return false;
  const patterns = readUserSetting(settings.chatAllowedCommands);
  const texts = Array.isArray(patterns) ? patterns.filter((one) => typeof one === "string") : [];
  return process.platform !== "win32" && isAllowedCommand(inputText(input, "command"), texts);
}

const id = { type: "string", minLength: 1, maxLength: 40, description: "Id of the background command." };

function commandTools(runs: CommandRuns): readonly ChatTool[] {
  return [
    {
      ...builtIn("run_command", "Run a command", "command"),
      description: `Runs a command line in the workspace folder with ${process.platform === "win32" ? "cmd.exe" : "/bin/sh"} in a terminal, and returns its output and exit code. It has no input. Times out after ${defaultTimeout} s unless timeout_seconds says otherwise. Set background for a server or a watcher.`,
      parameters: toolSchema(
        {
          command: { type: "string", minLength: 1, maxLength: 10_000 },
          background: {
            type: "boolean",
            description: "Returns at once; read the output with read_command_output.",
          },
          timeout_seconds: { type: "integer", minimum: 1, maximum: longestTimeout },
        },
        ["background", "timeout_seconds"],
      ),
      timeoutMs: (longestTimeout + 10) * 1000,
      scopes: scopesOfCommand,
      summary: (input) =>
        `Run ${isInBackground(input) ? "in the background: " : ""}${inputText(input, "command")}`,
      run(input, signal, { began }) {
        const command = inputText(input, "command");
        if (isInBackground(input)) return runs.start(command, signal, began);
        const seconds = typeof input.timeout_seconds === "number" ? input.timeout_seconds : defaultTimeout;
        return runs.run(command, seconds * 1000, signal, began);
      },
    },
    {
      ...builtIn("read_command_output", "Read the output of a command", "read"),
      description: "Returns the output of a background command, and whether it runs.",
      parameters: toolSchema({ id }),
      summary: (input) => `Read the output of ${inputText(input, "id")}`,
      run: async (input) => runs.read(inputText(input, "id")),
    },
    {
      ...builtIn("stop_command", "Stop a command", "read"),
      description: "Stops a background command that run_command has started.",
      parameters: toolSchema({ id }),
      summary: (input) => `Stop ${inputText(input, "id")}`,
      run: async (input) => runs.stop(inputText(input, "id")),
    },
    {
      ...builtIn("run_task", "Run a task", "command"),
      description:
        "Runs a task of the workspace, such as a build or a test, and returns its exit code and the problems after it. One in the background is stopped with stop_command.",
      parameters: toolSchema({ name: { type: "string", minLength: 1 } }),
      timeoutMs: longestTimeout * 1000,
      // The definition of a task may change, so it always asks.
      scopes: () => [],
      summary: (input) => `Run the task ${inputText(input, "name")}`,
      run: (input, signal, { began }) => runTask(inputText(input, "name"), runs, signal, began),
    },
  ];
}

function isInBackground({ background }: ToolInput): boolean {
  return background === true;
}

/** A command in the background has no timeout and outlives its task, so it needs an approval of its own. */
function scopesOfCommand(input: ToolInput): readonly string[] {
  // Words of another shell than a POSIX one can't be judged.
  if (process.platform === "win32") return [];
  // No key of a command ends so, because parentheses stand only in quotes.
  const suffix = isInBackground(input) ? " (in the background)" : "";
  return commandScopes(inputText(input, "command")).map((scope) => `${scope}${suffix}`);
}

async function runTask(
  name: string,
  runs: CommandRuns,
  signal: AbortSignal,
  began: CallContext["began"],
): Promise<string> {
  if (!vscode.workspace.isTrusted)
    throw new Refusal("The task was not run, because this workspace is not trusted.");
  const all = await vscode.tasks.fetchTasks();
  const task = all.find((one) => one.name === name);
  if (!task) {
    const names = all.slice(0, mostLines).map((one) => one.name);
    throw new Refusal(`There is no task ${name}. The workspace has: ${names.join(", ") || "none"}.`);
  }
  signal.throwIfAborted();
  began(() => ({ output: undefined }));
  if (task.isBackground) return runs.startTask(task);
  const code = await new Promise<number | undefined>((resolve, reject) => {
    let running: vscode.TaskExecution | undefined;
    // A short task may end before its start is reported.
    const isOurs = ({ execution }: { readonly execution: vscode.TaskExecution }) =>
      execution === running || execution.task === task;
    const listening = vscode.Disposable.from(
      vscode.tasks.onDidEndTaskProcess((event) => {
        if (isOurs(event)) finish(() => resolve(event.exitCode));
      }),
      vscode.tasks.onDidEndTask((event) => {
        if (isOurs(event)) finish(() => resolve(undefined));
      }),
    );
    const finish = (settle: () => void) => {
      listening.dispose();
      signal.removeEventListener("abort", abort);
      settle();
    };
    const abort = () => {
      running?.terminate();
      finish(() => reject(signal.reason));
    };
    signal.addEventListener("abort", abort, { once: true });
    vscode.tasks.executeTask(task).then(
      (execution) => {
        running = execution;
        if (signal.aborted) abort();
      },
      (error: unknown) => finish(() => reject(error)),
    );
  });
  const verdict = code === undefined ? "The task has ended." : `The task ended with exit code ${code}.`;
  return `${verdict}\n${problemsText()}`;
}

function languageTools(): readonly ChatTool[] {
  const path = { type: "string", description: "Path relative to the workspace, with /." };
  return [
    {
      ...builtIn("read_problems", "Read problems", "read"),
      description:
        "Lists the errors and warnings that the language services of the editor report: of a file, after they have looked at it, or of the files that they have looked at.",
      parameters: toolSchema({ path }, ["path"]),
      summary: (input) => `Read the problems of ${inputText(input, "path") || "the workspace"}`,
      run: async (input, signal) =>
        inputText(input, "path") === "" ? problemsText() : fileProblemsText(inputText(input, "path"), signal),
    },
    {
      ...builtIn("find_references", "Find references", "read"),
      description:
        "Finds the references of a symbol that is in a line of a file, by the language service of the editor.",
      parameters: toolSchema({
        path,
        line: { type: "integer", minimum: 1, description: "Line of the symbol, counted from 1." },
        symbol: { type: "string", minLength: 1, description: "Name of the symbol in that line." },
      }),
      summary: (input) => `Find references of ${inputText(input, "symbol")}`,
      run: (input, signal) => referencesText(input, signal),
    },
    {
      ...builtIn("find_symbols", "Find symbols", "read"),
      description:
        "Lists the symbols of a file with their lines, or finds symbols of the workspace by a part of their name, by the language services of the editor.",
      parameters: toolSchema({ path, query: { type: "string", description: "A part of the name." } }, [
        "path",
        "query",
      ]),
      summary: (input) =>
        inputText(input, "path") === ""
          ? `Find symbols “${inputText(input, "query")}”`
          : `Find symbols of ${inputText(input, "path")}`,
      run: (input, signal) => symbolsText(inputText(input, "path"), inputText(input, "query"), signal),
    },
  ];
}

type FoundSymbol = vscode.SymbolInformation | vscode.DocumentSymbol;

async function symbolsText(path: string, query: string, signal: AbortSignal): Promise<string> {
  if (path === "" && query === "") throw new Refusal("Name a path or a query.");
  const uri = path === "" ? undefined : await openedUri(path);
  const [command, given] = uri
    ? (["vscode.executeDocumentSymbolProvider", uri] as const)
    : (["vscode.executeWorkspaceSymbolProvider", query] as const);
  const found = await askService(
    () => vscode.commands.executeCommand<readonly FoundSymbol[] | undefined>(command, given),
    signal,
  );
  const lines = found.flatMap((symbol) => symbolLines(symbol, uri, query.toLowerCase(), ""));
  if (lines.length === 0) {
    const reason = found.length > 0 ? "" : " The language service may be starting, or not know the files.";
    return `No symbol was found.${reason} ${searchInstead}`;
  }
  const listed = bounded(lines);
  return uri ? listed : `${listed}\n(Only symbols of files that the language services have read are listed.)`;
}

const searchInstead = "Search the workspace for the text instead.";

/** A file that the editor has opened, so that its language services know it. */
async function openedUri(path: string): Promise<vscode.Uri> {
  const uri = await checkedUri(path);
  await vscode.workspace.openTextDocument(uri).then(undefined, () => {
    throw new Refusal(`${path} can't be opened: there is no such file, or it is no text.`);
  });
  return uri;
}

/** A symbol of a file with those inside it, each with the names around it. */
function symbolLines(
  symbol: FoundSymbol,
  file: vscode.Uri | undefined,
  query: string,
  around: string,
): readonly string[] {
  const uri = "location" in symbol ? symbol.location.uri : file;
  const range = "location" in symbol ? symbol.location.range : symbol.selectionRange;
  const place = uri && shownPlace(uri, range.start.line);
  if (place === undefined) return [];
  const name = `${around}${symbol.name}`;
  // A provider of the workspace has its own way to match.
  const isFound = !file || symbol.name.toLowerCase().includes(query);
  const own = isFound ? [`${place}: ${vscode.SymbolKind[symbol.kind]} ${name}`] : [];
  const inside = "children" in symbol ? symbol.children : [];
  return [...own, ...inside.flatMap((child) => symbolLines(child, file, query, `${name}.`))];
}

/** The problems of all files. */
function problemsText(): string {
  const all = vscode.languages
    .getDiagnostics()
    .flatMap(([uri, problems]) => problems.map((problem) => ({ uri, problem })));
  const listed = bounded(problemLines(all), "The editor shows no errors or warnings.");
  return `${listed}\n(Only files that the language services have looked at, such as open ones, are listed.)`;
}

async function fileProblemsText(path: string, signal: AbortSignal): Promise<string> {
  const uri = await openedUri(path);
  const { problems, isReported, isServed } = await reportOf(uri, signal);
  signal.throwIfAborted();
  const lines = problemLines(problems.map((problem) => ({ uri, problem })));
  if (lines.length > 0) return bounded(lines);
  if (isReported) return `The editor shows no errors or warnings of ${path}.`;
  return isServed
    ? `No language service has reported errors or warnings of ${path}. It may not be done, or report nothing about such files: check the file with a command, too.`
    : `No language service of the editor seems to watch ${path}, so nothing is known about its errors. Check it with a command.`;
}

interface FileProblem {
  readonly uri: vscode.Uri;
  readonly problem: vscode.Diagnostic;
}

/** The errors, then the warnings. */
function problemLines(all: readonly FileProblem[]): readonly string[] {
  return all
    .filter(({ problem }) => problem.severity <= vscode.DiagnosticSeverity.Warning)
    .toSorted((a, b) => a.problem.severity - b.problem.severity)
    .flatMap(({ uri, problem: { range, severity, message } }) => {
      const place = shownPlace(uri, range.start.line);
      return place === undefined ? [] : [`${place}: ${vscode.DiagnosticSeverity[severity]}: ${message}`];
    });
}

async function referencesText(input: ToolInput, signal: AbortSignal): Promise<string> {
  const [path, symbol] = [inputText(input, "path"), inputText(input, "symbol")];
  const document = await vscode.workspace.openTextDocument(await checkedUri(path));
  const line = Number(input.line) - 1;
  if (line >= document.lineCount)
    throw new Refusal(`${path} has ${document.lineCount} lines, so there is no line ${line + 1}.`);
  const at = placeOfWord(document.lineAt(line).text, symbol);
  if (at < 0)
    throw new Refusal(`Line ${line + 1} of ${path} does not contain ${symbol}. Read the file again.`);
  const found = await askService(
    () =>
      vscode.commands.executeCommand<readonly vscode.Location[] | undefined>(
        "vscode.executeReferenceProvider",
        document.uri,
        new vscode.Position(line, at),
      ),
    signal,
  );
  const lines = found.map(async ({ uri, range: { start } }, index) => {
    const place = shownPlace(uri, start.line);
    if (place === undefined) return [];
    // Only what is shown is opened.
    const text = index < mostLines ? await lineText(uri, start.line) : "";
    return [text === "" ? place : `${place}: ${text}`];
  });
  const shown = (await Promise.all(lines)).flat();
  if (shown.length === 0) return `No reference was found. ${searchInstead}`;
  return `${bounded(shown)}\n(A language service may not have read all files: search_workspace for ${symbol} finds what is missing here.)`;
}

/** The first place of a name as a whole word, else within one; −1 if it is not there. */
function placeOfWord(text: string, name: string): number {
  const isPart = (character: string | undefined) => character !== undefined && /[\w$]/.test(character);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!isPart(text[at - 1]) && !isPart(text[at + name.length])) return at;
  return text.indexOf(name);
}

async function lineText(uri: vscode.Uri, line: number): Promise<string> {
  try {
    return (await vscode.workspace.openTextDocument(uri)).lineAt(line).text.trim();
  } catch {
    return "";
  }
}

/** Path and line of a place in the workspace; undefined outside of it and in files of secrets. */
function shownPlace(uri: vscode.Uri, line: number): string | undefined {
  if (!vscode.workspace.getWorkspaceFolder(uri)) return undefined;
  const path = vscode.workspace.asRelativePath(uri);
  return looksSecret(path) ? undefined : `${path}:${line + 1}`;
}

function bounded(lines: readonly string[], none = ""): string {
  if (lines.length === 0) return none;
  const shown = lines.slice(0, mostLines).map((line) => line.replace(/\s+/g, " ").slice(0, lineLength));
  return lines.length > mostLines
    ? [...shown, `(${lines.length - mostLines} more were left out)`].join("\n")
    : shown.join("\n");
}
