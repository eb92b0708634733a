import { execFile } from "node:child_process";
import { appendFile, lstat, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readTextIfThere } from "../../platform/durableFile.ts";

/** What git says of a file that is about to hold a secret. */
export type IgnoreState = "ignored" | "not-ignored" | "no-repository" | "no-git";

/** Asks git itself, which knows all its exclude files and what is tracked in spite of them. */
export function ignoreState(folder: string, name: string): Promise<IgnoreState> {
  return new Promise((resolve) => {
    execFile("git", ["check-ignore", "--quiet", "--", name], { cwd: folder, timeout: 10_000 }, (error) => {
      if (!error) return resolve("ignored");
      if (error.code === 1) return resolve("not-ignored");
      resolve(error.code === 128 ? "no-repository" : "no-git");
    });
  });
}

/** Adds a line to the folder's .gitignore; one that is a link git does not follow, and neither does this. */
export async function addToGitignore(folder: string, name: string): Promise<void> {
  const path = join(folder, ".gitignore");
  if (await isLink(path)) return;
  const text = (await readTextIfThere(path)) ?? "";
  await appendFile(path, `${text === "" || text.endsWith("\n") ? "" : "\n"}${name}\n`);
}

/** Puts a variable into a .env file: in place of the one of that name, else at the end. Only the owner may read a new file. */
export async function writeVariable(path: string, name: string, value: string): Promise<void> {
  const text = (await readTextIfThere(path)) ?? "";
  await writeFile(path, withVariable(text, name, value), { mode: 0o600 });
}

/** Why a secret is not written into this file; undefined where it may be. */
export async function secretProblem(path: string, secret: string): Promise<string | undefined> {
  // A line that readers end, expand or cut off, or a second variable behind a line break.
  if (!/^[\w.~+/=:@%-]+$/.test(secret))
    return "This secret holds signs that mean something else in a .env file.";
  // What git says of the link holds not for the file behind it.
  return (await isLink(path))
    ? "This .env is a link to another file, which git may well take along."
    : undefined;
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}

export async function hasVariable(path: string, name: string): Promise<boolean> {
  const text = await readFile(path, "utf8").catch(() => "");
  return lineOf(name).test(text);
}

export function withVariable(text: string, name: string, value: string): string {
  const line = `${name}=${value}`;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  if (lineOf(name).test(text)) return text.replace(lineOf(name), () => line);
  return `${text}${text === "" || text.endsWith("\n") ? "" : eol}${line}${eol}`;
}

export function variableProblem(name: string): string | undefined {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name.trim())
    ? undefined
    : "A variable is named with letters, digits and _.";
}

function lineOf(name: string): RegExp {
  return new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=[^\\r\\n]*`, "m");
}
