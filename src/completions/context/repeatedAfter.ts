import { comparable, indentOf } from "./repeatedBefore.ts";

const closers = ")]}";
const openers = "([{";

/** Cuts the answer where it goes on with the next lines of the document. */
export function withoutNextLines(text: string, before: string, after: string): string {
  const lines = text.split("\n");
  const next = after
    .split("\n")
    .slice(1, mostNext)
    .filter((line) => line.trim() !== "");
  const [first] = next;
  if (first === undefined) return text;
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const rest = restOfLine(after).trim();
  const whole = comparable(line + (lines[0] ?? "") + rest);
  if (whole === comparable(first) && whole.length >= 6 && /\p{L}{2}/u.test(whole)) return "";
  const isEmptyLine = line.trim() === "" && rest === "";
  for (let index = isEmptyLine ? 0 : 1; index < lines.length; index++)
    if (continues(lines, index, next, rest)) return lines.slice(0, index).join("\n").trimEnd();
  return text;
}

const mostNext = 80;

/** True if the answer, from this line on, is what the document has next. */
function continues(lines: readonly string[], index: number, next: readonly string[], rest: string): boolean {
  const line = lines[index] ?? "";
  if (line.trim() === "") return false;
  const remaining = lines.slice(index).filter((other) => other.trim() !== "");
  const same = sameLines(remaining, next);
  if (same === 0) return isNextBlock(lines, index, next);
  if (!isOutside(lines, index, next[0] ?? "")) return false;
  const hasWords = /[\p{L}\p{N}]/u.test(line);
  const isAfterRest = rest !== "" && (lines[index - 1] ?? "").trimEnd().endsWith(rest);
  return (
    !hasWords || index === 0 || isAfterRest || same === remaining.length || same === next.length || same >= 2
  );
}

/** How many lines are the same from the first on; the limit of an answer may have cut its last one. */
function sameLines(lines: readonly string[], next: readonly string[]): number {
  const shortest = 8;
  let count = 0;
  for (const [index, line] of lines.entries()) {
    const said = comparable(line);
    const there = comparable(next[index] ?? "");
    const isCut = index === lines.length - 1 && said.length >= shortest && there.startsWith(said);
    if (said !== there && !isCut) break;
    count++;
  }
  return count;
}

const wordEnd = /^(?:end|fi|done|esac|endif|endfor|endwhile|wend|loop|next|end \w+)\b;?$/i;

/** False if the line ends a block that the answer itself has begun. */
function isOutside(lines: readonly string[], index: number, next: string): boolean {
  const line = (lines[index] ?? "").trim();
  const above = lines.slice(0, index).join("\n");
  if (closers.includes(line.charAt(0))) return openBrackets(above).length === 0;
  const [, tag] = /^<\/([\w.:-]+)>/.exec(line) ?? [];
  if (tag !== undefined) return above.split(`<${tag}`).length <= above.split(`</${tag}`).length;
  return !wordEnd.test(line) || indentOf(lines[index] ?? "") === indentOf(next);
}

const declaration =
  /\b(?:def|function|func|fn|fun|class|interface|struct|enum|impl|trait|module|public|private|protected|static|sub|proc)\b.*\p{L}{2}/u;

/** True for a declaration that the document has below: the answer has left the block of the cursor. */
function isNextBlock(lines: readonly string[], index: number, next: readonly string[]): boolean {
  const line = lines[index] ?? "";
  if (index === 0 || !declaration.test(line)) return false;
  return next.some((one) => comparable(one) === comparable(line) && indentOf(one) === indentOf(line));
}

/** Characters of the rest of a line that are compared. */
const longestRest = 200;

/** Cuts an end that follows the cursor in its line: `)` of `call(|)`. */
export function withoutRest(text: string, after: string): string {
  const line = restOfLine(after).slice(0, longestRest);
  const rest = line.replace(/\s+/g, "");
  const start = Math.max(0, text.length - 2 * longestRest);
  for (let at = rest === "" ? text.length : start; at < text.length; at++) {
    if (/\s/.test(text.charAt(at))) continue;
    const end = text.slice(at).replace(/\s+/g, "");
    if (!isRest(end, rest) || !isFree(text.slice(0, at), end)) continue;
    const cut = text.slice(0, at);
    return /^\s/.test(line) || isCommentEnd(end) ? cut.trimEnd() : cut;
  }
  return text;
}

/**
 * Cuts an answer that closes what was open before the cursor and goes on, although the document closes it: `a);` in
 * `call(|)`, or with `)` in the next line.
 */
export function withoutOverrun(text: string, line: string, after: string): string {
  const next = restOfLine(after).trim() || after.trimStart();
  const [closing = ""] = /^[)\]}]+/.exec(next) ?? [];
  if (closing === "" || openBrackets(line).length > closing.length) return text;
  const end = firstUnopened(text);
  return text.charAt(end) === closing.charAt(0) ? text.slice(0, end).trimEnd() : text;
}

/** The index of the first bracket outside of quotes that closes none of the text; its length if there is none. */
function firstUnopened(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (!openers.includes(character) && !closers.includes(character)) continue;
    if (['"', "'", "`"].some((quote) => isInQuotes(text.slice(0, at), quote))) continue;
    depth += openers.includes(character) ? 1 : -1;
    if (depth < 0) return at;
  }
  return text.length;
}

/** Closing marks may be the end of the rest only: `;` of `);`. */
function isRest(end: string, rest: string): boolean {
  return rest.startsWith(end) || (/^[)\]};,:>]+$/.test(end) && rest.endsWith(end));
}

function isCommentEnd(text: string): boolean {
  return /^(?:\*\/|-->|\*\)|-\}|#\}|%>|\?>|#>|\|#|\]\])/.test(text);
}

/** False if the end closes what the text before it has opened. */
function isFree(text: string, end: string): boolean {
  if (isCommentEnd(end)) return true;
  const stack = openBrackets(text);
  const own: string[] = [];
  for (const character of end) {
    if (openers.includes(character)) own.push(character);
    else if (closers.includes(character) && own.pop() === undefined && stack.pop() !== undefined)
      return false;
    else if (`"'\``.includes(character) && isInQuotes(text, character)) return false;
    else if (character === ">" && opensAngle(text)) return false;
  }
  return true;
}

/** The brackets that a text opens and does not close. */
export function openBrackets(text: string): string[] {
  const open: string[] = [];
  for (const character of text) {
    if (openers.includes(character)) open.push(character);
    else if (closers.includes(character)) open.pop();
  }
  return open;
}

/** An apostrophe between letters is no quotation mark. */
function isInQuotes(text: string, quote: string): boolean {
  const last = text.slice(text.lastIndexOf("\n") + 1);
  const words = quote === "'" ? last.replace(/\p{L}'\p{L}/gu, "") : last;
  return words.split(quote).length % 2 === 0;
}

/** True if `>` after the text closes a bracket of it, or is the second half of an arrow. */
function opensAngle(text: string): boolean {
  if (/[=-]$/.test(text)) return true;
  const plain = text.replace(/[=-]>|<=|>=/g, "");
  return plain.split("<").length > plain.split(">").length;
}

export function restOfLine(after: string): string {
  const end = after.indexOf("\n");
  return end < 0 ? after : after.slice(0, end);
}
