import { fileName } from "../../../shared/text/fileName.ts";
import { compileGlob, type Glob } from "./glob.ts";

/** A line of an ignore file. */
export interface IgnoreRule {
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  /** Gets the path relative to the file's folder, or the name alone if the pattern has no `/`. */
  readonly matches: Glob;
  readonly isForNames: boolean;
}

type Decision = "ignored" | "kept" | undefined;

/** The rules of a file with the syntax of gitignore(5), the strongest first. Lines that are not valid match nothing. */
export function parseIgnoreFile(text: string): readonly IgnoreRule[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  return lines
    .map(toRule)
    .filter((rule) => rule !== undefined)
    .reverse();
}

function toRule(line: string): IgnoreRule | undefined {
  let pattern = withoutTrailingSpaces(line);
  if (pattern === "" || pattern.startsWith("#")) return undefined;
  const isNegated = pattern.startsWith("!");
  if (isNegated) pattern = pattern.slice(1);
  const isForFolders = pattern.endsWith("/");
  if (isForFolders) pattern = pattern.slice(0, -1);
  const isForNames = !pattern.includes("/");
  if (pattern.startsWith("/")) pattern = pattern.slice(1);
  const matches = pattern === "" ? undefined : compileGlob(pattern);
  return matches && { isNegated, isForFolders, isForNames, matches };
}

/** Spaces at the end don't count, unless the last of them is escaped. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " " && !isEscaped(line, end - 1)) end -= 1;
  return line.slice(0, end);
}

function isEscaped(line: string, index: number): boolean {
  let start = index;
  while (line[start - 1] === "\\") start -= 1;
  return (index - start) % 2 === 1;
}

/** The path is relative to the file's folder. */
function decide(rules: readonly IgnoreRule[], path: string, isFolder: boolean): Decision {
  const name = fileName(path);
  for (const rule of rules)
    if ((isFolder || !rule.isForFolders) && rule.matches(rule.isForNames ? name : path))
      return rule.isNegated ? "kept" : "ignored";
  return undefined;
}

/** Names of ignore files, the strongest first. ripgrep reads the same. */
export const ignoreFileNames = [".rgignore", ".ignore", ".gitignore"] as const;

/** What a folder says about the files below it. */
export interface IgnoreLevel {
  /** The folder above, if its rules count, too. */
  readonly above: IgnoreLevel | undefined;
  /** Path of the folder below the topmost level, with a `/` at its end; empty for that level itself. */
  readonly prefix: string;
  /** It has a `.git`: the rules of git in the folders above are those of another repository. */
  readonly isRepository: boolean;
  /** In the order of `ignoreFileNames`, then those of `.git/info/exclude`. */
  readonly rules: readonly (readonly IgnoreRule[])[];
}

/** Kinds of rules from this index on are those of git. */
const firstOfGit = ignoreFileNames.indexOf(".gitignore");

/**
 * True if the rules say that an entry is ignored, by its path below the topmost level. The folders above it are not: that
 * is asked for each of them before.
 */
export function isIgnoredAt(level: IgnoreLevel, path: string, isFolder: boolean): boolean {
  const decisions: Decision[] = [];
  let isOtherRepository = false;
  for (let at: IgnoreLevel | undefined = level; at; at = at.above) {
    const below = path.slice(at.prefix.length);
    for (const [kind, rules] of at.rules.entries())
      if (kind < firstOfGit || !isOtherRepository) decisions[kind] ??= decide(rules, below, isFolder);
    isOtherRepository ||= at.isRepository;
  }
  return decisions.find((decision) => decision !== undefined) === "ignored";
}
