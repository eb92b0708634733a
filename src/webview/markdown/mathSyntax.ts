export interface MathFound {
  readonly tex: string;
  readonly isDisplay: boolean;
  readonly end: number;
  /** What follows may still show that it is none: a digit after `$` makes it a price. */
  readonly isOpen: boolean;
}

/** Where a text stands next; asked for ever later places. */
type Find = (text: string, from: number) => number;

/** Longer text between two signs is none; the bounds keep what may still become a formula short. */
const longestInline = 400;
const longestDisplay = 4000;
const dollars = new RegExp(`\\$((?:\\\\[^]|[^\\\\$]){1,${longestInline}})(\\$)?`, "y");

/** Reads `$…$` or `$$…$$` at the first `$`; `incomplete` where the end may still come. */
export function readDollars(source: string, at: number, find: Find): MathFound | "incomplete" | undefined {
  if (source[at + 1] === "$")
    return source[at + 2] === "$" ? undefined : readUntil(source, at, "$$", true, find);
  if (/[\w$\\]/.test(source.charAt(at - 1))) return undefined;
  if (at + 1 === source.length) return "incomplete";
  if (/\s/.test(source.charAt(at + 1))) return undefined;
  dollars.lastIndex = at;
  const match = dollars.exec(source);
  if (!match) return at + 2 >= source.length ? "incomplete" : undefined;
  const [whole, tex = "", closer] = match;
  const end = at + whole.length;
  if (!closer) {
    const rest = source.slice(end);
    return (rest === "" || rest === "\\") && tex.length < longestInline ? "incomplete" : undefined;
  }
  if (/\s$/.test(tex) || /^[\w$]/.test(source.slice(end, end + 1)) || isProse(tex)) return undefined;
  return { tex, isDisplay: false, end, isOpen: end === source.length };
}

/** Reads `\(…\)` or `\[…\]` at the backslash. */
export function readBackslashed(
  source: string,
  at: number,
  find: Find,
): MathFound | "incomplete" | undefined {
  const isDisplay = source[at + 1] === "[";
  const found = readUntil(source, at, isDisplay ? "\\]" : "\\)", isDisplay, find);
  return typeof found === "object" && isText(found.tex) ? undefined : found;
}

/** Brackets around words, code or links were escaped to be brackets; signs alone are no formula either. */
function isText(tex: string): boolean {
  const rest = tex.replace(/!?\[[^[\]\n]*\](?:\([^()\s]*\)|\[[^[\]\n]*\])/g, "");
  if (!/[\p{L}\p{N}]/u.test(rest) || tex.includes("`")) return true;
  return /^[\p{L}\p{N}\s'’",.;:!?#@*–—-]*$/u.test(rest) && /\p{L}{3}/u.test(rest);
}

function readUntil(
  source: string,
  at: number,
  closer: string,
  isDisplay: boolean,
  find: Find,
): MathFound | "incomplete" | undefined {
  const longest = isDisplay ? longestDisplay : longestInline;
  const end = find(closer, at + 2);
  const length = end - at - 2;
  if (end < 0 || length > longest)
    return at + 2 + longest + closer.length > source.length ? "incomplete" : undefined;
  const tex = source.slice(at + 2, end);
  if (tex.trim() === "") return undefined;
  return { tex, isDisplay, end: at + 2 + length + closer.length, isOpen: false };
}

/** `$5 for one and 10$`, `$HOME and $PATH: $`: an amount or a variable of a shell, and then words. */
function isProse(tex: string): boolean {
  return /^\d[\d.,]*\s+[A-Za-z]{2,}|^[A-Z_]{3,}(?:[;,:/]|\s+[a-z]{2,})/.test(tex);
}

/** The first line of a formula that has lines of its own: `$$` with no other on the line, or `\[` alone. */
export function mathStart(
  text: string,
): { readonly closer: "$$" | "\\]"; readonly rest: string } | undefined {
  if (/^\\\[\s*$/.test(text)) return { closer: "\\]", rest: "" };
  const match = /^\$\$(?!\$)(.*)$/.exec(text);
  return match && !match[1]?.includes("$$") ? { closer: "$$", rest: match[1]?.trim() ?? "" } : undefined;
}
