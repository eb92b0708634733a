/** Scripts without spaces between words: each character is a term. */
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}`;
const word = /[\p{L}\p{N}\p{M}]+/gu;
const piece = new RegExp(`[${unspaced}]|[^${unspaced}]+`, "gu");
const hump = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u;
const ascii = /^[\0-\x7f]*$/;

/** Characters of a term; longer words are data, not text. */
const longestTerm = 40;

type Visit = (term: string, start: number, end: number) => void;

/** Calls `visit` for each term of a text with its offset. `fooBar` gives `foobar` and `bar`. */
export function eachTerm(text: string, visit: Visit): void {
  if (ascii.test(text)) eachPlainWord(text, visit);
  else eachWord(text, visit);
}

function eachWord(text: string, visit: Visit): void {
  for (const { 0: found, index } of text.matchAll(word)) {
    if (ascii.test(found)) eachHump(found, index, visit);
    else for (const part of found.matchAll(piece)) eachHump(part[0], index + part.index, visit);
  }
}

/** A loop, not a regular expression: ten thousand conversations are indexed when the list is first opened. */
function eachPlainWord(text: string, visit: Visit): void {
  for (let start = 0; start < text.length; start++) {
    let end = start;
    let isLower = true;
    for (let code = text.charCodeAt(end); isPlain(code); code = text.charCodeAt(++end))
      isLower &&= !isUpper(code);
    if (end === start) continue;
    if (isLower && end - start <= longestTerm) visit(text.slice(start, end), start, end);
    else eachHump(text.slice(start, end), start, visit);
    start = end;
  }
}

/** True for letters and digits. Not for NaN, which is the code after the end. */
function isPlain(code: number): boolean {
  return isUpper(code) || (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}

function eachHump(text: string, at: number, visit: Visit): void {
  const end = at + text.length;
  visit(fold(text), at, end);
  if (text.length > longestTerm || text.toLowerCase() === text) return;
  let start = at;
  for (const part of text.split(hump)) {
    if (start > at) visit(fold(part), start, start + part.length);
    start += part.length;
  }
}

function fold(text: string): string {
  const cut = text.length > longestTerm ? text.slice(0, longestTerm) : text;
  if (ascii.test(cut)) return cut.toLowerCase();
  return cut.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Words of a query, each of which is a prefix of a term. */
export function queryWords(query: string): string[] {
  const words = new Set<string>();
  let end = 0;
  // The parts of a camel-case word follow it and are not required separately.
  eachTerm(query, (term, start, termEnd) => {
    if (start >= end && term !== "") words.add(term);
    end = Math.max(end, termEnd);
  });
  return [...words];
}
