import { dirname } from "node:path";
import * as vscode from "vscode";
import { isMembers, membersOf, ownMember } from "../../../shared/members.ts";
import { UserQuestions } from "./ask/askUser.ts";
import { fillIn } from "./config/fillIn.ts";
import { InputValues } from "./config/inputValues.ts";
import { ServerFiles } from "./config/serverFiles.ts";
import { McpServers } from "./mcpServers.ts";
import { ServerOutput } from "./serverOutput.ts";
import { type ListedTools, readTools } from "./serverTool.ts";

export interface McpServersInput {
  readonly secrets: vscode.SecretStorage;
  /** Keeps what servers have listed, so that their tools can be chosen before they run. */
  readonly workspaceState: vscode.Memento;
  /** The editor's folder of the user has that of this extension in its folder `globalStorage`. */
  readonly globalStorageUri: vscode.Uri;
  readonly extensionVersion: string;
}

/** What each tool said when the user last allowed it, in this workspace. */
export interface LastAllowed {
  read(tool: string): string | undefined;
  write(tool: string, said: string): void;
}

/** The servers of this window, and what happens to them. */
export interface WindowServers extends vscode.Disposable {
  readonly servers: McpServers;
  readonly allowed: LastAllowed;
  onDidChange(listener: () => void): vscode.Disposable;
  /** Shows what the servers have printed. */
  showOutput(): void;
}

export function openMcpServers(input: McpServersInput): WindowServers {
  const { secrets, workspaceState, globalStorageUri, extensionVersion } = input;
  const changed = new vscode.EventEmitter<void>();
  const files = new ServerFiles(dirname(dirname(globalStorageUri.fsPath)));
  const inputs = new InputValues(secrets);
  const questions = new UserQuestions();
  const output = new ServerOutput();
  const servers = new McpServers({
    definitions: () => files.read(),
    fill: (definition) =>
      fillIn(definition, {
        folder: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
        folders: (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({
          name,
          path: uri.fsPath,
        })),
        env: process.env,
        setting: readSetting,
        ask: (one) => inputs.read(definition, one),
      }),
    doubt: (definition) => inputs.doubt(definition),
    load: () => import("./connection/openServer.ts"),
    host: {
      version: extensionVersion,
      roots: () =>
        (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({ uri: uri.toString(), name })),
      ask: ({ name }, question, signal) => questions.ask(name, question, signal),
    },
    lists: storedLists(workspaceState),
    output: ({ name }, secrets) => output.printer(name, secrets),
    changed: () => changed.fire(),
  });
  const following = vscode.Disposable.from(
    files.onDidChange(() => changed.fire()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => servers.rootsChanged()),
  );
  return {
    servers,
    allowed: lastAllowed(workspaceState),
    onDidChange: changed.event,
    showOutput: () => output.show(),
    dispose() {
      following.dispose();
      servers.dispose();
      output.dispose();
      changed.dispose();
    },
  };
}

function readSetting(name: string, isUsers: boolean): unknown {
  const settings = vscode.workspace.getConfiguration();
  if (!isUsers) return settings.get(name);
  const { globalValue, defaultValue } = settings.inspect(name) ?? {};
  return globalValue ?? defaultValue;
}

/** Texts or lists in a Memento by their names; above `most` the oldest are dropped. */
function keptIn(state: vscode.Memento, key: string, most: number) {
  return {
    read: (name: string): unknown => ownMember(membersOf(state.get(key)), name),
    write(name: string, value: unknown): void {
      const { [name]: _, ...others } = membersOf(state.get(key));
      const kept = Object.entries(others).slice(1 - most);
      void state.update(key, Object.fromEntries([...kept, [name, value]]));
    },
  };
}

function storedLists(state: vscode.Memento) {
  const { read, write } = keptIn(state, "mcp.lists", 20);
  return {
    read(id: string): ListedTools | undefined {
      const stored = read(id);
      return Array.isArray(stored) ? restored(stored) : undefined;
    },
    write: (id: string, { tools }: ListedTools) => write(id, tools),
  };
}

function lastAllowed(state: vscode.Memento): LastAllowed {
  const { read, write } = keptIn(state, "mcp.allowed", 500);
  return {
    read(tool) {
      const said = read(tool);
      return typeof said === "string" ? said : undefined;
    },
    write,
  };
}

/** Another version may have stored it. The hash is what the server's own list gave. */
function restored(stored: readonly unknown[]): ListedTools {
  const tools = stored.filter(isMembers).flatMap((one) => {
    const { name, title, description, parameters: inputSchema, hash } = one;
    const [tool] = readTools([{ name, title, description, inputSchema }]).tools;
    return tool && typeof hash === "string" ? [{ ...tool, hash }] : [];
  });
  return { tools, problems: [] };
}
