import * as vscode from "vscode";
import type { LazyChanges } from "../../../changes/engine/lazyChanges.ts";
import { createKnownTexts } from "../../../changes/engine/records/knownTexts.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { readSettings } from "../../../platform/settings.ts";
import type { Consents } from "../../../session/consent/consents.ts";
import type { Session } from "../../../session/session.ts";
import type { ChainHelp } from "../../../tools/chain/chainHelp.ts";
import { documentsHere } from "../../../tools/files/documentsHere.ts";
import { cellsOfFile, editorFiles } from "../../../tools/files/editorFiles.ts";
import { type HomeFiles, withHomeSkills } from "../../../tools/files/homeFiles.ts";
import { readOpenText } from "../../../tools/files/workspaceFiles.ts";
import { workspaceRoots } from "../../../tools/files/workspaceRoots.ts";
import type { WindowServers } from "../../../tools/mcp/client/openMcpServers.ts";
import { toolErrorText } from "../../../tools/toolErrorText.ts";
import { delegateName } from "../../protocol/agentModes.ts";
import type { ServerAction } from "../../protocol/chatProtocol.ts";
import { ActingTrees, type ActingTreesDeps } from "../subagents/acting/actingTrees.ts";
import { createAskTool } from "./askTool.ts";
import { ChainNotebookOffer, openChainNotebooks } from "./chain/openChainNotebooks.ts";
import { createRunCellsTool } from "./chain/runCellsTool.ts";
import type { CommandRuns } from "./commands/commandRuns.ts";
import { createCommandTools, isAllowedCall } from "./commands/commandTools.ts";
import { ProgramChanges } from "./commands/programChanges.ts";
import { withSavedFiles } from "./commands/savedFirst.ts";
import { createTaskTool } from "./commands/taskTool.ts";
import { createEditTools } from "./files/editTools.ts";
import { addReadCells, createNotebookTool, withNotebookHint } from "./files/notebookTool.ts";
import { createPatchTool } from "./files/patchTool.ts";
import { createReadTools } from "./files/readTools.ts";
import { openHooks } from "./hooks/openHooks.ts";
import { acceptanceOf } from "./input/readCall.ts";
import { BackgroundTabs } from "./language/backgroundTabs.ts";
import { EditProblems } from "./language/editProblems.ts";
import { createLanguageTools } from "./language/languageTools.ts";
import { createRenameTool } from "./language/renameTool.ts";
import {
  digestOf,
  mostOwnToolsBytes,
  type OwnToolsText,
  ownToolsPath,
  readOwnTools,
  readOwnToolsFile,
  unreadTools,
  untrustedTools,
} from "./own/ownTools.ts";
import { runCommand } from "./own/runCommand.ts";
import { createPlanTool } from "./planTool.ts";
import { createReadResultTool } from "./results/readResultTool.ts";
import { createSearchTool } from "./search/searchTool.ts";
import { readEditorTools } from "./servers/editorModelTools.ts";
import { readServerTools, type ServerTools } from "./servers/serverTools.ts";
import { createBilledTools } from "./service/billedTools.ts";
import type { CallContext, ChatTool } from "./tool.ts";
import type { ToolSource } from "./toolList.ts";

export interface EditorToolsDeps {
  readonly session: Session;
  readonly changes: LazyChanges;
  readonly runs: CommandRuns;
  readonly consents: Consents;
  readonly chain: ChainHelp;
  /** The MCP servers of the user's files; without it none are offered. */
  readonly servers?: WindowServers;
  /** Where the user's own skills are; without it none are read. */
  readonly home?: HomeFiles;
  /** The folder of the extension for worktrees of subagents; without it none acts. */
  readonly worktrees?: string;
}

/** The built-in tools and the tools of the open workspace. */
export function createEditorTools({
  session,
  changes,
  runs,
  consents,
  chain,
  servers,
  home,
  worktrees,
}: EditorToolsDeps): ToolSource {
  let runFileChanges = 0;
  const onRunChanged = () => {
    runFileChanges += 1;
  };
  const known = createKnownTexts();
  const knownTo = ({ source }: CallContext) => known(source.task?.subagent?.id ?? source.task?.id ?? "");
  const writer = async () => (await changes.load()).writer;
  const tabs = new BackgroundTabs();
  const problems = new EditProblems(tabs);
  const documents = documentsHere(session);
  const programs = new ProgramChanges(() => changes.load(), runs);
  const asBuiltIn = (tool: ChatTool): ChatTool => ({
    ...withExplainedErrors(tool.kind === "command" ? tool : programs.followed(tool), session),
    accept: acceptanceOf(tool, workspaceRoots),
  });
  const builtIn = [
    ...createReadTools(
      withHomeSkills(editorFiles, home),
      async (path, text, context) => {
        knownTo(context).add(text);
        await addReadCells(path, text, cellsOfFile, knownTo(context));
      },
      documents.read,
    ),
    createSearchTool(editorFiles),
    createReadResultTool(),
    ...createBilledTools(editorFiles, (source) => session.client(source), chain, documents),
    ...createEditTools(writer, knownTo, onRunChanged, problems).map(withNotebookHint),
    createPatchTool({
      writer,
      readText: (path) => readOpenText(editorFiles, path),
      ...{ knownTo, onRunChanged, problems },
      roots: workspaceRoots,
    }),
    createNotebookTool(writer, knownTo, onRunChanged),
    createPlanTool(),
    createAskTool(),
    ...[...createCommandTools(runs), createTaskTool(runs)].map((tool) =>
      tool.kind === "command" ? withSavedFiles(programs.recorded(tool)) : tool,
    ),
    ...createLanguageTools(tabs),
    createRenameTool({ writer, onRunChanged, problems, tabs, files: editorFiles }),
  ].map(asBuiltIn);
  const ofNotebooks = asBuiltIn(createRunCellsTool(openChainNotebooks));
  const offer = new ChainNotebookOffer();
  const { sandbox } = runs;
  const trees = openTrees(worktrees, { writer, readDocument: documents.read, problems, sandbox });
  return {
    ...trees,
    async read() {
      const asProgram = (tool: ChatTool) => withSavedFiles(programs.recorded(tool));
      const others = await readOthers([...builtIn, ofNotebooks], servers, asProgram);
      const chainTools = (await offer.read()) ? [ofNotebooks] : [];
      return { ...others, tools: [...builtIn, ...chainTools, ...others.tools] };
    },
    ...(servers ? { setServer: (id, action) => setServer(servers, id, action) } : {}),
    onDidChange(listener) {
      const changing = [offer, ...(servers ? [servers] : [])].map((one) => one.onDidChange(listener));
      return vscode.Disposable.from(watchOwnTools(listener), ...changing);
    },
    ...{ onRunChanged, problems: problems.ofTasks },
    hooks: openHooks({ consents, changes }),
    approvals: {
      mayRunUnasked: ({ price }) => price === undefined || readSettings().askPrice !== "always",
      isAllowed: isAllowedCall,
      consents,
      runFileChanges: () => runFileChanges,
    },
  };
}

/** Where subagents act. What killed windows have left there is removed meanwhile. */
function openTrees(
  folder: string | undefined,
  deps: Omit<ActingTreesDeps, "folder" | "files">,
): Pick<ToolSource, "trees"> {
  if (folder === undefined) return {};
  const trees = new ActingTrees({ ...deps, folder, files: editorFiles });
  void trees.sweep();
  return { trees };
}

/** What decides about the tools of the workspace and of the editor. */
function watchOwnTools(listener: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(`**/${ownToolsPath}`);
  return vscode.Disposable.from(
    watcher,
    watcher.onDidChange(listener),
    watcher.onDidCreate(listener),
    watcher.onDidDelete(listener),
    vscode.extensions.onDidChange(listener),
    vscode.workspace.onDidGrantWorkspaceTrust(listener),
    vscode.workspace.onDidChangeWorkspaceFolders(listener),
  );
}

/** The tools of the workspace, of the user's servers and of the editor, after the names of ours. */
async function readOthers(
  ours: readonly ChatTool[],
  servers: WindowServers | undefined,
  asProgram: (tool: ChatTool) => ChatTool,
) {
  const names = [...ours.map(({ name }) => name), delegateName];
  const own = await ownTools(names);
  names.push(...own.tools.map(({ name }) => name));
  const ofServers = servers ? await readServerTools(servers, names) : noServers;
  names.push(...ofServers.tools.map(({ name }) => name));
  const problems = [own.problem, ...ofServers.problems].filter((one) => one !== undefined);
  return {
    tools: [...[...own.tools, ...ofServers.tools].map(asProgram), ...readEditorTools(names)],
    ...(problems.length === 0 ? {} : { problem: problems.join(" ") }),
    servers: ofServers.servers,
  };
}

const noServers: ServerTools = { tools: [], servers: [], problems: [] };

async function setServer(window: WindowServers, id: string, action: ServerAction): Promise<void> {
  if (action === "showOutput") return window.showOutput();
  const { servers } = window;
  const known = (await servers.read()).servers.find(({ definition }) => definition.id === id);
  if (known) await servers[action](known.definition);
}

/** The model gets the same error sentence as the user. */
function withExplainedErrors(tool: ChatTool, session: Session): ChatTool {
  const { run } = tool;
  if (!run) return tool;
  return {
    ...tool,
    async run(input, signal, context) {
      try {
        return await run(input, signal, context);
      } catch (error) {
        throw new Refusal(toolErrorText(error, session.active));
      }
    },
  };
}

async function ownTools(taken: readonly string[]) {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) return { tools: [] };
  const { isTrusted } = vscode.workspace;
  const isLocal = folder.uri.scheme === "file";
  const read = await (isLocal
    ? readOwnToolsFile(folder.uri.fsPath, isTrusted)
    : readElsewhere(folder.uri, isTrusted));
  const { text, problem } = read;
  if (text === undefined) return { tools: [], ...(problem === undefined ? {} : { problem }) };
  const place = { folder: folder.uri.fsPath, env: process.env };
  return readOwnTools(text, taken, {
    run: (command, input, signal, began) => runCommand(place, command, input, signal, began),
    digest: (command) => digestOf(place.folder, command),
  });
}

/** Reads from a virtual file system, which reports links itself. */
async function readElsewhere(folder: vscode.Uri, isTrusted: boolean): Promise<OwnToolsText> {
  const uri = vscode.Uri.joinPath(folder, ownToolsPath);
  const { fs } = vscode.workspace;
  const found = await Promise.resolve(fs.stat(uri)).catch(() => undefined);
  if (!found) return {};
  if (!isTrusted) return { problem: untrustedTools };
  if (found.type !== vscode.FileType.File) return unreadTools("is a link or not a regular file");
  if (found.size > mostOwnToolsBytes) return unreadTools("is larger than 1 MB");
  const bytes = await Promise.resolve(fs.readFile(uri)).catch(() => undefined);
  return bytes ? { text: new TextDecoder().decode(bytes) } : {};
}
