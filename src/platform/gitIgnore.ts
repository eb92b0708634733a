import { execFile } from "node:child_process";
import { appendFile, lstat } from "node:fs/promises";
import { join } from "node:path";
import { readTextIfThere } from "./durableFile.ts";

/** Git's state of a file before a secret is written to it. */
export type IgnoreState = "ignored" | "not-ignored" | "no-repository" | "no-git";

/** Asks git itself because it knows all exclude files and all tracked files. */
export function ignoreState(folder: string, name: string): Promise<IgnoreState> {
  return new Promise((resolve) => {
    execFile("git", ["check-ignore", "--quiet", "--", name], { cwd: folder, timeout: 10_000 }, (error) => {
      if (!error) return resolve("ignored");
      if (error.code === 1) return resolve("not-ignored");
      resolve(error.code === 128 ? "no-repository" : "no-git");
    });
  });
}

/** Adds a line to the folder's .gitignore. A link is not followed because git does not follow it either. */
export async function addToGitignore(folder: string, name: string): Promise<void> {
  const path = join(folder, ".gitignore");
  if (await isLink(path)) return;
  const text = (await readTextIfThere(path)) ?? "";
  await appendFile(path, `${text === "" || text.endsWith("\n") ? "" : "\n"}${name}\n`);
}

export async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}
