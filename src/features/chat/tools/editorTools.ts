import * as vscode from "vscode";
import { ApiError } from "../../../api/errors.ts";
import { explain } from "../../../platform/errorMessage.ts";
import { findFiles } from "../../../platform/findFiles.ts";
import { readSettings } from "../../../platform/settings.ts";
import type { Session } from "../../../session/session.ts";
import { checkPlace, createBuiltInTools, createServiceActions, type WorkspaceFiles } from "./builtInTools.ts";
import { digestOf, ownToolsPath, readOwnTools } from "./ownTools.ts";
import { runCommand } from "./runCommand.ts";
import { type ChatTool, ToolRefusal } from "./tool.ts";
import type { ToolSource } from "./toolList.ts";

export interface EditorToolsDeps {
  readonly session: Session;
  /** Stores the permanent approvals of this workspace. */
  readonly workspaceState: vscode.Memento;
}

const approvedKey = "chat.approvals";
/** Limit of stored approvals; the oldest are dropped, so their tools ask again. */
const mostApproved = 500;

/** The built-in tools and the tools of the open workspace. */
export function createEditorTools({ session, workspaceState }: EditorToolsDeps): ToolSource {
  const builtIn = createBuiltInTools(workspaceFiles, createServiceActions(session)).map((tool) =>
    withExplainedErrors(tool, session),
  );
  const given = () => workspaceState.get<readonly string[]>(approvedKey, []);
  return {
    async read() {
      const own = await ownTools(builtIn.map(({ name }) => name));
      return { ...own, tools: [...builtIn, ...own.tools] };
    },
    onDidChange(listener) {
      const watcher = vscode.workspace.createFileSystemWatcher(`**/${ownToolsPath}`);
      return vscode.Disposable.from(
        watcher,
        watcher.onDidChange(listener),
        watcher.onDidCreate(listener),
        watcher.onDidDelete(listener),
        vscode.workspace.onDidGrantWorkspaceTrust(listener),
        vscode.workspace.onDidChangeWorkspaceFolders(listener),
      );
    },
    approvals: {
      mayRunUnasked: ({ price }) => price === undefined || readSettings().askPrice !== "always",
      isGiven: (key) => given().includes(key),
      give: (key) => void workspaceState.update(approvedKey, [...given().slice(-mostApproved), key]),
    },
  };
}

/** The model gets the same error sentence as the user. */
function withExplainedErrors(tool: ChatTool, session: Session): ChatTool {
  const { run } = tool;
  if (!run) return tool;
  return {
    ...tool,
    async run(input, signal) {
      try {
        return await run(input, signal);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        throw new ToolRefusal(explain(error, { service: session.active?.name ?? "The service" }).sentence);
      }
    },
  };
}

async function ownTools(taken: readonly string[]) {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) return { tools: [] };
  const uri = vscode.Uri.joinPath(folder.uri, ownToolsPath);
  const text = await textIfThere(uri);
  if (text === undefined) return { tools: [] };
  if (!vscode.workspace.isTrusted)
    return { tools: [], problem: `Trust this workspace to use the tools of ${ownToolsPath}.` };
  const place = { folder: folder.uri.fsPath, env: process.env };
  return readOwnTools(text, taken, {
    run: (command, input, signal) => runCommand(place, command, input, signal),
    digest: (command) => digestOf(place.folder, command),
  });
}

async function textIfThere(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}

/** In a workspace with several folders, paths start with the folder's name. */
const workspaceFiles: WorkspaceFiles = {
  async read(path, maxBytes) {
    const uri = await checkedUri(path);
    const found = await vscode.workspace.fs.stat(uri).then(undefined, () => undefined);
    if (found && found.size > maxBytes) throw new ToolRefusal(`${path} was not read: it is too large.`);
    const bytes = found && (await vscode.workspace.fs.readFile(uri).then(undefined, () => undefined));
    if (!bytes) throw new ToolRefusal(`There is no file ${path}.`);
    return bytes;
  },
  async list(path) {
    const folders = vscode.workspace.workspaceFolders ?? [];
    if (path === "" && folders.length > 1) return folders.map(({ name }) => `${name}/`);
    const entries = await vscode.workspace.fs
      .readDirectory(await checkedUri(path))
      .then(undefined, () => undefined);
    if (!entries) throw new ToolRefusal(`There is no folder ${path}.`);
    return entries.map(([name, type]) => (type & vscode.FileType.Directory ? `${name}/` : name)).sort();
  },
  async all(limit, signal) {
    const exclude = "**/{node_modules,.git}/**";
    const found = await findFiles("**/*", { exclude, most: limit, signal });
    return found.map((uri) => vscode.workspace.asRelativePath(uri)).sort();
  },
};

async function checkedUri(path: string): Promise<vscode.Uri> {
  const uri = uriOf(path);
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  if (uri.scheme === "file") await checkPlace(folders, uri.fsPath, path);
  return uri;
}

function uriOf(path: string): vscode.Uri {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..") || path.startsWith("/") || /^[a-z]:/i.test(path) || path.includes("\\"))
    throw new ToolRefusal(`${path} is not a path relative to the workspace.`);
  const [only] = folders;
  if (!only) throw new ToolRefusal("No folder is open.");
  if (folders.length === 1) return vscode.Uri.joinPath(only.uri, ...parts);
  const named = folders.find(({ name }) => name === parts[0]);
  if (!named) throw new ToolRefusal(`${path} does not start with the name of a workspace folder.`);
  return vscode.Uri.joinPath(named.uri, ...parts.slice(1));
}
