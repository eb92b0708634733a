import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ownMember } from "../../../../../shared/members.ts";
import { looksSecret } from "../../../../../shared/secretFiles.ts";
import type { SimpleCommand } from "../commandLine.ts";
import {
  type CommandPlace,
  hasTrueRepository,
  isProgramOfWorkspace,
  isReadable,
  isReadableName,
  nowhere,
} from "./commandPlace.ts";
import { type ReadWords, readOptions } from "./programOptions.ts";
import {
  findWords,
  type GitReading,
  gitChoices,
  gitReadings,
  programsWithShortVersion,
  programsWithVersion,
  type ReadingProgram,
  readingPrograms,
} from "./readingPrograms.ts";

/** A command that does nothing but read files of the workspace, if the disk is as `holds` finds it. */
export interface ReadingCommand {
  /** True if its paths lead to files of the workspace after links, and to no secrets. */
  holds(): Promise<boolean>;
}

/** Undefined for a command that may do anything else than read files of the workspace that are no secrets. */
export function readingCommand(place: CommandPlace, command: SimpleCommand): ReadingCommand | undefined {
  const inputs: string[] = [];
  for (const { operator, path } of command.files) {
    if (operator === "<") inputs.push(path);
    else if (path !== nowhere) return undefined;
  }
  const [program = "", ...words] = command.words;
  if (isProgramOfWorkspace(place, program) || !inputs.every((path) => isNamedReadable(place, path)))
    return undefined;
  const reading = readingOf(place, program, words);
  if (!reading) return undefined;
  return {
    async holds() {
      for (const path of inputs) if (!(await isReadable(place, path, "other"))) return false;
      return reading.holds();
    },
  };
}

/** True for a program that reads its input only: the end of a pipe. */
export function isFilter(
  place: CommandPlace,
  { words: [program = "", ...words], files }: SimpleCommand,
): boolean {
  if (isProgramOfWorkspace(place, program) || files.some(({ path }) => path !== nowhere)) return false;
  if (program === "sed" && words.length === 2) return linesOf(words) !== undefined;
  const found = listedProgram(program);
  if (!found?.isFilter) return false;
  const read = readOptions(found, words);
  if (!read || found.recursive?.some((option) => read.options.includes(option))) return false;
  if (found.operands === "text") return true;
  return pathsOf(found, read).length === 0 && lateOf(read).every((value) => isNamedReadable(place, value));
}

const always: ReadingCommand = { holds: async () => true };

function readingOf(
  place: CommandPlace,
  program: string,
  words: readonly string[],
): ReadingCommand | undefined {
  if (words.length === 1 && words[0] === "--version")
    return programsWithVersion.has(program) ? always : undefined;
  if (words.length === 1 && words[0] === "-v" && programsWithShortVersion.has(program)) return always;
  // Shells print escape sequences.
  if (program === "echo") return words.some((word) => word.includes("\\")) ? undefined : always;
  if (program === "find") return readingFind(place, words);
  if (program === "git") return readingGit(place, words[0] === "--no-pager" ? words.slice(1) : words);
  if (program === "sed") return readingSed(place, words);
  const found = listedProgram(program);
  return found && readingListed(place, found, words);
}

/** Undefined also for one that gets more options by its environment. */
function listedProgram(program: string): ReadingProgram | undefined {
  const found = ownMember<ReadingProgram>(readingPrograms, program);
  return found?.config !== undefined && process.env[found.config] ? undefined : found;
}

function readingListed(
  place: CommandPlace,
  found: ReadingProgram,
  words: readonly string[],
): ReadingCommand | undefined {
  const read = readOptions(found, words);
  if (!read || read.operands.length > (found.mostOperands ?? read.operands.length)) return undefined;
  // On macOS options end at the first file, so that another one is the second file.
  if (found.mostOperands === 1 && read.operands.length === 1 && words.at(-1) !== read.operands[0])
    return undefined;
  if (found.operands === "text") return always;
  if (found.operands === "none") return read.operands.length === 0 ? always : undefined;
  if (found.operands === "format")
    return read.operands.every((word) => word.startsWith("+")) ? always : undefined;
  return readingFiles(place, found, read);
}

function readingFiles(
  place: CommandPlace,
  program: ReadingProgram,
  read: ReadWords,
): ReadingCommand | undefined {
  const { folders = "names", recursive = [] } = program;
  const named = pathsOf(program, read);
  const isRecursive = program.recursive !== undefined && (recursive.length === 0 || hasAny(read, recursive));
  const paths = named.length === 0 && isRecursive ? ["."] : named;
  if (![...paths, ...lateOf(read)].every((path) => isNamedReadable(place, path))) return undefined;
  const use = recursive.length > 0 && !isRecursive ? "names" : folders;
  return {
    async holds() {
      for (const path of paths) if (path !== "-" && !(await isReadable(place, path, use))) return false;
      return true;
    },
  };
}

/** The operands that are paths. */
function pathsOf({ operands }: ReadingProgram, read: ReadWords): readonly string[] {
  if (operands !== "pattern" || hasAny(read, ["-e", "--regexp"])) return read.operands;
  return read.operands.slice(1);
}

function lateOf({ values }: ReadWords): readonly string[] {
  return values.filter(({ isLate }) => isLate).map(({ text }) => text);
}

function hasAny({ options }: ReadWords, some: readonly string[]): boolean {
  return options.some((option) => some.includes(option));
}

/** `-` is the input. Old programs read `+5` as an option. */
function isNamedReadable(place: CommandPlace, path: string): boolean {
  return path === "-" || path === nowhere || (!path.startsWith("+") && isReadableName(place, path));
}

/** The files of which `sed` prints lines by their numbers; undefined for whatever else it does. It takes options anywhere. */
function linesOf([option, script = "", ...paths]: readonly string[]): readonly string[] | undefined {
  const isPrint = script.split(";").every((one) => /^(?:\d+|\$)(?:,(?:\d+|\$))?p$/.test(one));
  return option === "-n" && isPrint && !paths.some((path) => path.startsWith("-")) ? paths : undefined;
}

function readingSed(place: CommandPlace, words: readonly string[]): ReadingCommand | undefined {
  const paths = linesOf(words);
  if (!paths?.every((path) => isNamedReadable(place, path))) return undefined;
  return { holds: () => allReadable(place, paths) };
}

/** Names only: all of its expression is known. */
function readingFind(place: CommandPlace, words: readonly string[]): ReadingCommand | undefined {
  const end = words.findIndex((word) => /^[-!(),]/.test(word));
  const [paths, expression] = end < 0 ? [words, []] : [words.slice(0, end), words.slice(end)];
  for (let at = 0; at < expression.length; at++) {
    const word = expression[at] ?? "";
    if (findWords.valued.has(word)) at += 1;
    else if (!findWords.plain.has(word)) return undefined;
  }
  if (!paths.every((path) => isNamedReadable(place, path))) return undefined;
  return {
    async holds() {
      for (const path of paths) if (!(await isReadable(place, path, "names"))) return false;
      return true;
    },
  };
}

function readingGit(
  place: CommandPlace,
  [name = "", ...words]: readonly string[],
): ReadingCommand | undefined {
  const found = ownMember<GitReading>(gitReadings, name);
  // Another folder may be a repository whose settings run programs.
  if (!found || place.folder !== place.roots[0]) return undefined;
  const read = readOptions(found, words);
  // `%G?` in a format runs a program that checks signatures.
  if (!read || words.some((word) => word.includes("%G"))) return undefined;
  const isKnown = found.takesOperands || read.operands.length === 0;
  if (!isKnown || !read.operands.every((word) => isRevisionOrPath(place, word))) return undefined;
  if (found.contents === "names") return always;
  if (found.contents === "paths") return { holds: () => allReadable(place, read.operands) };
  return readingContents(place, { name, words, read, shows: found.shows });
}

/** A command that shows contents of files: those of whole revisions, of the working tree, or of named objects. */
function readingContents(
  place: CommandPlace,
  {
    name,
    words,
    read,
    shows,
  }: {
    readonly name: string;
    readonly words: readonly string[];
    readonly read: ReadWords;
    readonly shows: GitReading["shows"];
  },
): ReadingCommand | undefined {
  const objects = read.operands.filter((word) => word.includes(":"));
  if (name === "show" && objects.length > 0)
    return objects.length === read.operands.length ? always : undefined;
  if (objects.length > 0) return undefined;
  if (shows && !hasAny(read, shows)) return always;
  return { holds: async () => hasTrueRepository(place) && showsNoSecrets(place, name, words, read) };
}

async function allReadable(place: CommandPlace, paths: readonly string[]): Promise<boolean> {
  for (const path of paths) if (!(await isReadable(place, path, "other"))) return false;
  return true;
}

/** A revision, a path of the workspace, or `revision:path`. No search in messages (`:/x`) and no pattern (`:(top)`). */
function isRevisionOrPath(place: CommandPlace, word: string): boolean {
  if (!/^[\w./@~^:=+ -]+$/.test(word)) return false;
  const [, path] = /^[\w./@~^-]*:(?:[0-3]:)?(.*)$/.exec(word) ?? [];
  if (path === undefined) return !word.includes(":") && isReadableName(place, word);
  return !path.includes(":") && !/^[/!^(]/.test(path) && path !== "" && isReadableName(place, path);
}

/** It runs outside of the sandbox, so neither a monitor nor a folder without `.git` says what it runs. */
const ownPrograms = ["-c", "core.fsmonitor=false", "-c", "safe.bareRepository=explicit"];
const gitTimeoutMs = 5_000;
const mostNamesBytes = 1_000_000;

/** Git itself tells which files a command would show. False also if it can't tell, or there are too many. */
async function showsNoSecrets(
  { folder }: CommandPlace,
  name: string,
  words: readonly string[],
  read: ReadWords,
): Promise<boolean> {
  const end = words.indexOf("--");
  const before = end < 0 ? words : words.slice(0, end);
  const after = end < 0 ? [] : words.slice(end);
  const operands = before.filter((word) => read.operands.includes(word));
  const chosen = read.options.filter((option) => gitChoices.has(option));
  const format = name === "diff" ? [] : ["--format="];
  const asked = [
    "--name-only",
    "--no-renames",
    "--no-ext-diff",
    "-z",
    ...format,
    ...limitsOf(before),
    ...chosen,
  ];
  try {
    const { stdout } = await promisify(execFile)(
      "git",
      [...ownPrograms, "--no-pager", name, ...asked, ...operands, ...after],
      {
        cwd: folder,
        timeout: gitTimeoutMs,
        maxBuffer: mostNamesBytes,
        env: { ...process.env, GIT_OPTIONAL_LOCKS: "0" },
      },
    );
    return !stdout.split("\0").some((path) => looksSecret(path.trim()));
  } catch {
    return false;
  }
}

/** The number of commits. */
function limitsOf(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    if (word === "-n") return [`-n${words[index + 1] ?? ""}`];
    return /^(-n?\d+|--(max-count|skip)=\d+)$/.test(word) ? [word] : [];
  });
}
