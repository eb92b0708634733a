import type { FolderUse } from "./commandPlace.ts";
import type { ProgramOptions } from "./programOptions.ts";

/** A program that only reads, with the options and words with which it does nothing else. */
export interface ReadingProgram extends ProgramOptions {
  /**
   * What its words are. `pattern`: the first one is no path, unless an option gives the pattern; `text`: it reads no files;
   * `format`: they begin with `+`; `none`: it takes none.
   */
  readonly operands: "paths" | "pattern" | "text" | "format" | "none";
  readonly mostOperands?: number;
  /** What it reads of a folder; `names` if absent. */
  readonly folders?: FolderUse;
  /** Options with which it reads whole folders: the one it runs in, if none is named. */
  readonly recursive?: readonly string[];
  /** An environment variable that gives it more options, which may make it run programs. */
  readonly config?: string;
  /** True if it reads its input when it is given no paths. */
  readonly isFilter?: true;
}

/** `head` and `tail`. */
const endOfFile: ReadingProgram = {
  operands: "paths",
  isFilter: true,
  isNumbered: true,
  flags: "qv",
  valued: "nc",
  long: "lines= bytes= quiet verbose",
};

/**
 * Programs that neither write nor run anything, with options that mean nothing else in the GNU, BSD and BusyBox versions. Left
 * out on purpose: what follows links (`-L`, `grep -R`), reads names from files (`-f`, `--files-from`), writes (`-o`), runs
 * programs (`--pre`, `-z` of rg and file), does not end (`tail -f`), and programs that show the environment.
 */
export const readingPrograms: Readonly<Record<string, ReadingProgram>> = {
  ls: {
    operands: "paths",
    flags: "1AaCcdFGghilnpRrSstu",
    long: "all almost-all human-readable reverse recursive size directory color color= sort= time= group-directories-first classify",
  },
  cat: { operands: "paths", isFilter: true, flags: "AbEenstTv", long: "number show-all squeeze-blank" },
  head: endOfFile,
  tail: endOfFile,
  wc: { operands: "paths", isFilter: true, flags: "clLmw", long: "lines words bytes chars" },
  nl: { operands: "paths", isFilter: true, valued: "bwsv" },
  tac: { operands: "paths", isFilter: true },
  rev: { operands: "paths", isFilter: true },
  cut: {
    operands: "paths",
    isFilter: true,
    flags: "s",
    valued: "bcdf",
    long: "delimiter= fields= characters= bytes= complement only-delimited output-delimiter=",
  },
  tr: { operands: "text", isFilter: true, flags: "cCds", long: "delete complement squeeze-repeats" },
  sort: {
    operands: "paths",
    isFilter: true,
    flags: "bdfghinrsuV",
    valued: "kt",
    long: "key= field-separator= numeric-sort reverse unique human-numeric-sort version-sort ignore-case stable",
  },
  // A second word is a file that it writes.
  uniq: {
    operands: "paths",
    mostOperands: 1,
    isFilter: true,
    flags: "cdiu",
    valued: "fsw",
    long: "count repeated unique ignore-case",
  },
  grep: {
    operands: "pattern",
    isFilter: true,
    isNumbered: true,
    folders: "all",
    recursive: ["-r", "--recursive"],
    flags: "EFGiIwxcHhlLnoqrsv",
    valued: "eABCm",
    long: "ignore-case invert-match word-regexp line-regexp count files-with-matches files-without-match line-number only-matching quiet no-messages with-filename no-filename extended-regexp fixed-strings basic-regexp recursive color color= colour= regexp= after-context= before-context= context= max-count= include= exclude= exclude-dir=",
  },
  rg: {
    operands: "pattern",
    folders: "searched",
    config: "RIPGREP_CONFIG_PATH",
    recursive: [],
    flags: "iSswxvclnNoHIFpU",
    valued: "eABCmtTM",
    long: "ignore-case smart-case case-sensitive word-regexp line-regexp invert-match count count-matches files-with-matches line-number no-line-number only-matching with-filename no-filename fixed-strings multiline heading no-heading color= colors= regexp= after-context= before-context= context= max-count= max-columns= max-depth= type= type-not= sort= stats trim pretty column vimgrep",
  },
  diff: {
    operands: "paths",
    mostOperands: 2,
    folders: "other",
    flags: "abBcEiNqsuwy",
    valued: "U",
    long: "unified unified= brief color color= ignore-all-space ignore-space-change ignore-blank-lines side-by-side suppress-common-lines report-identical-files",
  },
  cmp: { operands: "paths", mostOperands: 2, flags: "bls" },
  comm: { operands: "paths", mostOperands: 2, flags: "123i" },
  file: { operands: "paths", flags: "bi", long: "brief mime mime-type mime-encoding" },
  stat: { operands: "paths", flags: "tx", valued: "cf", long: "format= printf= terse" },
  du: {
    operands: "paths",
    flags: "achkms",
    valued: "d",
    long: "all human-readable summarize total max-depth= apparent-size",
  },
  tree: { operands: "paths", flags: "adfphsDr", valued: "LIP", long: "dirsfirst noreport" },
  sha256sum: { operands: "paths", isFilter: true },
  sha1sum: { operands: "paths", isFilter: true },
  md5sum: { operands: "paths", isFilter: true },
  cksum: { operands: "paths", isFilter: true },
  realpath: { operands: "paths" },
  readlink: { operands: "paths", flags: "fen" },
  basename: { operands: "text" },
  dirname: { operands: "text" },
  which: { operands: "text", flags: "a" },
  pwd: { operands: "none", flags: "LP" },
  whoami: { operands: "none" },
  uname: { operands: "none", flags: "amnoprsv" },
  nproc: { operands: "none", long: "all" },
  date: { operands: "format", flags: "uR", long: "utc iso-8601 iso-8601=" },
  true: { operands: "none" },
  false: { operands: "none" },
};

/** Programs that print their version and end. */
export const programsWithVersion = new Set(
  "node npm pnpm yarn bun deno python python3 pip pip3 uv ruby gem bundle go cargo rustc java javac mvn gradle dotnet swift git make cmake gcc g++ clang php composer perl docker kubectl terraform tsc eslint prettier jest vitest pytest ruff mypy black forge rg".split(
    " ",
  ),
);

/** Those of which `-v` alone means the same. */
export const programsWithShortVersion = new Set(["node", "npm", "pnpm", "yarn"]);

/** Tests and operators of `find` that print names. Absent: those that run programs, write files, follow links or read lists. */
export const findWords = {
  /** Without a value. */
  plain: new Set(
    "-print -print0 -prune -empty -not -a -and -o -or -true -false -depth -xdev -mount -readable -writable -executable ! ( ) ,".split(
      " ",
    ),
  ),
  /** Followed by a value. */
  valued: new Set(
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -maxdepth -mindepth -size -mtime -mmin -ctime -cmin -atime -amin -perm -user -group -links -printf".split(
      " ",
    ),
  ),
};

/** What a command of Git shows. */
export interface GitReading extends ProgramOptions {
  /**
   * `names`: names and messages; `paths`: the contents of the named files; `changes`: those of changed files, with the
   * options `shows` or, if it is absent, always.
   */
  readonly contents: "names" | "paths" | "changes";
  readonly shows?: readonly string[];
  /** True if its words are read only: a branch, a tag or a value is changed by words of other commands. */
  readonly takesOperands: boolean;
}

const commits =
  "oneline graph decorate decorate= all branches tags remotes stat stat= shortstat numstat name-only name-status abbrev-commit merges no-merges since= until= after= before= author= committer= grep= format= pretty pretty= date= reverse first-parent max-count= skip= topo-order date-order no-color color color= no-decorate left-right cherry-pick";
const changes =
  "stat stat= shortstat numstat name-only name-status summary word-diff word-diff= color color= no-color diff-filter= unified= ignore-all-space ignore-space-change ignore-blank-lines minimal patience histogram no-prefix find-renames no-renames abbrev exit-code no-ext-diff no-textconv patch no-patch";

/**
 * Commands of Git that change nothing. Left out on purpose: `--output`, `--ext-diff`, `--textconv`, `--no-index` and
 * `--contents`, which write, run programs or read any file, `--show-signature`, which runs a program, and options before the
 * command, such as `-c`.
 */
export const gitReadings: Readonly<Record<string, GitReading>> = {
  status: {
    contents: "names",
    takesOperands: true,
    flags: "sb",
    long: "short branch porcelain porcelain= long untracked-files untracked-files= ignored show-stash ahead-behind no-renames",
  },
  log: {
    contents: "changes",
    shows: ["-p", "-u", "--patch", "--unified", "--word-diff"],
    takesOperands: true,
    isNumbered: true,
    flags: "ipu",
    valued: "nSG",
    long: `${commits} ${changes}`,
  },
  show: {
    contents: "changes",
    takesOperands: true,
    flags: "psuw",
    valued: "U",
    long: `${changes} format= pretty= oneline date= abbrev-commit`,
  },
  diff: {
    contents: "changes",
    takesOperands: true,
    flags: "bpRuwzMCDsW",
    valued: "U",
    long: `${changes} cached staged merge-base check quiet`,
  },
  blame: { contents: "paths", takesOperands: true, flags: "eflnstwMC", valued: "L", long: "since= date=" },
  branch: {
    contents: "names",
    takesOperands: false,
    flags: "arv",
    long: "list all remotes show-current verbose",
  },
  tag: { contents: "names", takesOperands: false, flags: "l", long: "list" },
  "rev-parse": {
    contents: "names",
    takesOperands: true,
    long: "abbrev-ref short short= show-toplevel show-prefix show-cdup verify is-inside-work-tree git-dir symbolic-full-name",
  },
  "ls-files": {
    contents: "names",
    takesOperands: true,
    flags: "cdmostu",
    long: "cached deleted modified others stage unmerged exclude-standard error-unmatch",
  },
  describe: { contents: "names", takesOperands: true, long: "tags all always dirty long abbrev=" },
};

/** Options that decide which changes are shown; the others decide how. */
export const gitChoices = new Set([
  "--cached",
  "--staged",
  "--merge-base",
  "--all",
  "--branches",
  "--tags",
  "--remotes",
  "--first-parent",
]);
