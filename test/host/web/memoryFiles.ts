import * as vscode from "vscode";

/** A minimal in-memory file system without a search provider, like most file systems of extensions. */
export function memoryFiles(files: ReadonlyMap<string, Uint8Array>): vscode.FileSystemProvider {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const bytesOf = ({ path }: vscode.Uri) => {
    const bytes = files.get(path);
    if (!bytes) throw vscode.FileSystemError.FileNotFound();
    return bytes;
  };
  const never = () => {
    throw vscode.FileSystemError.NoPermissions();
  };
  return {
    onDidChangeFile: changed.event,
    watch: () => ({ dispose() {} }),
    stat: (uri) => {
      const { Directory, File } = vscode.FileType;
      const isFolder = [...files.keys()].some((name) => name.startsWith(`${uri.path}/`));
      const size = isFolder ? 0 : bytesOf(uri).length;
      return { type: isFolder ? Directory : File, ctime: 0, mtime: 0, size };
    },
    readFile: bytesOf,
    readDirectory: ({ path }) => {
      const above = path.endsWith("/") ? path : `${path}/`;
      const below = [...files.keys()]
        .filter((name) => name.startsWith(above))
        .map((name) => name.slice(above.length));
      const { Directory, File } = vscode.FileType;
      return [
        ...new Map(below.map((name) => [name.split("/")[0] ?? "", name.includes("/") ? Directory : File])),
      ];
    },
    createDirectory: never,
    writeFile: never,
    delete: never,
    rename: never,
  };
}
