import * as vscode from "vscode";
import { changeableUri } from "../../../../changes/engine/files/changeablePlace.ts";
import { questionAbout } from "../../../../changes/engine/files/fileRisk.ts";
import { documentOf } from "../../../../changes/engine/files/openEditors.ts";
import type { AgentWriter, FileChange } from "../../../../changes/engine/pendingChanges.ts";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { messageOf } from "../../../../shared/messageOf.ts";
import { plural } from "../../../../shared/text/plural.ts";
import { checkedUri, editorFiles } from "../../../../tools/files/editorFiles.ts";
import { readOpenText, type WorkspaceFiles } from "../../../../tools/files/workspaceFiles.ts";
import { inputText, type ToolInput, toolSchema } from "../../../../tools/serviceTool.ts";
import { EditReport, type ProblemsBefore } from "../files/editReport.ts";
import { builtIn, type CallContext, type ChatTool } from "../tool.ts";
import type { BackgroundTabs } from "./backgroundTabs.ts";
import { pause } from "./languageServices.ts";
import { NameInFiles } from "./nameInFiles.ts";
import { rangesReplaced, type TextRange } from "./rangesReplaced.ts";
import { symbolPlace } from "./shownLines.ts";

/** Files that one call changes. */
const maxFiles = 500;
const maxListed = 50;
/** Pauses in milliseconds before a service is asked again that does not answer: it may be starting. */
const retries = [500, 1_500, 3_000];
/** The same for one that leaves out files of this kind that have the name: it may be reading the project. */
const completions = [500, 1_500];

export interface RenameDeps {
  readonly writer: () => Promise<AgentWriter>;
  /** A file has changed about which the user is asked. */
  readonly onRunChanged: () => void;
  readonly problems: ProblemsBefore;
  readonly tabs: BackgroundTabs;
  readonly files: Pick<WorkspaceFiles, "search">;
}

/** A tool that renames a symbol wherever the language service of the editor knows it. */
export function createRenameTool(deps: RenameDeps): ChatTool {
  return {
    ...builtIn("rename_symbol", "Rename a symbol", "edit"),
    readsFirst: true,
    description:
      "Renames a symbol in all files, by the language service of the editor. Prefer it to many edits. Comments and texts keep the old name.",
    parameters: toolSchema({
      path: { type: "string", minLength: 1, description: "Path relative to the workspace, with /." },
      line: { type: "integer", minimum: 1, description: "Line of the symbol, counted from 1." },
      symbol: { type: "string", minLength: 1, description: "Its name in that line." },
      new_name: { type: "string", minLength: 1 },
    }),
    question: (input) => questionAbout(inputText(input, "path")),
    scopes: (input) => {
      const path = inputText(input, "path");
      return questionAbout(path) === undefined ? undefined : [path];
    },
    summary: (input) => `Rename ${inputText(input, "symbol")} to ${inputText(input, "new_name")}`,
    run: (input, signal, context) => rename(deps, input, signal, context),
  };
}

/** The changes of one file. */
interface FileEdits {
  readonly path: string;
  /** The text for which the service has made them. */
  readonly text: string;
  readonly edits: readonly vscode.TextEdit[];
}

async function rename(
  { writer, onRunChanged, problems, tabs, files: workspace }: RenameDeps,
  input: ToolInput,
  signal: AbortSignal,
  context: CallContext,
): Promise<string> {
  const [path, symbol, newName] = ["path", "symbol", "new_name"].map((name) => inputText(input, name)) as [
    string,
    string,
    string,
  ];
  const uri = await checkedUri(path);
  const close = await tabs.open(uri);
  try {
    const names = await NameInFiles.find(workspace, symbol, signal);
    const found = await completeEdits(names, uri, input, signal);
    const all = await checkedFiles(found);
    // The user is asked by a call of an edit, for each of these files.
    const asked = all.filter((file) => file.path !== path && questionAbout(file.path) !== undefined);
    const files = all.filter((file) => !asked.includes(file));
    const report = new EditReport(problems.since(context));
    const changes = await writer();
    signal.throwIfAborted();
    const made = await Promise.allSettled(files.map((file) => write(changes, file, signal, report)));
    const done = made.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    context.changed(done);
    if (done.length > 0 && questionAbout(path) !== undefined) onRunChanged();
    const failed = made.flatMap((one) => (one.status === "rejected" ? [messageOf(one.reason)] : []));
    const changed = files.filter((_, index) => made[index]?.status === "fulfilled");
    const elsewhere = names.otherThan(new Set(all.map((file) => file.path)));
    const parts = [doneText(symbol, newName, changed), failed.join("\n"), askedText(asked), elsewhere];
    context.written();
    const news = done.length > 0 ? await report.problems(signal) : "";
    if (done.length === 0) throw new Refusal(parts.slice(1, 3).filter(Boolean).join("\n"));
    return [...parts, news].filter((part) => part !== "").join("\n");
  } finally {
    await close();
  }
}

type FoundEdits = readonly (readonly [vscode.Uri, readonly vscode.TextEdit[]])[];

/** The edits of the language service, which is asked again while it leaves out files that have the name. */
async function completeEdits(
  names: NameInFiles,
  uri: vscode.Uri,
  input: ToolInput,
  signal: AbortSignal,
): Promise<FoundEdits> {
  let found = await renameEdits(uri, input, signal);
  for (const ms of completions) {
    const paths = new Set(found.map(([file]) => vscode.workspace.asRelativePath(file)));
    if (!names.isInOtherThan(paths, inputText(input, "path"))) break;
    await pause(ms, signal);
    signal.throwIfAborted();
    found = await renameEdits(uri, input, signal);
  }
  return found;
}

/** The edits of the language service, by file. Throws a Refusal if there are none. */
async function renameEdits(uri: vscode.Uri, input: ToolInput, signal: AbortSignal): Promise<FoundEdits> {
  const [path, symbol] = [inputText(input, "path"), inputText(input, "symbol")];
  const document = await vscode.workspace.openTextDocument(uri).then(undefined, () => {
    throw new Refusal(`${path} can't be opened: there is no such file, or it is no text.`);
  });
  const position = symbolPlace(document, path, Number(input.line), symbol);
  const before = document.lineAt(position.line).text.slice(0, position.character);
  if (/(\bfrom|\bimport|\bimport\s*\(|\brequire\s*\()\s*["'][^"']*$/.test(before))
    throw new Refusal(`${symbol} is a part of the name of a module there: move its file with move_file.`);
  let reason = "";
  for (const ms of [...retries, 0]) {
    const asked = vscode.commands.executeCommand<vscode.WorkspaceEdit | undefined>(
      "vscode.executeDocumentRenameProvider",
      uri,
      position,
      inputText(input, "new_name"),
    );
    const edit = await asked.then(undefined, (error: unknown) => {
      reason = messageOf(error);
      return undefined;
    });
    const found = (edit?.entries() ?? []).filter(([, edits]) => edits.length > 0);
    if (found.length > 0) return found;
    await pause(ms, signal);
    signal.throwIfAborted();
  }
  const said = /^(No result\.?)?$/.test(reason) ? "" : ` It says: ${reason}`;
  throw new Refusal(
    `No language service of the editor has renamed ${symbol} in ${path}, so nothing was changed.${said} Find its places with search_workspace and change them with edit_file.`,
  );
}

/** Checks each file before any is changed: one that must not be changed refuses all. */
async function checkedFiles(found: FoundEdits): Promise<readonly FileEdits[]> {
  if (found.length > maxFiles)
    throw new Refusal(
      `It would change ${found.length} files, and the limit is ${maxFiles}: nothing was changed.`,
    );
  const files: FileEdits[] = [];
  for (const [uri, edits] of found) {
    const path = vscode.workspace.asRelativePath(uri);
    if (!vscode.workspace.getWorkspaceFolder(uri))
      throw new Refusal(
        `Nothing was renamed, because ${path} would change too, which is not a file of the workspace.`,
      );
    await changeableUri(path).catch((error: unknown) => {
      throw new Refusal(`Nothing was renamed, because ${path} would change too: ${messageOf(error)}`);
    });
    // A file that is not open stays so: the editor gives one that it saves one kind of line ends.
    files.push({ path, text: documentOf(uri)?.getText() ?? (await readOpenText(editorFiles, path)), edits });
  }
  return files;
}

/** Puts the edits into the text for which the service has made them. */
function write(
  writer: AgentWriter,
  { path, text: expected, edits }: FileEdits,
  signal: AbortSignal,
  report: EditReport,
): Promise<FileChange> {
  const ranges: readonly TextRange[] = edits.map(({ range: { start, end }, newText }) => ({
    start,
    end,
    newText,
  }));
  const of = (text: string) => {
    const now = rangesReplaced(text, expected, ranges);
    if (now === undefined)
      throw new Refusal(
        `${path} was not changed: its text is another one than the language service has. Rename there with edit_file.`,
      );
    return now;
  };
  return writer.edit(path, of, signal, { onWritten: report.noted });
}

function doneText(symbol: string, newName: string, files: readonly FileEdits[]): string {
  const places = files.reduce((sum, { edits }) => sum + edits.length, 0);
  const listed = files.slice(0, maxListed).map(({ path, edits }) => `${path}: ${edits.length}`);
  const rest = files.length > maxListed ? [`(${files.length - maxListed} more files)`] : [];
  return [
    `Renamed ${symbol} to ${newName}: ${plural(places, "place")} in ${plural(files.length, "file")}. No file was renamed. The user reviews the change and can reject it.`,
    ...listed,
    ...rest,
  ].join("\n");
}

function askedText(files: readonly FileEdits[]): string {
  if (files.length === 0) return "";
  const places = files.flatMap(({ path, edits }) =>
    edits.map(({ range }) => `${path}:${range.start.line + 1}`),
  );
  return `Not changed, because the user is asked about these files: ${places.slice(0, maxListed).join(", ")}. Rename there with edit_file.`;
}
