/** The bounds keep a text made to be slow from being so. */
const open =
  /(?:https?:\/\/|www\.)[^\s<]{1,2048}|(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,64}(?:\.[A-Za-z0-9-]{1,64}){1,8}/gi;

/** A piece of text, and where it leads if it is a web or mail address. */
export interface Piece {
  readonly text: string;
  readonly href?: string;
}

/** Cuts web and mail addresses out of plain text (GitHub's extended autolinks). */
export function linkPieces(text: string): Piece[] {
  if (!/:\/\/|www\.|@/i.test(text)) return [{ text }];
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(open)) {
    const before = text.charAt(match.index - 1);
    const address = withoutTrail(match[0]);
    if (match.index < from || /[\w@/]/.test(before) || !isLikely(address)) continue;
    if (match.index > from) pieces.push({ text: text.slice(from, match.index) });
    pieces.push({ text: address, href: hrefOf(address) });
    from = match.index + address.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

/** Signs that end a sentence, and a parenthesis that was opened before the address, are none of it. */
function withoutTrail(address: string): string {
  let end = address.length;
  for (;;) {
    const last = address.charAt(end - 1);
    if (/[?!.,:;*_~'"\]]/.test(last)) end--;
    else if (last === ")" && count(address.slice(0, end), ")") > count(address.slice(0, end), "(")) end--;
    else return address.slice(0, end);
  }
}

function count(text: string, char: string): number {
  return text.split(char).length - 1;
}

function isLikely(address: string): boolean {
  return (
    /^https?:\/\/[^\s/?#]+/i.test(address) ||
    /^www\.[^\s.]+\./i.test(address) ||
    /^[^/]+@[^/]+$/.test(address)
  );
}

function hrefOf(address: string): string {
  if (/^https?:/i.test(address)) return address;
  return /^www\./i.test(address) ? `http://${address}` : `mailto:${address}`;
}

/** The address if it is one that may be opened: the web, or mail. Else undefined, whatever it is dressed up as. */
export function safeHref(href: string): string | undefined {
  // Browsers skip control characters and white space inside a scheme.
  const bare = [...href].filter((char) => char > " " && char !== "\u007f").join("");
  if (!/^(https?:\/\/|mailto:)/i.test(bare) || !URL.canParse(bare)) return undefined;
  const { protocol, href: parsed } = new URL(bare);
  return protocol === "https:" || protocol === "http:" || protocol === "mailto:" ? parsed : undefined;
}
