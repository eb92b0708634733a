import { indentWidth, isComment, isWritten } from "./codeLines.ts";

/**
 * True if the replaced lines declare named parts (functions, classes, tests, rules, fields) that the new code lacks. An
 * answer that shows one method of a class does not mean to remove the others.
 */
export function losesParts(range: readonly string[], code: readonly string[]): boolean {
  const text = code.join("\n");
  const words = new Set(text.match(word));
  const written = range.filter(isWritten);
  const [outer = 0, inner = 0] = [...new Set(written.map(indentWidth))].sort((one, other) => one - other);
  /** The enclosing line of the lines below it. */
  let parent = "";
  return written.some((whole, index) => {
    const line = whole.trim().slice(0, longestRead);
    const width = indentWidth(whole);
    if (width === outer) parent = line;
    const named = declaration.exec(line)?.[1];
    if (named !== undefined) return !words.has(named);
    if (width > Math.max(outer, inner) || isComment(line) || !/[\p{L}\p{N}]/u.test(line)) return false;
    const opens = indentWidth(written[index + 1] ?? "") > width;
    if (opens && !control.test(line)) return !hasPart(line, text, words, width === outer);
    return width === inner && width > outer && !isFunction(parent) && !words.has(line.match(word)?.[0] ?? "");
  });
}

/** Characters of a line that are examined. */
const longestRead = 400;
const word = /[\p{L}\p{N}_$]+/gu;
const control =
  /^[})\]\s]*(?:if|else|elif|for|foreach|while|do|switch|case|default|try|catch|except|finally|with|return|throw|await|yield|new|using|match|when|unless|until|loop|select|begin|then)\b/;
const declaration =
  /^(?:[a-z]+(?:\([^)]*\))?\s+)*(?:class|interface|enum|struct|trait|impl(?:<[^>]*>)?|function\s*\*?|def|fn|func|fun|sub|module|namespace|record|protocol|extension|type|mod)\s+([\p{L}_$][\p{L}\p{N}_$]*)/u;

/** True if the new code has the part that this line declares. */
function hasPart(line: string, text: string, words: ReadonlySet<string>, isOuter: boolean): boolean {
  const quoted = /(["'`])(.+?)\1/.exec(line)?.[2];
  if (quoted !== undefined) return text.includes(quoted);
  const called = /([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:<[^>]*>)?\(/u.exec(line)?.[1];
  const isCallback = line.includes("=>") && !isOuter;
  if (called !== undefined && !isCallback) return words.has(called);
  const assigned = /([\p{L}_$][\p{L}\p{N}_$]*)\s*(?::[^=]*)?=/u.exec(line)?.[1];
  if (assigned !== undefined) return words.has(assigned);
  return called !== undefined || text.includes(line.replace(/[\s{:([]+$/, ""));
}

/** True if a line declares a function: its body has steps, which may change, and no named parts. */
function isFunction(line: string): boolean {
  const isType = /\b(?:class|interface|enum|struct|trait|impl|namespace|module|record|protocol|object)\b/;
  return !isType.test(line) && /\)[^(){}]*[{:]?$|=>\s*[{(]?$/.test(line);
}
