import * as vscode from "vscode";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { engineOf } from "../../../../platform/search/editorSearch.ts";
import { readExcludes, readInclude } from "../../../../platform/search/rules/excludes.ts";
import { toScope } from "../../../../platform/search/rules/searchScope.ts";
import { InvalidPattern } from "../../../../platform/search/searchEngine.ts";
import { diskRules } from "../../../../platform/search/trees/diskTree.ts";
import { formatBytes } from "../../../../shared/chat/chatAttachments.ts";
import { looksSecret } from "../../../../shared/secretFiles.ts";
import { encodingOf } from "../../../../tools/files/textSearch.ts";
import type { WorkspaceFiles } from "../../../../tools/files/workspaceFiles.ts";
import type { SubagentTree } from "./subagentTree.ts";

const headBytes = 8_192;

/** The files of a subagent as its tools read them. `folder` is that of the workspace. */
export function treeFiles(tree: SubagentTree, folder: vscode.Uri): WorkspaceFiles {
  const read = async (path: string, maxBytes: number) => {
    const bytes = await tree.bytesOf(await tree.nameOf(path));
    if (bytes.byteLength > maxBytes)
      throw new Refusal(`${path} was not read whole: it is larger than ${formatBytes(maxBytes)}.`);
    return bytes;
  };
  return {
    read,
    async readText(path, maxBytes) {
      await read(path, maxBytes);
      return tree.textOf(await tree.nameOf(path));
    },
    async look(path) {
      if (isFolder(tree, path)) throw new Refusal(`${path} is a folder: list_files shows what is in it.`);
      const bytes = await tree.bytesOf(await tree.nameOf(path));
      return { size: bytes.byteLength, head: bytes.subarray(0, headBytes) };
    },
    async list(path) {
      const root = rootOf(tree, path);
      const names = [...tree.paths]
        .filter((one) => one.startsWith(root))
        .map((one) => one.slice(root.length).replace(/\/.*/s, "/"));
      return { names: [...new Set(names)].sort(), leftOut: 0 };
    },
    async listBelow(path) {
      const root = rootOf(tree, path);
      return { paths: [...tree.paths].filter((one) => one.startsWith(root)), isComplete: true };
    },
    async search({ pattern, include: glob, path }, signal) {
      const include = glob === "" ? undefined : readInclude(glob);
      if (glob !== "" && !include)
        throw new Refusal(`${glob} is not a valid pattern of files. An example is **/*.ts.`);
      const named = { path: await tree.nameOf(path), isFolder: path === "" || isFolder(tree, path) };
      if (!named.isFolder && !tree.paths.has(named.path))
        throw new Refusal(`There is no folder or file ${path}.`);
      const rules = await diskRules(tree.root, readExcludes([]), false);
      const encoding = encodingOf({ uri: folder });
      const scope = await toScope({ root: tree.root, rules, named, include, encoding });
      const wants = (one: string) => scope.wants(one) && tree.paths.has(one) && !looksSecret(one);
      try {
        return await engineOf(vscode.Uri.file(tree.root)).search({ ...scope, wants }, pattern, signal);
      } catch (error) {
        if (error instanceof InvalidPattern) return { invalid: error.message };
        throw error;
      }
    },
  };
}

function isFolder({ paths }: SubagentTree, path: string): boolean {
  const root = `${plainPath(path)}/`;
  return [...paths].some((one) => one.startsWith(root));
}

/** The common start of the paths below a folder. Throws a Refusal if it has no files. */
function rootOf(tree: SubagentTree, path: string): string {
  const plain = plainPath(path);
  if (plain !== "" && !isFolder(tree, plain)) throw new Refusal(`There is no folder ${path}.`);
  return plain === "" ? "" : `${plain}/`;
}

function plainPath(path: string): string {
  return path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
}
