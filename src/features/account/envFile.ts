import { readFile, writeFile } from "node:fs/promises";
import { readTextIfThere } from "../../platform/durableFile.ts";
import { isLink } from "../../platform/gitIgnore.ts";

/** Sets a variable in a .env file: replaces it, else appends it. A new file is readable only by its owner. */
export async function writeVariable(path: string, name: string, value: string): Promise<void> {
  const text = (await readTextIfThere(path)) ?? "";
  await writeFile(path, withVariable(text, name, value), { mode: 0o600 });
}

/** The reason that a secret is not written to this file; undefined if it can be. */
export async function secretProblem(path: string, secret: string): Promise<string | undefined> {
  // Characters that parsers of .env files interpret, or a line break, which could add a variable.
  if (!/^[\w.~+/=:@%-]+$/.test(secret))
    return "This secret contains characters with a special meaning in a .env file.";
  // Git's answer for a link does not apply to its target.
  return (await isLink(path)) ? "This .env is a link to another file, which git may track." : undefined;
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
    : "The name of a variable may contain only letters, digits and _.";
}

function lineOf(name: string): RegExp {
  return new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=[^\\r\\n]*`, "m");
}
