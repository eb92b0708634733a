import * as vscode from "vscode";
import { editorTexts } from "../../../../changes/engine/files/editorText.ts";
import { mostTextBytes } from "../../../../changes/engine/files/replaceText.ts";
import { isNotebookPath } from "../../../../changes/engine/notebooks/notebookText.ts";
import type { FileWriter, KeptFile } from "../../../../changes/engine/pendingChanges.ts";
import { createKnownTexts } from "../../../../changes/engine/records/knownTexts.ts";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { SerialQueue } from "../../../../shared/serialQueue.ts";
import { readOpenText, type WorkspaceFiles } from "../../../../tools/files/workspaceFiles.ts";
import { workspaceRoots } from "../../../../tools/files/workspaceRoots.ts";
import type { ToolInput } from "../../../../tools/serviceTool.ts";
import type { CommandSandbox } from "../../tools/commands/sandbox/commandSandbox.ts";
import { EditReport, type ProblemsBefore } from "../../tools/files/editReport.ts";
import { createEditTools } from "../../tools/files/editTools.ts";
import { createPatchTool } from "../../tools/files/patchTool.ts";
import type { ReadDocument } from "../../tools/files/readFile.ts";
import { createReadTools } from "../../tools/files/readTools.ts";
import { acceptanceOf } from "../../tools/input/readCall.ts";
import { createSearchTool } from "../../tools/search/searchTool.ts";
import type { CallContext, ChatTool } from "../../tools/tool.ts";
import { TreeCommands, type TreeCommandsDeps } from "./commands/treeCommands.ts";
import { copyFiles } from "./copyFiles.ts";
import { type GitWorktree, GitWorktrees } from "./gitWorktrees.ts";
import { mergeReport, namesOf } from "./mergeReport.ts";
import { mergeTree } from "./mergeTree.ts";
import { SubagentTree } from "./subagentTree.ts";
import { treeFiles } from "./treeFiles.ts";
import { TreeWriter } from "./treeWriter.ts";

export interface ActingTreesDeps {
  /** Absolute path of the folder of the extension in which the worktrees are. */
  readonly folder: string;
  /** Changes the workspace. */
  readonly writer: () => Promise<FileWriter>;
  readonly files: Pick<WorkspaceFiles, "readText" | "read">;
  readonly readDocument: ReadDocument;
  /** The problems that changes of the workspace make. */
  readonly problems: ProblemsBefore;
  /** The sandbox of the agent's commands; undefined if there is none. */
  readonly sandbox?: CommandSandbox | undefined;
}

/** The files of one acting subagent. */
export interface ActingTree {
  /** They read and change these files alone. Only commands may ask. */
  readonly tools: readonly ChatTool[];
  /** Why it has no commands: the end of a sentence that begins with `because`; absent if it has. */
  readonly noCommands?: string;
  /** True if the user's settings allow a command. */
  isAllowed(input: ToolInput): boolean;
  /** A line for each change; empty without one. */
  changedText(): string;
  /**
   * Makes its changes in the workspace as those of the call. Resolves to what the agent is told of them. Rejects with the
   * reason of the signal.
   */
  merge(context: CallContext, signal: AbortSignal): Promise<string>;
  /** Never rejects. */
  remove(): Promise<void>;
}

/**
 * Makes the files of acting subagents: a worktree each, with the files of the workspace as the user has them, changed, new and
 * unsaved ones included.
 */
export class ActingTrees {
  readonly #deps: ActingTreesDeps;
  readonly #worktrees: GitWorktrees;
  /** Changes of one subagent are made together. */
  readonly #merging = new SerialQueue();

  constructor(deps: ActingTreesDeps) {
    this.#deps = deps;
    this.#worktrees = new GitWorktrees(deps.folder);
  }

  /** Removes what windows have left that were killed. Never rejects. */
  sweep(): Promise<void> {
    return this.#worktrees.sweep();
  }

  /** Throws a Refusal where no subagent can act. */
  async open(signal: AbortSignal): Promise<ActingTree> {
    const { uri } = folderHere();
    const worktree = await this.#worktrees.add(uri.fsPath, signal);
    try {
      const unsaved = textsHere();
      const places = { from: uri.fsPath, to: worktree.root };
      const paths = await copyFiles(worktree.paths, places, unsaved, signal);
      const tree = new SubagentTree(worktree.root, paths, unsaved);
      const order = new SerialQueue();
      const commands = await this.#commandsOf({ tree, order, folder: uri.fsPath }, worktree, signal);
      const isRefused = typeof commands === "string";
      const own = isRefused ? undefined : commands;
      return {
        tools: [...this.#toolsOf(tree, uri, order), ...(own ? [own.tool] : [])],
        ...(isRefused ? { noCommands: commands } : {}),
        isAllowed: (input) => own?.isAllowed(input) === true,
        changedText: () => namesOf(tree.changes()),
        merge: (context, given) =>
          this.#merging.run(() => this.#merge(tree, own?.left ?? [], context, given)),
        async remove() {
          await own?.dispose();
          await worktree.remove();
        },
      };
    } catch (error) {
      await worktree.remove();
      throw error;
    }
  }

  /** The commands of a subagent, or the reason why it has none: the end of a sentence that begins with `because`. */
  async #commandsOf(
    given: Pick<TreeCommandsDeps, "tree" | "order" | "folder">,
    worktree: GitWorktree,
    signal: AbortSignal,
  ): Promise<TreeCommands | string> {
    const { sandbox } = this.#deps;
    if (!sandbox || !(await sandbox.ready()).isOn) return whyMissing(sandbox);
    const place = await worktree.openCopy(signal);
    const own = sandbox.within(place.top);
    if ((await own.ready()).isOn) return new TreeCommands({ ...given, place, sandbox: own });
    return whyMissing(own);
  }

  async #merge(
    tree: SubagentTree,
    left: readonly KeptFile[],
    context: CallContext,
    signal: AbortSignal,
  ): Promise<string> {
    signal.throwIfAborted();
    const { writer, files, problems } = this.#deps;
    const live = {
      writer: await writer(),
      readText: (path: string) => readOpenText(files, path),
      readBytes: (path: string) => files.read(path, mostTextBytes),
    };
    const report = new EditReport(problems.since(context));
    const events = {
      onWritten: report.noted,
      onChanged: (changes: Parameters<CallContext["changed"]>[0]) => context.changed(changes),
    };
    const merged = await mergeTree(tree.changes(), live, events, signal);
    const found = await report.problems(signal);
    const told = mergeReport(merged, left);
    return found === "" ? told : `${told}\n${found}`;
  }

  #toolsOf(tree: SubagentTree, folder: vscode.Uri, order: SerialQueue): readonly ChatTool[] {
    const files = treeFiles(tree, folder);
    const writer = new TreeWriter(tree, folder, order);
    const known = createKnownTexts()("subagent");
    const common = {
      writer: async () => writer,
      knownTo: () => known,
      onRunChanged() {},
      problems: { since: () => ({ newIn: async () => "" }) },
    };
    const reading = createReadTools(files, (_, text) => known.add(text), this.#deps.readDocument);
    const patching = createPatchTool({
      ...common,
      readText: (path) => readOpenText(files, path),
      roots: workspaceRoots,
    });
    const editing = createEditTools(common.writer, common.knownTo, common.onRunChanged, common.problems);
    return [...reading, createSearchTool(files), ...editing, patching].map(ofTree);
  }
}

function whyMissing(sandbox: CommandSandbox | undefined): string {
  const state = sandbox?.state;
  return (state?.isOn === false && state.missing?.reason) || "the sandbox of commands is switched off";
}

/** Nobody is asked for a change of a subagent: its files refuse what would ask. What it changes counts once it is in the workspace. */
function ofTree({ question: _, scopes: __, ...tool }: ChatTool): ChatTool {
  const { run } = tool;
  return {
    ...tool,
    ...(run ? { run: (input, signal, context) => run(input, signal, { ...context, changed() {} }) } : {}),
    accept: acceptanceOf(tool, workspaceRoots),
  };
}

function folderHere(): vscode.WorkspaceFolder {
  const [folder, ...others] = vscode.workspace.workspaceFolders ?? [];
  if (!vscode.workspace.isTrusted)
    throw new Refusal(
      "This workspace is not trusted, so no subagent can act in it. Run “Workspaces: Manage Workspace Trust”.",
    );
  if (folder?.uri.scheme !== "file")
    throw new Refusal("An acting subagent needs a folder of this machine, and none is open.");
  if (others.length > 0)
    throw new Refusal(
      "An acting subagent works in one folder, and this workspace has several. Do the work yourself, or give it to a subagent that reads.",
    );
  return folder;
}

/** Texts that only editors have, by their paths in the workspace. */
function textsHere(): ReadonlyMap<string, string> {
  const texts = editorTexts().filter(({ uri }) => uri.scheme === "file" && !isNotebookPath(uri.path));
  return new Map(texts.map(({ uri, text }) => [vscode.workspace.asRelativePath(uri, false), text]));
}
