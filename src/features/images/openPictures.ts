import { basename } from "node:path/posix";
import * as vscode from "vscode";
import { formatBytes, maxHandedBytes } from "../../shared/chatAttachments.ts";

export interface ReadPicture {
  readonly name: string;
  readonly data: Uint8Array;
}

/** Reads files wherever they are; `problem` says which could not be. */
export async function readPictures(
  files: readonly vscode.Uri[],
): Promise<{ readonly read: readonly ReadPicture[]; readonly problem: string | undefined }> {
  const read: ReadPicture[] = [];
  const problems: string[] = [];
  for (const uri of files) {
    const name = basename(uri.path);
    try {
      const { size, type } = await vscode.workspace.fs.stat(uri);
      if (type & vscode.FileType.Directory) problems.push(`${name} is a folder.`);
      else if (size > maxHandedBytes)
        problems.push(`${name} is too large to be made smaller here: ${formatBytes(size)}.`);
      else read.push({ name, data: await vscode.workspace.fs.readFile(uri) });
    } catch (error) {
      problems.push(`${name} can't be read: ${error instanceof Error ? error.message : error}`);
    }
  }
  return { read, problem: problems.length === 0 ? undefined : problems.join(" ") };
}

export async function askPictures(): Promise<readonly vscode.Uri[]> {
  const chosen = await vscode.window.showOpenDialog({
    title: "Pictures to Edit",
    openLabel: "Edit",
    canSelectMany: true,
    filters: { Pictures: ["png", "jpg", "jpeg", "webp", "gif", "avif"], "All files": ["*"] },
  });
  return chosen ?? [];
}
