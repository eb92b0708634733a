// Contestants of the benchmark `search`, given the root of the workspace: our search beside ripgrep itself.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rgPath } from "@vscode/ripgrep";
import { bestPaths, foldersOf } from "../../../src/chat/host/attachments/sources/fuzzy.ts";
import { foundText } from "../../../src/chat/host/tools/search/searchResult.ts";
import { createRipgrep } from "../../../src/platform/search/ripgrep/ripgrep.ts";
import { readExcludes } from "../../../src/platform/search/rules/excludes.ts";
import { toScope } from "../../../src/platform/search/rules/searchScope.ts";
import { diskRules } from "../../../src/platform/search/trees/diskTree.ts";
import type { Prepare } from "../interleave.ts";

const { signal } = new AbortController();
const maxFiles = 200_000;

const scopeOf = async (root: string) => {
  const rules = await diskRules(root, readExcludes([{ "**/.git": true, "**/node_modules": true }]), true);
  return toScope({ root, rules, named: { path: "", isFolder: true } });
};

/** Finds a text as `search_workspace` does, and writes the result. Returns the number of lines. */
export const search: Prepare<string> = (root) => async () => {
  const pattern = { source: "needle", isCaseSensitive: false };
  const found = await createRipgrep(rgPath).search(await scopeOf(root), pattern, signal);
  if (foundText(found) === "") throw new Error("nothing was found");
  return found.files.reduce((sum, { lines }) => sum + lines.length, 0);
};

export const rg: Prepare<string> = (root) => () =>
  linesOf(root, [
    "--ignore-case",
    "--line-number",
    "--hidden",
    "--no-require-git",
    "--iglob=!.git",
    "needle",
    "./",
  ]);

/** Lists all files, as `@` in the prompt and `list_files` do. Returns their number. */
export const list: Prepare<string> = (root) => async () => {
  const { paths } = await createRipgrep(rgPath).list(await scopeOf(root), maxFiles, signal);
  return paths.length;
};

export const rgFiles: Prepare<string> = (root) => () =>
  linesOf(root, ["--files", "--hidden", "--no-require-git", "--iglob=!.git", "./"]);

/** What `@` does for each letter, at n, 2n and 4n files. Returns the milliseconds of each. */
export const mentions: Prepare<string> = (root) => async () => {
  const { paths } = await createRipgrep(rgPath).list(await scopeOf(root), maxFiles, signal);
  return [4, 2, 1].map((part) => {
    const some = paths.slice(0, paths.length / part);
    const times = [0, 1, 2].map(() => {
      const startMs = performance.now();
      bestPaths([...some, ...foldersOf(some)], "f9", 12);
      return performance.now() - startMs;
    });
    return Math.min(...times);
  });
};

async function linesOf(cwd: string, args: readonly string[]): Promise<number> {
  const child = spawn(rgPath, ["--no-config", ...args], { cwd, stdio: ["ignore", "pipe", "inherit"] });
  let lines = 0;
  child.stdout.on("data", (piece: Buffer) => {
    for (const byte of piece) if (byte === 10) lines += 1;
  });
  await once(child, "close");
  return lines;
}
