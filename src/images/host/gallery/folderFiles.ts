import * as vscode from "vscode";
import type { TemporaryPlaces } from "../../../platform/files/durable/durableFile.ts";
import { newTemporaryName } from "../../../platform/files/durable/temporaryName.ts";
import type { FolderFiles } from "./gallery.ts";

/** Maximum size in bytes of a file to read; generated pictures have a tenth of it. */
const mostBytes = 256 * 1024 * 1024;

/** A folder on any file system of VS Code: local, remote or virtual. */
export function folderFiles(folder: vscode.Uri, temporary: TemporaryPlaces): FolderFiles {
  const { fs } = vscode.workspace;
  const at = (name: string) => vscode.Uri.joinPath(folder, name);
  const ifThere = async <Value>(read: () => Thenable<Value>): Promise<Value | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  };
  return {
    async names() {
      const entries = (await ifThere(() => fs.readDirectory(folder))) ?? [];
      return entries.flatMap(([name, type]) => (type & vscode.FileType.Directory ? [] : name));
    },
    async read(name) {
      const stat = await ifThere(() => fs.stat(at(name)));
      // Such a large file is hardly a picture.
      if (stat && stat.size > mostBytes) return undefined;
      return stat && ifThere(() => fs.readFile(at(name)));
    },
    async create(name, data) {
      if (await ifThere(() => fs.stat(at(name)))) return false;
      await fs.createDirectory(folder);
      const whole = at(name);
      const part =
        folder.scheme === "file" ? vscode.Uri.file(temporary.beside(whole.fsPath)) : at(newTemporaryName());
      try {
        // Renamed when it is complete, because a part of a picture looks like one.
        await fs.writeFile(part, data);
        await fs.rename(part, whole, { overwrite: false });
      } catch (error) {
        await Promise.resolve(fs.delete(part)).catch(() => {});
        if (error instanceof vscode.FileSystemError && error.code === "FileExists") return false;
        throw error;
      }
      return true;
    },
    async remove(name) {
      try {
        await fs.delete(at(name), { useTrash: true });
      } catch {
        // Not every file system has a trash.
        await ifThere(() => fs.delete(at(name)));
      }
    },
    async stamp(name) {
      const stat = await ifThere(() => fs.stat(at(name)));
      return stat && `${stat.mtime} ${stat.size}`;
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof vscode.FileSystemError && error.code === "FileNotFound";
}
