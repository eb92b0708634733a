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

/**
 * The simple commands of a line for a POSIX shell, each as its words. Undefined if it can't be judged with certainty:
 * substitutions, variables, redirections, globs, background jobs, assignments, control characters, spaces other than the
 * shell's, and commands that run other commands.
 */
export function simpleCommands(line: string): readonly (readonly string[])[] | undefined {
  const commands: string[][] = [[]];
  let rest = trimmed(line);
  let isComplete = false;
  while (rest !== "") {
    const token = tokenAt(rest);
    if (!token) return undefined;
    rest = rest.slice(token.length).replace(/^[ \t]+/, "");
    if (token.kind === "word") commands.at(-1)?.push(token.text);
    else if (commands.at(-1)?.length === 0) return undefined;
    else commands.push([]);
    isComplete = token.kind === "operator" && /[;\n]/.test(token.text);
  }
  if (commands.at(-1)?.length === 0 && isComplete) commands.pop();
  return commands.length > 0 && commands.every(isSimple) ? commands : undefined;
}

interface Token {
  readonly kind: "operator" | "word";
  readonly text: string;
  /** Of the source of the token. */
  readonly length: number;
}

/** The token at the beginning of a text; undefined if it has another meaning for the shell. */
function tokenAt(text: string): Token | undefined {
  const operator = operators.exec(text)?.[0];
  if (operator !== undefined) return { kind: "operator", text: operator, length: operator.length };
  const word = wordAt(text);
  return word && { kind: "word", ...word };
}

/** Without the blanks and line breaks around it, as the shell reads it. `trim` removes more, which names another program. */
function trimmed(line: string): string {
  return line.replace(/^[ \t\n]+/, "").replace(/(?<![ \t\n])[ \t\n]+$/, "");
}

/** Printable characters without a meaning for the shell. */
const plain = /^[\w./:@%+,=-]+/;

/** The word at the beginning of a text; undefined if it has a meaning for the shell. */
function wordAt(text: string): { readonly text: string; readonly length: number } | undefined {
  let [word, at] = ["", 0];
  while (at < text.length) {
    const rest = text.slice(at);
    const found = plain.exec(rest)?.[0];
    const quoted = /^'([^'\n]*)'/.exec(rest) ?? /^"([^"\\$`!\n]*)"/.exec(rest);
    if (found !== undefined) {
      word += found;
      at += found.length;
    } else if (quoted) {
      if (hasUnclear(quoted[1] ?? "")) return undefined;
      word += quoted[1];
      at += quoted[0].length;
    } else if (/^[ \t]/.test(rest) || operators.test(rest)) break;
    else return undefined;
  }
  return at === 0 ? undefined : { text: word, length: at };
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

/**
 * The key of a lasting approval: the words of a single command, or a whole line of several. Approvals of the parts don't
 * allow the line, because `A | B` does other things than A and B apart. Empty if the line always asks.
 */
export function commandScopes(line: string): readonly string[] {
  const [words, ...more] = simpleCommands(line) ?? [];
  if (!words) return [];
  return [more.length === 0 ? words.map(quotedWord).join(" ") : trimmed(line)];
}

/**
 * True if each simple command is one of the patterns: the exact words, or these words and any after them if the pattern
 * ends with ` *`. No further word may be an option (`-x`, or `+x` of an editor), a list of options in a file (`@x`) or a
 * value of a name (`SHELL=x` of make), because these make many programs write files or run others.
 */
export function isAllowedCommand(line: string, patterns: readonly string[]): boolean {
  const commands = simpleCommands(line);
  if (!commands) return false;
  const allowed = patterns.map((pattern) => {
    const text = trimmed(pattern);
    const isOpen = text.endsWith(" *");
    const words = simpleCommands(isOpen ? text.slice(0, -2) : text);
    return words?.length === 1 ? { words: words[0] ?? [], isOpen } : undefined;
  });
  return commands.every((words) =>
    allowed.some((pattern) => {
      if (!pattern?.words.every((word, index) => word === words[index])) return false;
      const more = words.slice(pattern.words.length);
      return more.length === 0 || (pattern.isOpen && !more.some((word) => /^[-+@]|=/.test(word)));
    }),
  );
}

function quotedWord(word: string): string {
  return plain.exec(word)?.[0] === word ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
