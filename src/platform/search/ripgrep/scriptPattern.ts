import type { WorkerPattern } from "../lineWorker.ts";
import { InvalidPattern, type LinePattern, spansLines } from "../searchEngine.ts";

const word = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";

/** What letters after a `\` mean to ripgrep, where it differs from JavaScript: they know all scripts. */
const meanings: Readonly<Record<string, { readonly alone: string; readonly inClass?: string }>> = {
  d: { alone: "\\p{Nd}", inClass: "\\p{Nd}" },
  D: { alone: "\\P{Nd}", inClass: "\\P{Nd}" },
  s: { alone: "\\p{White_Space}", inClass: "\\p{White_Space}" },
  S: { alone: "\\P{White_Space}", inClass: "\\P{White_Space}" },
  w: { alone: `[${word}]`, inClass: word },
  W: { alone: `[^${word}]` },
  b: { alone: `(?:(?<=[${word}])(?![${word}])|(?<![${word}])(?=[${word}]))` },
  B: { alone: `(?:(?<=[${word}])(?=[${word}])|(?<![${word}])(?![${word}]))` },
  "<": { alone: `(?<![${word}])(?=[${word}])` },
  ">": { alone: `(?<=[${word}])(?![${word}])` },
  A: { alone: "(?<![\\s\\S])" },
  z: { alone: "(?![\\s\\S])" },
};

const namedClasses: Readonly<Record<string, string>> = {
  alpha: "a-zA-Z",
  digit: "0-9",
  alnum: "a-zA-Z0-9",
  upper: "A-Z",
  lower: "a-z",
  space: "\\s",
  blank: " \\t",
  word: "\\w",
  xdigit: "0-9A-Fa-f",
  punct: "!-\\/:-@\\[-`\\{-~",
};

/** The pattern for JavaScript's engine. Throws an InvalidPattern. */
export function toScriptPattern({ source, isCaseSensitive }: LinePattern): WorkerPattern {
  const [whole = "", letters = ""] = /^\(\?([ims]+)\)/.exec(source) ?? [];
  const isDotAll = letters.includes("s");
  const flags = isCaseSensitive && !letters.includes("i") ? "" : "i";
  const plain = source.slice(whole.length).replace(/\(\?P</g, "(?<");
  const tries = [
    { source: translated(plain, isDotAll), flags: `${flags}u` },
    // Braces that repeat nothing are text here.
    { source: plain, flags: isDotAll ? `${flags}s` : flags },
  ];
  for (const pattern of tries) if (isValid(pattern)) return { ...pattern, spansLines: spansLines(source) };
  throw new InvalidPattern(reasonOf(plain));
}

function isValid({ source, flags }: { readonly source: string; readonly flags: string }): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

function reasonOf(source: string): string {
  try {
    return String(new RegExp(source));
  } catch (error) {
    return (error as Error).message.replace(/^.*: /s, "").toLowerCase();
  }
}

function translated(source: string, isDotAll: boolean): string {
  let result = "";
  let isInClass = false;
  const tokens = source.match(/\\(?:[pP]\{[^}]*\}|[xu]\{[^}]*\}|[\s\S])|\[:\^?\w+:\]|[\s\S]/gu) ?? [];
  for (const token of tokens) {
    result += isInClass ? translatedInClass(token) : translatedToken(token, isDotAll);
    isInClass = token === "[" || (isInClass && token !== "]");
  }
  return result;
}

function translatedInClass(token: string): string {
  const named = /^\[:(\w+):\]$/.exec(token)?.[1];
  if (named !== undefined) return namedClasses[named] ?? token;
  return token.startsWith("\\") ? translatedEscape(token, true) : token;
}

function translatedToken(token: string, isDotAll: boolean): string {
  if (token.startsWith("\\")) return translatedEscape(token, false);
  if (token !== ".") return token;
  return isDotAll ? "[\\s\\S]" : "[^\\n]";
}

function translatedEscape(token: string, isInClass: boolean): string {
  const letter = token[1] ?? "";
  const meaning = Object.hasOwn(meanings, letter) && token.length === 2 ? meanings[letter] : undefined;
  if (meaning) return (isInClass ? meaning.inClass : meaning.alone) ?? token;
  if (/^\\[xu]\{/.test(token)) return `\\u${token.slice(2)}`;
  // JavaScript allows a `\` before signs with a meaning only.
  return /^[^\w\s^$\\.*+?()[\]{}|/-]$|^[ _]$/u.test(letter) || (letter === "-" && !isInClass)
    ? letter
    : token;
}
