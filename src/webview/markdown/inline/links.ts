import { characterEntities } from "character-entities";

/** The result of a reader; `incomplete` if the text ends first and more text could complete it. */
type Found<Value> = { readonly value: Value; readonly end: number } | "incomplete" | undefined;

interface LinkTarget {
  readonly href: string;
}

/** The length limit of destinations and titles: it bounds the time that a hostile text can take. */
const longest = 4096;
export const longestLabel = 999;

/** The key of a label (CommonMark 4.7). */
export function normalLabel(label: string): string {
  return trimmed(label)
    .replace(/[ \t\n]+/g, " ")
    .toLowerCase()
    .toUpperCase();
}

/** Reads `(destination "title")` at `start`. The title is not shown, so it is not returned. */
export function readTarget(source: string, start: number): Found<LinkTarget> {
  let at = skipSpace(source, start + 1);
  const destination = readDestination(source, at);
  if (destination === "incomplete" || destination === undefined) return destination;
  at = skipSpace(source, destination.end);
  if (at > destination.end && /["'(]/.test(source.charAt(at))) {
    const title = readTitle(source, at);
    if (title === "incomplete" || title === undefined) return title;
    at = skipSpace(source, title.end);
  }
  if (at >= source.length) return "incomplete";
  return source[at] === ")" ? { value: { href: destination.value }, end: at + 1 } : undefined;
}

/** The length limit of a destination that is not in angle brackets and has spaces. */
const longestSpaced = 400;
const spacedRun = new RegExp(
  `\\(((?:[^\\n()<>"\\\\]|\\\\(?=[\\w.]|$)|\\([^\\n()<>"\\\\]{0,80}\\)){1,${longestSpaced}})("[^"\\n]{0,200}")?`,
  "y",
);
/** A web address, or the name of a file that ends in an extension, with or without the place in the file. */
const spacedName = /^(?:https?:\/\/|file:\/\/\/|(?!.*:\/\/)[\p{L}\p{N}_.~/@-]).* .*$/iu;
const fileEnd = /[^\s.]\.[a-z][a-z0-9]{0,7}(?:[#:?][\w.=&-]{1,80})?$/i;

/**
 * Reads `(my file.md)` at `start`, as models write the name of a file: for CommonMark it is text. `incomplete` if more text
 * may complete it.
 */
export function readSpacedTarget(source: string, start: number): Found<LinkTarget> {
  spacedRun.lastIndex = start;
  const [whole = "", written = ""] = spacedRun.exec(source) ?? [];
  const name = written.trim();
  const end = start + whole.length;
  if (whole === "" || !written.includes(" ")) return undefined;
  if (end >= source.length) return "incomplete";
  if (source[end] !== ")") {
    const isCut = /^"[^"\n]*$|^\([^\n()<>"]*$/.test(source.slice(end, end + 210));
    return isCut && source.length - start < longestSpaced ? "incomplete" : undefined;
  }
  const isWeb = /^https?:/i.test(name);
  const isName =
    spacedName.test(name) && !name.includes("  ") && name.includes(" ") && (isWeb || fileEnd.test(name));
  return isName ? { value: { href: unescaped(name) }, end: end + 1 } : undefined;
}

/** Reads `<any thing>` or a run without spaces and with balanced parentheses; it may be empty. */
function readDestination(source: string, start: number): Found<string> {
  if (source[start] === "<") return readAngled(source, start);
  if (source.startsWith("data:image/", start)) return readData(source, start);
  const end = endOfBare(source, start);
  return typeof end === "number" ? { value: unescaped(source.slice(start, end)), end } : end;
}

/** The index of the space or the closing parenthesis after a run. */
function endOfBare(source: string, start: number): number | "incomplete" | undefined {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    if (at - start > longest) return undefined;
    const char = source.charAt(at);
    if (isBlank(char) || (char === ")" && depth === 0)) return depth === 0 ? at : undefined;
    if (char === "\\" && isEscapable(source.charAt(at + 1))) at++;
    depth += depthOf(char);
    if (depth > 32) return undefined;
  }
  return "incomplete";
}

function depthOf(char: string): 1 | 0 | -1 {
  if (char === "(") return 1;
  return char === ")" ? -1 : 0;
}

/** True for white space and control characters, which end a destination. */
function isBlank(char: string): boolean {
  return char <= " " || char === "\x7f";
}

/** An image in a data URL may be long. */
const data = /data:image\/[\w.+-]{1,40};base64,[\w+/=]{0,8000000}/y;
function readData(source: string, start: number): Found<string> {
  data.lastIndex = start;
  const found = data.exec(source)?.[0];
  if (found === undefined) return source.length - start < 60 ? "incomplete" : undefined;
  const end = start + found.length;
  return end === source.length ? "incomplete" : { value: found, end };
}

function readAngled(source: string, start: number): Found<string> {
  for (let at = start + 1; at < source.length && at - start < longest; at++) {
    const char = source[at];
    if (char === "\\") at++;
    else if (char === ">") return { value: unescaped(source.slice(start + 1, at)), end: at + 1 };
    else if (char === "<" || char === "\n") return undefined;
  }
  return source.length - start < longest ? "incomplete" : undefined;
}

function readTitle(source: string, start: number): Found<string> {
  const close = source[start] === "(" ? ")" : source[start];
  for (let at = start + 1; at < source.length && at - start < longest; at++) {
    if (source[at] === "\\") at++;
    else if (source[at] === close) return { value: source.slice(start + 1, at), end: at + 1 };
    else if (source[at] === "(" && close === ")") return undefined;
  }
  return source.length - start < longest ? "incomplete" : undefined;
}

interface LinkDefinition {
  readonly label: string;
  readonly href: string;
  readonly end: number;
}

/** Reads `[label]: destination "title"` at the start of a line (CommonMark 4.7). `source` ends in a line ending. */
export function readDefinition(source: string, start: number): LinkDefinition | undefined {
  const open = skipSpace(source, start);
  if (source[open] !== "[" || source[open + 1] === "^") return undefined;
  const label = readLabel(source, open);
  if (typeof label !== "object" || trimmed(label.value) === "" || source[label.end] !== ":") return undefined;
  const at = skipSpace(source, label.end + 1);
  const target = readDestination(source, at);
  if (typeof target !== "object" || target.end === at) return undefined;
  const titleAt = skipSpace(source, target.end);
  const title = titleAt > target.end && /["'(]/.test(source.charAt(titleAt)) && readTitle(source, titleAt);
  // A title ends with its line. If it does not and starts on a line of its own, the definition ends before it.
  const end = (typeof title === "object" && endOfLine(source, title.end)) || endOfLine(source, target.end);
  return end === undefined ? undefined : { label: label.value, href: target.value, end };
}

/** The start of the next line; undefined if the rest of this line is not blank. */
function endOfLine(source: string, start: number): number | undefined {
  let at = start;
  while (source[at] === " " || source[at] === "\t") at++;
  return source[at] === "\n" ? at + 1 : undefined;
}

/** Reads `[label]`; the value is the text between the brackets. */
export function readLabel(source: string, start: number): Found<string> {
  const limit = Math.min(source.length, start + longestLabel + 2);
  for (let at = start + 1; at < limit; at++) {
    const char = source[at];
    if (char === "\\") at++;
    else if (char === "[") return undefined;
    else if (char === "]") return { value: source.slice(start + 1, at), end: at + 1 };
  }
  return limit < source.length ? undefined : "incomplete";
}

function isEscapable(char: string): boolean {
  return /[!-/:-@[-`{-~]/.test(char);
}

function skipSpace(source: string, start: number): number {
  let at = start;
  while (isSpace(source[at])) at++;
  return at;
}

/** The length limits bound the time that a hostile text can take. */
const mail = /(?<![\w.+/-])(?:mailto:)?[\w.+-]{1,64}@[\w-]{1,64}(?:\.[a-z0-9][\w-]{0,63}){1,8}/gi;
const webStart = /https?:\/\/|www\./gi;
/** East Asian punctuation and typographic quotation marks end an address, as writers mean it. */
const webRun =
  /(?:https?:\/\/|www\.)[^\s<\u3001-\u303f\ufe30-\ufe4f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff3d\uff5b-\uff65“”‘’«»…]{1,2048}/iy;
/** A host that ends in a usual name, and East Asian text that follows without a space. */
const hostAndText =
  /^(?:https?:\/\/)?(?:[a-z0-9-]{1,63}\.){1,8}(?:com|org|net|io|dev|ai|app|edu|gov|info|cn|jp|kr|tw|hk|de|uk)(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+$)/iu;

/** A piece of text, and its target if it is a mail address. */
export interface Piece {
  readonly text: string;
  readonly href?: string;
}

export interface WebAddress {
  readonly start: number;
  readonly end: number;
  /** The end of the text that was searched; more text there may make the address longer. */
  readonly runEnd: number;
  /** Undefined if it is not an address, or not yet. */
  readonly href: string | undefined;
}

/** Finds mail addresses in plain text (GitHub's extended autolinks). */
export function mailPieces(text: string): Piece[] {
  if (!text.includes("@")) return [{ text }];
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: address, index } of text.matchAll(mail)) {
    // An address ends in a letter; a dot after it ends a sentence.
    const href = /[a-z]$/i.test(address) ? safeHref(address.replace(/^(?!mailto:)/i, "mailto:")) : undefined;
    if (href === undefined) continue;
    if (index > from) pieces.push({ text: text.slice(from, index) });
    pieces.push({ text: address, href });
    from = index + address.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

/** The first offset from `from` on where a web address may begin. */
export function webAddressStart(text: string, from: number): number {
  webStart.lastIndex = from;
  return webStart.exec(text)?.index ?? -1;
}

/** Reads the web address at `start`, which `webAddressStart` found. */
export function webAddressAt(text: string, start: number): WebAddress {
  const isWww = /w/i.test(text.charAt(start));
  const before = text.charAt(start - 1);
  const mayBegin = (isWww ? /^[\s*_~([\]\u2e80-\uffef]?$/ : /^[^a-z]?$/i).test(before);
  webRun.lastIndex = start;
  const run = mayBegin
    ? untilBracket(untilPartner(webRun.exec(text)?.[0] ?? "", text.slice(Math.max(0, start - 2), start)))
    : "";
  const runEnd = run === "" ? start + 8 : start + run.length;
  const none = { start, end: start, runEnd, href: undefined };
  const address = withoutTrail(hostAndText.exec(run)?.[0] ?? run);
  if (!hasDomain(address)) return none;
  const href = safeHref(isWww ? `http://${address}` : address);
  return href === undefined ? none : { start, end: start + address.length, runEnd, href };
}

/** Checks for letters, digits and hyphens between dots, and no underscores in the last two parts. */
function hasDomain(address: string): boolean {
  const domain = /^(?:https?:\/\/|www\.)((?:[^\s\p{P}\p{S}]|[-_.])+)/iu.exec(address)?.[1] ?? "";
  const isNamed = /^[^.\p{P}]/u.test(domain);
  return isNamed && !domain.split(".").slice(-2).join("").includes("_");
}

/** An address that is a value in markup ends with the value. */
function untilPartner(run: string, before: string): string {
  const [, quote] = /^=(["'])$/.exec(before) ?? [];
  const end = quote !== undefined || before.endsWith("=") ? run.indexOf(quote ?? ">") : -1;
  return end < 0 ? run : run.slice(0, end);
}

/** A closing bracket that was opened before the address ends it, because the brackets may form a link. */
function untilBracket(run: string): string {
  let depth = 0;
  for (let at = 0; at < run.length; at++) {
    if (run[at] === "[") depth++;
    else if (run[at] === "]" && depth-- === 0) return run.slice(0, at);
  }
  return run;
}

/** Removes punctuation that ends a sentence, and a closing parenthesis that was opened before the address. */
function withoutTrail(address: string): string {
  let excess = count(address, ")") - count(address, "(");
  for (let end = address.length; ; end--) {
    const last = address.charAt(end - 1);
    if (last === ";") {
      // A possible character reference is removed as a whole.
      const reference = /&[a-z0-9]{1,32};$/i.exec(address.slice(Math.max(0, end - 34), end))?.[0];
      if (reference) end -= reference.length - 1;
    } else if (last === ")") {
      if (excess-- <= 0) return address.slice(0, end);
    } else if (!/[?!.,:*_~'"\]]/.test(last)) {
      return address.slice(0, end);
    }
  }
}

function count(text: string, char: string): number {
  return text.split(char).length - 1;
}

/** The normalised URL of a web or mail address; undefined for all other schemes, however they are disguised. */
export function safeHref(href: string): string | undefined {
  // Browsers ignore control characters inside a scheme. A space belongs to the name of a file.
  const shown = href
    .trim()
    .replace(/[^ -~\u{80}-\u{10ffff}]/gu, "")
    .replaceAll(" ", "%20");
  // Browsers also read a backslash as a slash. After the host it is an ordinary character (CommonMark 6.5).
  const bare = shown.replace(/^https?:\/\/[^/?#\\]+[/?#].*$/i, (address) => address.replaceAll("\\", "%5C"));
  // A name of a host has no spaces, even if a browser lets them pass.
  if (!/^(https?:\/\/(?![^/?#]*%20)|mailto:)/i.test(bare)) return undefined;
  const url = URL.parse(bare);
  return url && /^(https?|mailto):$/.test(url.protocol) ? url.href : undefined;
}

function isSpace(char: string | undefined): boolean {
  return char === " " || char === "\t" || char === "\n";
}

/** Removes Markdown's white space at both ends. Other kinds, such as non-breaking spaces, are text. */
export function trimmed(text: string): string {
  let start = 0;
  while (isSpace(text[start])) start++;
  return trimmedEnd(text.slice(start));
}

export function trimmedEnd(text: string): string {
  let end = text.length;
  while (isSpace(text[end - 1])) end--;
  return text.slice(0, end);
}

const reference = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));/y;

/** Reads the HTML character reference at `offset`. */
export function referenceAt(
  source: string,
  offset: number,
): { readonly text: string; readonly end: number } | undefined {
  reference.lastIndex = offset;
  const match = reference.exec(source);
  if (!match) return undefined;
  const [whole, decimal, hex, name] = match;
  const end = offset + whole.length;
  if (name === undefined)
    return { text: fromCode(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal)), end };
  const text = Object.hasOwn(characterEntities, name) ? characterEntities[name] : undefined;
  return text === undefined ? undefined : { text, end };
}

/** An escape or a character reference; an escaped `&` does not begin a reference. */
const escapeOrReference = /\\([!-/:-@[-`{-~])|&#?\w{1,32};/g;

/** Resolves escapes and character references (destinations, info strings). */
export function unescaped(text: string): string {
  if (!/[\\&]/.test(text)) return text;
  return text.replace(
    escapeOrReference,
    (written, escaped?: string) => escaped ?? referenceAt(written, 0)?.text ?? written,
  );
}

function fromCode(code: number): string {
  const impossible = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
  return impossible ? "\ufffd" : String.fromCodePoint(code);
}
