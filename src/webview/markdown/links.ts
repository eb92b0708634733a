/** The bounds keep a text made to be slow from being so. */
const mail = /(?<![\w.+/-])(?:mailto:)?[\w.+-]{1,64}@[\w-]{1,64}(?:\.[a-z0-9][\w-]{0,63}){1,8}/gi;
const webStart = /https?:\/\/|www\./gi;
const webRun = /(?:https?:\/\/|www\.)[^\s<]{1,2048}/iy;

/** A piece of text, and where it leads if it is a web or mail address. */
export interface Piece {
  readonly text: string;
  readonly href?: string;
}

export interface WebAddress {
  readonly start: number;
  readonly end: number;
  /** The end of what it was looked for in; more text there may make it longer. */
  readonly runEnd: number;
  /** Undefined where it is none yet, or none at all. */
  readonly href: string | undefined;
}

/** Cuts mail addresses out of plain text (GitHub's extended autolinks). */
export function mailPieces(text: string): Piece[] {
  if (!text.includes("@")) return [{ text }];
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: address, index } of text.matchAll(mail)) {
    // It ends in a letter; dots after it end a sentence.
    const href = /[a-z]$/i.test(address) ? safeHref(address.replace(/^(?!mailto:)/i, "mailto:")) : undefined;
    if (href === undefined) continue;
    if (index > from) pieces.push({ text: text.slice(from, index) });
    pieces.push({ text: address, href });
    from = index + address.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

/** The first place in `text` where a web address may begin, from `from` on. */
export function webAddressStart(text: string, from: number): number {
  webStart.lastIndex = from;
  return webStart.exec(text)?.index ?? -1;
}

/** The web address that begins at `start`, where `webAddressStart` found one. */
export function webAddressAt(text: string, start: number): WebAddress {
  const isWww = /w/i.test(text.charAt(start));
  const mayBegin = (isWww ? /^[\s*_~([\]]?$/ : /^[^a-z]?$/i).test(text.charAt(start - 1));
  webRun.lastIndex = start;
  const run = mayBegin ? untilBracket(webRun.exec(text)?.[0] ?? "") : "";
  const runEnd = run === "" ? start + 8 : start + run.length;
  const none = { start, end: start, runEnd, href: undefined };
  const address = withoutTrail(run);
  if (!hasDomain(address)) return none;
  const href = safeHref(isWww ? `http://${address}` : address);
  return href === undefined ? none : { start, end: start + address.length, runEnd, href };
}

/** Letters, digits and hyphens between dots; underscores, but not in the last two parts. */
function hasDomain(address: string): boolean {
  const domain = /^(?:https?:\/\/|www\.)((?:[^\s\p{P}\p{S}]|[-_.])+)/iu.exec(address)?.[1] ?? "";
  const isNamed = /^[^.\p{P}]/u.test(domain);
  return isNamed && !domain.split(".").slice(-2).join("").includes("_");
}

/** A bracket that was opened before the address ends it: what is in brackets may be a link, however the address goes on. */
function untilBracket(run: string): string {
  let depth = 0;
  for (let at = 0; at < run.length; at++) {
    if (run[at] === "[") depth++;
    else if (run[at] === "]" && depth-- === 0) return run.slice(0, at);
  }
  return run;
}

/** Signs that end a sentence, and a parenthesis that was opened before the address, are none of it. */
function withoutTrail(address: string): string {
  let excess = count(address, ")") - count(address, "(");
  for (let end = address.length; ; end--) {
    const last = address.charAt(end - 1);
    if (last === ";") {
      // What looks like a character reference goes as a whole.
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

/** The address if it is one that may be opened: the web, or mail. Else undefined, whatever it is dressed up as. */
export function safeHref(href: string): string | undefined {
  // Browsers skip control characters and white space inside a scheme.
  const shown = [...href].filter((char) => char > " " && char !== "\u007f").join("");
  // They also take a backslash for a slash. Behind the host it is a character of its own (CommonMark 6.5).
  const bare = shown.replace(/^https?:\/\/[^/?#\\]+[/?#].*$/i, (address) => address.replaceAll("\\", "%5C"));
  if (!/^(https?:\/\/|mailto:)/i.test(bare) || !URL.canParse(bare)) return undefined;
  const { protocol, href: parsed } = new URL(bare);
  return protocol === "https:" || protocol === "http:" || protocol === "mailto:" ? parsed : undefined;
}
