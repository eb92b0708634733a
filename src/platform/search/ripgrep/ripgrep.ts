import { type ChildProcess, spawn } from "node:child_process";
import { type Excludes, siblingsOf } from "../rules/excludes.ts";
import { createPathRules, isInRepository } from "../rules/folderRules.ts";
import {
  type FoundFile,
  type FoundLine,
  InvalidPattern,
  keptLine,
  type LinePattern,
  type SearchEngine,
  type SearchScope,
  searchLimits,
  spansLines,
} from "../searchEngine.ts";

/** ripgrep can't be run here: it is missing, not executable, or does not know our options. */
export class RipgrepFailed extends Error {}

/** The search by ripgrep. All methods reject with a RipgrepFailed if it can't be run. */
export function createRipgrep(program: string): SearchEngine {
  const run = (options: Omit<Run, "program">) => runRipgrep({ ...options, program });
  return {
    async search(scope, pattern, signal) {
      const found = collectFiles(scope);
      const args = [
        ...fileArgs(scope),
        ...sizeArgs,
        ...lineArgs(pattern, scope.encoding),
        "--",
        placeArg(scope),
      ];
      const ended = await run({ args, cwd: scope.root, onLine: found.add, signal });
      const end = ended.isStopped ? "lines" : ended.isLate ? "time" : "complete";
      const files = await keptFiles(scope, found.files(end === "complete"), ({ path }) => path);
      return { files, unread: ended.problems, end };
    },
    async searchText(text, pattern, signal) {
      const found = collectLines();
      const args = [...commonArgs, ...lineArgs(pattern, undefined), "--", "-"];
      await run({ args, cwd: undefined, onLine: found.add, signal, input: text });
      return found.lines();
    },
    async list(scope, maxFiles, signal) {
      const paths: string[] = [];
      const isExcluded = excludesBeyondGlobs(scope.rules.excludes);
      const onLine = (line: string) => {
        const path = toPath(line);
        if (scope.wants(path) && !isExcluded(path)) paths.push(path);
        return paths.length < maxFiles;
      };
      const args = [...fileArgs(scope), "--files", "--null", "--", placeArg(scope)];
      const ended = await run({ args, cwd: scope.root, onLine, signal, separator: "\0" });
      const kept = await keptFiles(scope, paths, (path) => path);
      return { paths: kept, isComplete: !ended.isStopped && !ended.isLate };
    },
  };
}

/** No configuration of the user, whose options would change the results. */
const commonArgs = ["--no-config", "--color=never"];

function fileArgs({ rules, folder, names }: SearchScope): readonly string[] {
  const ignoreArgs = rules.usesIgnoreFiles
    ? [
        "--no-ignore-global",
        // Outside of a repository the files named .gitignore count, too.
        ...(isInRepository(rules) ? [] : ["--no-require-git"]),
        ...(needsParents({ rules, folder }) ? [] : ["--no-ignore-parent"]),
      ]
    : ["--no-ignore"];
  return [
    ...commonArgs,
    "--hidden",
    "--no-follow",
    ...ignoreArgs,
    "--iglob=!.git",
    ...rules.excludes.globs.map((glob) => `--glob=${glob}`),
    ...(names === undefined ? [] : [`--type-add=wanted:${names}`, "--type=wanted"]),
  ];
}

/** Not for a list, which has files of any size: ripgrep would look at each file. */
const sizeArgs = [`--max-filesize=${searchLimits.fileBytes}`];

/** Rules of folders above the searched one count, if they are of the same repository. */
function needsParents({ rules, folder }: Pick<SearchScope, "rules" | "folder">): boolean {
  return rules.ancestors.level !== undefined || (folder !== "" && rules.isRepository);
}

function lineArgs({ source, isCaseSensitive }: LinePattern, encoding: string | undefined): readonly string[] {
  return [
    "--json",
    "--crlf",
    "--no-mmap",
    // Patterns with look-around take another engine, which has no bound in time: the process has.
    "--engine=auto",
    isCaseSensitive ? "--case-sensitive" : "--ignore-case",
    ...(spansLines(source) ? ["--multiline"] : []),
    `--max-count=${searchLimits.linesOfFile}`,
    ...(encoding === undefined ? [] : [`--encoding=${encoding}`]),
    `--regexp=${source}`,
  ];
}

function placeArg({ folder }: SearchScope): string {
  return `./${folder}`;
}

function toPath(shown: string): string {
  const path = shown.startsWith("./") || shown.startsWith(".\\") ? shown.slice(2) : shown;
  return process.platform === "win32" ? path.replaceAll("\\", "/") : path;
}

/**
 * What ripgrep can't exclude, by the path of a file it has found. Remembers the folders, which have many files, and tells the
 * folder of the former file without a look at the others: files come folder by folder.
 */
function excludesBeyondGlobs(excludes: Excludes): (path: string) => boolean {
  const folders = new Map([["", false]]);
  let [former, isFormerExcluded] = ["", false];
  const isExcluded = (path: string): boolean => {
    const length = Math.max(0, path.lastIndexOf("/"));
    if (length !== former.length || !path.startsWith(former)) {
      const folder = path.slice(0, length);
      [isFormerExcluded, former] = [isFolderExcluded(folder), folder];
    }
    return isFormerExcluded || excludes.isExcludedBeyondGlobs(path);
  };
  const isFolderExcluded = (folder: string) => {
    const known = folders.get(folder) ?? isExcluded(folder);
    folders.set(folder, known);
    return known;
  };
  return isExcluded;
}

/** Without the files that only we can tell to be left out. */
async function keptFiles<File>(
  scope: SearchScope,
  files: readonly File[],
  pathOf: (file: File) => string,
): Promise<readonly File[]> {
  const { rules, folder } = scope;
  const isLeftOut = createPathRules(rules);
  const isSeen = rules.usesIgnoreFiles && folder !== "" && !needsParents(scope);
  // A list can have 100,000 files.
  if (!isSeen && rules.excludes.siblings.length === 0) return files;
  const isKept = async (path: string) => {
    if (isSeen && (await isLeftOut(path, false))) return false;
    const siblings = siblingsOf(rules.excludes, path);
    const there = await Promise.all(siblings.map((sibling) => rules.tree.has(sibling)));
    return !there.includes(true);
  };
  const kept: File[] = [];
  for (const file of files) {
    const path = pathOf(file);
    const isAsked = isSeen || siblingsOf(rules.excludes, path).length > 0;
    if (!isAsked || (await isKept(path))) kept.push(file);
  }
  return kept;
}

interface Run {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  /** Gets each line of the output. False ends the run. */
  readonly onLine: (line: string) => boolean;
  readonly signal: AbortSignal;
  readonly input?: string;
  readonly separator?: "\n" | "\0";
}

interface Ended {
  /** `onLine` has ended it. */
  readonly isStopped: boolean;
  readonly isLate: boolean;
  /** Number of messages about files and folders that can't be read. */
  readonly problems: number;
}

/** Resolves when the process has ended, which is after `timeMs` at most. */
async function runRipgrep({
  program,
  args,
  cwd,
  onLine,
  signal,
  input,
  separator = "\n",
}: Run): Promise<Ended> {
  signal.throwIfAborted();
  const child = spawn(program, args, { cwd, stdio: "pipe", windowsHide: true });
  let [isStopped, isLate] = [false, false];
  const kill = () => child.kill("SIGKILL");
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, searchLimits.timeMs);
  signal.addEventListener("abort", kill, { once: true });
  readLines(child, separator, (line) => {
    if (isStopped || signal.aborted) return;
    isStopped = !onLine(line);
    if (isStopped) kill();
  });
  const messages = gatherMessages(child);
  child.stdin?.on("error", () => {}); // it may end before it has read all
  child.stdin?.end(input ?? "");
  try {
    const code = await exitCode(child);
    signal.throwIfAborted();
    if (!isStopped && !isLate) checkEnd(code, messages.first());
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", kill);
  }
  return { isStopped, isLate, problems: messages.count() };
}

function exitCode(child: ChildProcess): Promise<number | null> {
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once("error", (error) => reject(new RipgrepFailed(error.message)));
  child.once("close", resolve);
  return promise;
}

/** 0: something was found. 1: nothing. 2: a problem, which can be that of a file among others. */
function checkEnd(code: number | null, message: string): void {
  if (code === 0 || code === 1) return;
  const isPattern = /regex parse error|could not be compiled|PCRE2|size limit|is not allowed in a regex/.test(
    message,
  );
  if (isPattern) throw new InvalidPattern(/^error: (.*)$/m.exec(message)?.[1] ?? firstLine(message));
  if (code !== 2 || !isAboutFile(message)) throw new RipgrepFailed(firstLine(message));
}

/** `rg: ./a/b: Permission denied (os error 13)`. */
function isAboutFile(message: string): boolean {
  return (
    /^rg: .*\(os error \d+\)/m.test(message) ||
    /^rg: .*: .*(loop|encod|decod|invalid|match limit)/im.test(message)
  );
}

function firstLine(message: string): string {
  return message.split("\n", 1)[0] ?? "";
}

/** A longer line of the output has no meaning for us. */
const maxOutputLine = 64_000_000;

function readLines(child: ChildProcess, separator: string, onLine: (line: string) => void): void {
  let rest = "";
  let isSkipped = false;
  child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
    const lines = piece.split(separator);
    const [first = ""] = lines;
    rest += isSkipped ? "" : first;
    if (rest.length > maxOutputLine) [rest, isSkipped] = ["", true];
    if (lines.length === 1) return;
    if (!isSkipped) onLine(rest);
    for (const line of lines.slice(1, -1)) onLine(line);
    [rest, isSkipped] = [lines.at(-1) ?? "", false];
  });
}

const maxMessageLength = 10_000;

function gatherMessages(child: ChildProcess) {
  let text = "";
  let count = 0;
  child.stderr?.setEncoding("utf8").on("data", (piece: string) => {
    count += piece.split("\nrg: ").length - 1 + (text === "" && piece.startsWith("rg: ") ? 1 : 0);
    text = (text + piece).slice(0, maxMessageLength);
  });
  return { first: () => text, count: () => count };
}

/** A message of ripgrep's JSON output. Other members are not read. */
interface Message {
  readonly type: "begin" | "match" | "end";
  readonly data: {
    readonly path?: Text | null;
    readonly lines?: Text;
    readonly line_number?: number | null;
    readonly submatches?: readonly { readonly start: number }[];
    readonly binary_offset?: number | null;
  };
}

/** Base64 if it is not UTF-8. */
type Text = { readonly text: string } | { readonly bytes: string };

function textOf(value: Text | null | undefined): string {
  if (!value) return "";
  return "text" in value ? value.text : new TextDecoder().decode(Buffer.from(value.bytes, "base64"));
}

function collectLines() {
  const lines: FoundLine[] = [];
  return {
    add(json: string): boolean {
      if (json !== "") addMatch(lines, JSON.parse(json) as Message);
      return lines.length < searchLimits.linesOfFile;
    },
    lines: () => lines,
  };
}

function addMatch(lines: FoundLine[], { type, data }: Message): void {
  if (type !== "match" || typeof data.line_number !== "number") return;
  const text = textOf(data.lines).replace(/\n$/, "");
  const start = data.submatches?.[0]?.start ?? 0;
  for (const [index, line] of text.split("\n").entries()) {
    const isLong = index === 0 && line.length > searchLimits.lineLength;
    const matchIndex = isLong ? Buffer.from(line).subarray(0, start).toString().length : 0;
    if (lines.length < searchLimits.linesOfFile)
      lines.push({ line: data.line_number + index, text: keptLine(line, matchIndex) });
  }
}

/** The files of an output, in which those that are searched at the same time are not mixed. */
function collectFiles({ wants, rules }: SearchScope) {
  const isExcluded = excludesBeyondGlobs(rules.excludes);
  const files: FoundFile[] = [];
  let count = 0;
  let current: { readonly path: string; readonly lines: FoundLine[] } | undefined;
  const begin = (path: string) => {
    current = wants(path) && !isExcluded(path) ? { path, lines: [] } : undefined;
  };
  const end = (isBinary: boolean) => {
    if (current && !isBinary) {
      files.push(current);
      count += current.lines.length;
    }
    current = undefined;
  };
  return {
    add(json: string): boolean {
      if (json === "") return true;
      const message = JSON.parse(json) as Message;
      if (message.type === "begin") begin(toPath(textOf(message.data.path)));
      // A file is binary if it has a zero byte anywhere, so it is known at its end.
      else if (message.type === "end") end(typeof message.data.binary_offset === "number");
      else if (current) addMatch(current.lines, message);
      return count < searchLimits.lines;
    },
    files: (isComplete: boolean) => (isComplete || !current?.lines.length ? files : [...files, current]),
  };
}
