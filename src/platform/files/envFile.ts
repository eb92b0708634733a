import { execFile } from "node:child_process";
import { appendFile, lstat, truncate } from "node:fs/promises";
import { basename, join } from "node:path";
import { readRegular } from "./bounded/readInside.ts";
import { replaceDurably, type TemporaryPlaces } from "./durable/durableFile.ts";
import { isMissing } from "./privateFiles.ts";

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
  const text = await smallText(path);
  try {
    await appendFile(path, `${text === "" || text.endsWith("\n") ? "" : "\n"}${name}\n`);
  } catch (error) {
    // A part of the line would ignore other files.
    await truncate(path, Buffer.byteLength(text)).catch(() => {});
    throw error;
  }
}

/**
 * Sets a variable in a .env file: replaces it, else appends it. The file keeps what it has if that fails. A new one is
 * readable only by its owner.
 */
export async function writeVariable(
  path: string,
  name: string,
  value: string,
  temporary: TemporaryPlaces,
): Promise<void> {
  const text = await smallText(path);
  await replaceDurably(path, withVariable(text, name, value), 0o600, temporary);
}

/** The reason that a secret is not written to this file; undefined if it can be. */
export async function secretProblem(path: string, secret: string): Promise<string | undefined> {
  // Characters that parsers of .env files interpret, or a line break, which could add a variable.
  if (!/^[\w.~+/=:@%-]+$/.test(secret))
    return "This secret contains characters with a special meaning in a .env file.";
  // Git's answer for a link does not apply to its target.
  return (await isLink(path)) ? "This .env is a link to another file, which git may track." : undefined;
}

/** More than any real one has: the workspace can contain any file under these names. */
const mostBytes = 1_000_000;

/** Empty for a file that does not exist. Throws if it is too large, no regular file, or can't be read. */
async function smallText(path: string): Promise<string> {
  const text = await readRegular(path, mostBytes).catch((error: unknown) => {
    if (isMissing(error)) return "";
    throw error;
  });
  if (typeof text === "string") return text;
  const why = text.failure === "too-large" ? "is larger than 1 MB" : "is not a regular file";
  throw new Error(`${basename(path)} ${why}, so nothing was written.`);
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}

export async function hasVariable(path: string, name: string): Promise<boolean> {
  const text = await smallText(path).catch(() => "");
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
    : "The name of a variable may contain only letters, digits and _.";
}

function lineOf(name: string): RegExp {
  return new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=[^\\r\\n]*`, "m");
}
