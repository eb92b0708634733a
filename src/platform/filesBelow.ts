import * as vscode from "vscode";

export interface FilesBelow {
  /** Ends of names, without the dot and in any case; all files where there are none. */
  readonly extensions?: readonly string[];
  /** No more than so many. */
  readonly most: number;
}

/**
 * The files below a folder, in no order, without what the user's settings hide. A file system that an extension brings
 * can be searched only where the editor itself knows how to: any other is walked through.
 */
export async function filesBelow(folder: vscode.Uri, wanted: FilesBelow): Promise<vscode.Uri[]> {
  const pattern = new vscode.RelativePattern(folder, globOf(wanted.extensions));
  const found = await vscode.workspace.findFiles(pattern, undefined, wanted.most);
  return found.length > 0 || folder.scheme === "file" ? found : walk(folder, wanted);
}

/** Folders that nobody means when they say "all files". */
const skipped = new Set(["node_modules", ".git"]);

async function walk(folder: vscode.Uri, { extensions, most }: FilesBelow): Promise<vscode.Uri[]> {
  const ends = extensions?.map((extension) => `.${extension}`);
  const isWanted = (name: string) => !ends || ends.some((end) => name.toLowerCase().endsWith(end));
  const files: vscode.Uri[] = [];
  const folders = [folder];
  for (let next = folders.pop(); next && files.length < most; next = folders.pop()) {
    for (const [name, type] of await vscode.workspace.fs.readDirectory(next)) {
      const uri = vscode.Uri.joinPath(next, name);
      // A linked folder may hold the one that it is in.
      if (type === vscode.FileType.Directory && !skipped.has(name)) folders.push(uri);
      else if (type & vscode.FileType.File && isWanted(name)) files.push(uri);
    }
  }
  return files.slice(0, most);
}

/** Globs know no "in any case". */
function globOf(extensions: readonly string[] | undefined): string {
  if (!extensions) return "**/*";
  const inAnyCase = (text: string) =>
    text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
  return `**/*.{${extensions.map(inAnyCase).join(",")}}`;
}
