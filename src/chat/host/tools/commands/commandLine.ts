import { fileName } from "../../../../shared/text/fileName.ts";
import { hidesSomething } from "../../../../shared/text/html/visibleText.ts";

/** Words that run other commands, so that their arguments say nothing. */
const wrappers = new Set(
  "sudo doas su env xargs eval exec source . command builtin sh bash zsh fish dash ksh pwsh powershell cmd nohup time timeout watch parallel ssh script nice setsid unbuffer busybox trap stdbuf flock ionice chroot taskset unshare strace npx bunx pnpx if then else elif fi for while until do done case esac select function coproc in".split(
    " ",
  ),
);
/**
 * Builtins of shells that change how the next commands of a line are read or found, or that evaluate their arguments.
 * `/bin/sh` may be dash, bash, ksh or zsh.
 */
const stateful = new Set(
  "alias autoload bind bindkey chdir cd compgen complete compopt compound declare dirs disable disown emulate enable enum export fc float functions getopts hash history integer jobs let limit local mapfile nameref noglob nocorrect popd print pushd pushln read readarray readonly rehash repeat sched set setopt shift shopt typeset ulimit umask unalias unfunction unhash unlimit unset unsetopt vared zcompile zle zmodload zparseopts zstyle".split(
    " ",
  ),
);
/** Options that name a variable, which is set or evaluated. */
const variableOptions = new Map([
  ["printf", /^-v/],
  ["wait", /^-[a-z]*p/],
  ["test", /^-v$/],
]);
/** Words of `find` that run programs or change files. */
const findActions = /^-(exec|execdir|ok|okdir|delete|fprint.*|fls)$/;
const operators = /^(?:&&|\|\||;|\||\n)/;
/** A stream is sent where another one goes. */
const duplication = /^[12]?>&[12](?=[ \t\n;|&]|$)/;
/** The target of another form (`<<`, `<>`, `>&x`, `>|`, `<(`) is no file, or not one that is named here. */
const redirection = /^[12]?(>>|>|<)(?![<>&|(])[ \t]*/;

/** A command of a line, as a shell for POSIX runs it. */
export interface SimpleCommand {
  /** The program and its arguments. */
  readonly words: readonly string[];
  /** Files that are opened for it; `2>&1` opens none. */
  readonly files: readonly OpenedFile[];
}

/** A file that a redirection opens. */
interface OpenedFile {
  readonly operator: "<" | ">" | ">>";
  readonly path: string;
}

/**
 * The pipelines of a line for a POSIX shell. Undefined if it can't be judged with certainty: substitutions, variables, globs,
 * background jobs, assignments, control characters, spaces other than the shell's, redirections that don't open a named
 * file, and commands that run other commands.
 */
export function pipelinesOf(line: string): readonly (readonly SimpleCommand[])[] | undefined {
  const reader = new LineReader();
  let rest = trimmed(line);
  while (rest !== "") {
    const token = tokenAt(rest);
    if (!token || !reader.add(token)) return undefined;
    rest = rest.slice(token.length).replace(/^[ \t]+/, "");
  }
  const pipelines = reader.end();
  return pipelines?.every((commands) => commands.every(({ words }) => isSimple(words)))
    ? pipelines
    : undefined;
}

/** Into which folder a line changes before its other commands (`cd a && …`), and these; undefined if it does not. */
export function changedFolder(line: string): { readonly path: string; readonly rest: string } | undefined {
  const text = trimmed(line);
  const [start] = /^cd[ \t]+(?!-)/.exec(text) ?? [];
  const word = start === undefined ? undefined : wordAt(text.slice(start.length));
  if (start === undefined || !word) return undefined;
  const [, rest] = /^[ \t]*&&[ \t\n]*(.+)$/s.exec(text.slice(start.length + word.length)) ?? [];
  return rest === undefined ? undefined : { path: word.text, rest };
}

/** The words of each simple command of a line; undefined as above, and if one opens a file. */
export function simpleCommands(line: string): readonly (readonly string[])[] | undefined {
  const commands = pipelinesOf(line)?.flat();
  return commands?.every(({ files }) => files.length === 0) ? commands.map(({ words }) => words) : undefined;
}

interface OpenCommand {
  readonly words: string[];
  readonly files: OpenedFile[];
}

const emptyCommand = (): OpenCommand => ({ words: [], files: [] });

/** Collects the tokens of a line. */
class LineReader {
  readonly #pipelines: OpenCommand[][] = [];
  #command = emptyCommand();
  /** True after `;` or a line break, which may be the last token. */
  #isComplete = false;

  constructor() {
    this.#pipelines.push([this.#command]);
  }

  /** False if the shell refuses the token there. */
  add(token: Token): boolean {
    this.#isComplete = false;
    if (token.kind === "word") this.#command.words.push(token.text);
    else if (token.kind === "file") this.#command.files.push(token);
    else if (token.kind === "operator") return this.#begin(token.text);
    return true;
  }

  end(): readonly (readonly SimpleCommand[])[] | undefined {
    const { words, files } = this.#command;
    const isEmpty = words.length === 0 && files.length === 0;
    const pipelines = isEmpty && this.#isComplete ? this.#pipelines.slice(0, -1) : this.#pipelines;
    return pipelines.length > 0 ? pipelines : undefined;
  }

  #begin(operator: string): boolean {
    if (this.#command.words.length === 0) return false;
    this.#command = emptyCommand();
    if (operator === "|") this.#pipelines.at(-1)?.push(this.#command);
    else this.#pipelines.push([this.#command]);
    this.#isComplete = operator === ";" || operator === "\n";
    return true;
  }
}

/** A part of a line; `length` is that of its source. */
type Token =
  | { readonly kind: "operator" | "word"; readonly text: string; readonly length: number }
  | { readonly kind: "duplication"; readonly length: number }
  | ({ readonly kind: "file"; readonly length: number } & OpenedFile);

/** The token at the beginning of a text; undefined if it has another meaning for the shell. */
function tokenAt(text: string): Token | undefined {
  const operator = operators.exec(text)?.[0];
  if (operator !== undefined) return { kind: "operator", text: operator, length: operator.length };
  const duplicated = duplication.exec(text)?.[0];
  if (duplicated !== undefined) return { kind: "duplication", length: duplicated.length };
  const [opens, operatorOfFile] = redirection.exec(text) ?? [];
  if (opens !== undefined) return fileAt(text.slice(opens.length), opens.length, operatorOfFile);
  const word = wordAt(text);
  return word && { kind: "word", ...word };
}

/** `offset`: the length of the operator before the name of the file. */
function fileAt(text: string, offset: number, operator: string | undefined): Token | undefined {
  const word = wordAt(text);
  // zsh reads `<1-5>` as a pattern of numbers, and a shell may take `-` for a closed stream.
  if (!word || /^[\d-]*$/.test(word.text)) return undefined;
  if (operator !== "<" && operator !== ">" && operator !== ">>") return undefined;
  return { kind: "file", operator, path: word.text, length: offset + word.length };
}

/** Without the blanks and line breaks around it, as the shell reads it. `trim` removes more, which names another program. */
function trimmed(line: string): string {
  return line.replace(/^[ \t\n]+/, "").replace(/(?<![ \t\n])[ \t\n]+$/, "");
}

/** Printable characters without a meaning for the shell. */
const plain = /^[\w./:@%+,=-]+/;
/** `~1` in `HEAD~1`: a shell expands `~` only where a word begins. */
const parentOf = /^~\d*(?=[ \t\n;|&.]|$)/;

/** The word at the beginning of a text; undefined if it has a meaning for the shell. */
function wordAt(text: string): { readonly text: string; readonly length: number } | undefined {
  let [word, at] = ["", 0];
  while (at < text.length) {
    const rest = text.slice(at);
    const piece = pieceAt(rest, word);
    if (!piece) {
      if (endsWord(rest, word)) break;
      return undefined;
    }
    word += piece.text;
    at += piece.length;
  }
  return at === 0 ? undefined : { text: word, length: at };
}

/** The quoted or plain part of a word that goes on with `rest`. */
function pieceAt(rest: string, word: string): { readonly text: string; readonly length: number } | undefined {
  const found = plain.exec(rest)?.[0] ?? (/\w$/.test(word) ? parentOf.exec(rest)?.[0] : undefined);
  if (found !== undefined) return { text: found, length: found.length };
  const [parenthesis] = (word === "" && /^\\[()](?=[ \t]|$)/.exec(rest)) || [];
  if (parenthesis !== undefined) return { text: parenthesis.slice(1), length: parenthesis.length };
  const [single, plainText = ""] = /^'([^'\n]*)'/.exec(rest) ?? [];
  const [double, escaped = ""] = /^"((?:[^"\\$`!\n]|\\[^!\n])*)"/.exec(rest) ?? [];
  const quoted = single ?? double;
  // Before any other character the backslash stays.
  const text = single === undefined ? escaped.replace(/\\([$`"\\])/g, "$1") : plainText;
  return quoted === undefined || hasUnclear(text) ? undefined : { text, length: quoted.length };
}

function endsWord(rest: string, word: string): boolean {
  // Digits before a redirection name the stream.
  return /^[ \t]/.test(rest) || operators.test(rest) || (/^[<>]/.test(rest) && /\D/.test(word));
}

/** True for characters that a reader does not see, or takes for a space. */
function hasUnclear(text: string): boolean {
  return /(?! )[\p{C}\p{Z}]/u.test(text) || hidesSomething(text);
}

function isSimple(words: readonly string[]): boolean {
  const [name = ""] = words;
  // `%1` continues a job.
  if (name === "" || name.includes("=") || /^[-+%]/.test(name)) return false;
  const program = fileName(name);
  const refused = program === "find" ? findActions : variableOptions.get(program);
  if (refused && words.some((word) => refused.test(word))) return false;
  return !wrappers.has(program) && !stateful.has(program);
}

/** Words as a shell reads them back. */
export function quotedWords(words: readonly string[]): string {
  return words.map(quotedWord).join(" ");
}

function quotedWord(word: string): string {
  return plain.exec(word)?.[0] === word ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
