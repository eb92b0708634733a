// Lines by which models leave out code: `// ... existing code ...`, `# rest unchanged`, `{ ... }`. Applied as they stand,
// they replace code by a comment.

import { isWritten } from "./codeLines.ts";
import { type Hunk, lineHunks } from "./lineHunks.ts";

/** `sure`: it says that code is left out. `likely`: a line such as `...`, which is code or prose in some files. */
type ElisionKind = "sure" | "likely";

/** A line that stands for code which it replaces. */
export interface Elision {
  /** Counted from 1. */
  readonly line: number;
  /** Without white space around it. */
  readonly text: string;
}

/** Maximum length of a line that omits something. */
const longestElision = 300;
const dots = String.raw`(?:\.{3,}|…)`;
const onlyDots = new RegExp(`^${dots}$`);
const beginsWithDots = new RegExp(String.raw`^[\s(<[]*${dots}`);
const endsWithDots = new RegExp(String.raw`${dots}[\s)>\]]*$`);
const commentStart = /^(?:\/\/+|#+|\{?\/\*+|<!--+|<%--|\{#|\{-|\(\*|--+|;+|%+|'(?=\s)|REM\b)\s*/i;
const commentEnd = /\s*(?:\*+\/\}?|--%?>|#\}|-\}|\*\))$/;
/** A comment behind code. */
const trailingComment = /(?:\s|[{([;,])(?:\/\/|\/\*|#|--)\s*(.*)$/;

const thing =
  "(?:code|contents?|methods?|functions?|classes|imports?|fields?|properties|props|tests?|cases|logic|implementations?|lines?|parts?|routes?|styles?|rules?|items?|entries|sections?|statements?|body|definitions?|declarations?|handlers?|components?|markup|elements?|file|module|class|function|component|configuration|config|settings|setup|stuff)";
const which = "(?:rest|remaining|remainder|existing|previous|other|unchanged|same|original|current|old)";
const stays = String.raw`(?:here|above|below|unchanged|(?:as|remains?|stays?|goes|continues?|unchanged|omitted)\b[\w\s,'-]*|(?:is|are|for|from|in)\s+(?:the\s+)?(?:same|unchanged|omitted|identical|not|here|above|below|left|kept|as|original|brevity|file)\b[\w\s,'-]*)`;
const leftOut = "(?:omitted|elided|unchanged|snipped|not shown|left out)";
const brevity = String.raw`for\s+(?:brevity|clarity|simplicity|space|readability|now)`;
const says = [
  String.raw`(?:the\s+)?(?:rest|remainder)(?:\s+of\s+(?:the|your|this|my|its|that)(?:\s+[\w-]+){1,3}?)?(?:\s+${stays})?`,
  String.raw`(?:(?:keep|leave|insert|put|add|all|the|your|my|with|and|some|any|many)\s+){0,4}${which}\s+(?:[\w-]+\s+){0,2}?${thing}(?:\s+${stays})?`,
  String.raw`(?:the\s+)?(?:same|unchanged|as)(?:\s+(?:as|from|like))?\s+(?:before|above|previously|earlier|(?:in\s+)?the\s+original)`,
  String.raw`(?:(?:[\w-]+\s+){0,2}${thing}\s+(?:[\w-]+\s+){0,4})?${leftOut}(?:\s+(?:for|here|above|below|from|code|lines?|to)\b[\w\s,'-]*)?`,
  String.raw`(?:[\w-]+\s+){1,6}${brevity}`,
  String.raw`(?:no|nothing)\s+(?:other\s+)?changes?(?:\s+(?:here|above|below|needed|required|from here on))?`,
  "(?:snip|etc)",
];
const saysLeftOut = new RegExp(`^(?:${says.join("|")})$`, "i");
/** A line that stands for unchanged lines: `// ...`, `# … existing code …`, `<!-- rest of the page -->`. */
export function isElision(line: string): boolean {
  return kindOfLine(line.trim()) !== undefined;
}

function kindOfLine(text: string): ElisionKind | undefined {
  if (onlyDots.test(text)) return "likely";
  if (text.length > longestElision || !commentStart.test(text)) return undefined;
  return kindOfComment(text.replace(commentStart, "").replace(commentEnd, ""));
}

function kindOfComment(content: string): ElisionKind | undefined {
  const words = content
    .replace(/[.…()[\]<>:!*=~_-]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  const isDotted = beginsWithDots.test(content);
  if (isDotted && (words === "" || endsWithDots.test(content))) return "sure";
  if (saysLeftOut.test(words)) return "sure";
  return isDotted ? "likely" : undefined;
}

/** True if a line omits something in its middle, as `{ ... }` does. */
export function leavesOutInLine(line: string): boolean {
  if (line.length > longestElision || /catch\s*\(\s*\.{3}/.test(line)) return false;
  return (
    /[{([]\s*(?:\/\*\s*)?(?:\.{3}|…)\s*(?:[\w ]{0,60}(?:\.{3}|…)?\s*\*\/\s*)?(?:[})\]]|$)/.test(line) ||
    /[{([]\s*\/\/\s*(?:\.{3}|…)/.test(line) ||
    kindOfTail(line) === "sure"
  );
}

/** The kind of a comment behind code, and of braces with dots alone between them. */
function kindOfTail(line: string): ElisionKind | undefined {
  if (line.length > longestElision || commentStart.test(line.trim())) return undefined;
  const content = trailingComment
    .exec(line)?.[1]
    ?.replace(/[\s})\],;]*$/, "")
    .replace(commentEnd, "");
  const isDotted = content !== undefined && beginsWithDots.test(content);
  if (isDotted && kindOfComment(content) === "sure") return "sure";
  return /\{\s*(?:\.{3}|…)\s*(?:\}|$)/.test(line) ? "likely" : undefined;
}

/** True if a snippet omits parts by a line that stands for them. */
export function isElided(code: readonly string[]): boolean {
  return code.some((line) => isElision(line) || leavesOutInLine(line));
}

/** Files in which `...` is code or prose. */
const dotted = /\.(?:pyi?|ipynb|ya?ml|p[lm]|lua|r|md|mdx|markdown|rst|adoc|txt|log|csv|tex)$/i;
/** Files in which `#` begins a heading. */
const headed = /\.(?:md|mdx|markdown)$/i;

/**
 * The first line of a new text that stands for code of the former one which is gone. A line that the former text has,
 * too, is a part of it. `path` says what the dots mean in the file.
 */
export function lostByElision(before: string, after: string, path: string): Elision | undefined {
  const [old, lines] = [before, after].map((text) => text.replace(/\r\n?/g, "\n").split("\n")) as [
    string[],
    string[],
  ];
  const kinds = new Map<number, ElisionKind>();
  const [had, has] = [countsOf(old), countsOf(lines)];
  for (const [index, line] of lines.entries()) {
    const kind = kindIn(line, path);
    const text = line.trim();
    if (kind !== undefined && (has.get(text) ?? 0) > (had.get(text) ?? 0)) kinds.set(index, kind);
  }
  if (kinds.size === 0) return undefined;
  for (const hunk of joinedHunks(old, lineHunks(old.join("\n"), lines.join("\n")))) {
    const index = lossIn(hunk, old, lines, kinds);
    if (index !== undefined) return { line: index + 1, text: (lines[index] ?? "").trim() };
  }
  return undefined;
}

function kindIn(line: string, path: string): ElisionKind | undefined {
  if (headed.test(path) && /^\s*#/.test(line)) return undefined;
  const kind = kindOfLine(line.trim()) ?? kindOfTail(line);
  return kind === "likely" && dotted.test(path) ? undefined : kind;
}

function countsOf(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1);
  return counts;
}

/** Hunks with only blank lines and brackets between them are one: a diff may match either of two such lines. */
function joinedHunks(before: readonly string[], hunks: readonly Hunk[]): readonly Hunk[] {
  const joined: Hunk[] = [];
  for (const hunk of hunks) {
    const last = joined.at(-1);
    const between = last && before.slice(last.beforeEnd, hunk.beforeStart);
    if (last && between && !between.some(hasWords))
      joined[joined.length - 1] = { ...hunk, beforeStart: last.beforeStart, afterStart: last.afterStart };
    else joined.push(hunk);
  }
  return joined;
}

function hasWords(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

/** The index of a line in a hunk that stands for lines which are gone. */
function lossIn(
  hunk: Hunk,
  before: readonly string[],
  after: readonly string[],
  kinds: ReadonlyMap<number, ElisionKind>,
): number | undefined {
  const fresh = after.slice(hunk.afterStart, hunk.afterEnd);
  const kept = new Set(fresh.map((line) => line.trim()));
  const old = before.slice(hunk.beforeStart, hunk.beforeEnd);
  const gone = old.filter((line) => hasWords(line) && !kept.has(line.trim())).length;
  if (gone === 0) return undefined;
  const had = new Set(old.map((line) => line.trim()));
  const indexes = fresh.map((_, index) => hunk.afterStart + index);
  const written = indexes.filter((index) => {
    const line = after[index] ?? "";
    return isWritten(line) && hasWords(line) && !had.has(line.trim()) && !kinds.has(index);
  }).length;
  return indexes.find((index) => kinds.get(index) === "sure" || (kinds.has(index) && gone > written));
}
