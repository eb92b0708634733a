import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { root } from "../tools/paths.ts";

/** Every file of the project, from the root with forward slashes: by git, or by .gitignore without it. */
export function trackedFiles(): string[] {
  const git = spawnSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
  if (git.status === 0) {
    // The index still lists a file that was just deleted.
    return git.stdout.split("\0").filter((path) => path !== "" && isThere(path));
  }
  const ignored = readFileSync(join(root, ".gitignore"), "utf8")
    .split("\n")
    .map((line) => line.replace(/\/$/, ""));
  return readdirSync(root)
    .filter((name) => name !== ".git" && !ignored.includes(name) && !/\.(log|vsix)$/.test(name))
    .flatMap(below)
    .sort();
}

/** The text of a tracked file; undefined for a binary file. */
export function textOf(path: string): string | undefined {
  const bytes = readFileSync(join(root, path));
  return bytes.includes(0) ? undefined : bytes.toString();
}

function below(path: string): string[] {
  const full = join(root, path);
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .split(sep)
        .join("/"),
    );
}

function isThere(path: string): boolean {
  return statSync(join(root, path), { throwIfNoEntry: false })?.isFile() ?? false;
}
