import * as vscode from "vscode";
import { readInside } from "../../../../platform/files/bounded/readInside.ts";
import { type McpFile, type ReadServers, readMcpFile } from "./mcpFile.ts";
import { readFollowed, userFile } from "./userFile.ts";

const workspacePath = ".vscode/mcp.json";
const maxBytes = 1_000_000;

/** The files with servers: the user's own, and those of the folders of a trusted workspace. */
export class ServerFiles {
  readonly #userFolder: string;

  /** `userFolder`: the editor's folder `User`. */
  constructor(userFolder: string) {
    this.#userFolder = userFolder;
  }

  async read(): Promise<ReadServers> {
    const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
    const workspace = (workspaceFile ?? workspaceFolders[0]?.uri)?.toString();
    const path = await userFile(this.#userFolder, workspace);
    const own = await readFollowed(path, maxBytes);
    const read = [
      ...(own === undefined ? [] : [readMcpFile(own, { label: "Your mcp.json", path })]),
      ...(await Promise.all(workspaceFolders.map(readWorkspaceFile))),
    ];
    return {
      servers: read.flatMap(({ servers }) => servers),
      problems: read.flatMap(({ problems }) => problems),
    };
  }

  onDidChange(listener: () => void): vscode.Disposable {
    const user = new vscode.RelativePattern(
      vscode.Uri.file(this.#userFolder),
      "{mcp.json,profiles/*/mcp.json}",
    );
    return vscode.Disposable.from(
      ...[user, `**/${workspacePath}`].flatMap((pattern) => {
        const watcher = vscode.workspace.createFileSystemWatcher(pattern);
        return [
          watcher,
          watcher.onDidChange(listener),
          watcher.onDidCreate(listener),
          watcher.onDidDelete(listener),
        ];
      }),
    );
  }
}

async function readWorkspaceFile({ uri, name }: vscode.WorkspaceFolder): Promise<ReadServers> {
  if (uri.scheme !== "file") return { servers: [], problems: [] };
  const read = await readInside(workspacePath, [uri.fsPath], [uri.fsPath], maxBytes);
  if ("failure" in read && read.failure === "missing") return { servers: [], problems: [] };
  const label = `${workspacePath} of ${name}`;
  if (!vscode.workspace.isTrusted)
    return { servers: [], problems: [`Trust this workspace to use the servers of ${label}.`] };
  if ("failure" in read)
    return { servers: [], problems: [`${label} can't be read, so its servers are not offered.`] };
  const file: McpFile = { label, path: read.file, folder: uri.fsPath };
  return readMcpFile(read.text, file);
}
