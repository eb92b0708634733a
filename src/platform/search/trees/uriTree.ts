import * as vscode from "vscode";
import type { FileTree } from "../rules/folderRules.ts";

/** The tree below a folder of any file system. */
export function uriTree(root: vscode.Uri): FileTree {
  const { fs } = vscode.workspace;
  const placeOf = (path: string) => vscode.Uri.joinPath(root, path);
  const statOf = (path: string) => fs.stat(placeOf(path)).then(undefined, () => undefined);
  const read = async (path: string, maxBytes: number) => {
    const found = await statOf(path);
    if (found?.type !== vscode.FileType.File || found.size > maxBytes) return undefined;
    return fs.readFile(placeOf(path)).then(undefined, () => undefined);
  };
  return {
    async list(folder) {
      const { Directory, File } = vscode.FileType;
      const entries = await fs.readDirectory(placeOf(folder));
      const own = entries.filter(([, type]) => type === Directory || type === File);
      return own.map(([name, type]) => ({ name, isFolder: type === Directory }));
    },
    read,
    has: async (path) => (await statOf(path)) !== undefined,
    readGitExclude: (folder) => read(`${folder}/.git/info/exclude`, 1_000_000),
  };
}
