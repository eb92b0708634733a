/** How a piece of text is shown. An empty link is none. */
export interface TextFormat {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly strike: boolean;
  readonly link: string;
}

interface Piece extends TextFormat {
  readonly text: string;
}

const plainFormat: TextFormat = { bold: false, italic: false, strike: false, link: "" };

/** From the outside in. */
const keys = ["link", "strike", "bold", "italic"] as const;
type Key = (typeof keys)[number];
const markers: Readonly<Record<Key, string>> = { link: "", strike: "~~", bold: "**", italic: "*" };

/** The text of a paragraph in pieces, which editors of documents cut at any character. */
export class InlineText {
  readonly #pieces: Piece[] = [];

  add(text: string, format: TextFormat = plainFormat): void {
    if (text !== "") this.#pieces.push({ ...format, text });
  }

  addAll(other: InlineText): void {
    for (const piece of other.#pieces) this.#pieces.push(piece);
  }

  /** As markdown without blanks around it. `isBold`: it is bold anyway, as headings are. */
  markdown(isBold = false): string {
    const pieces = isBold ? this.#pieces.map((piece) => ({ ...piece, bold: false })) : this.#pieces;
    return rendered(joined(withFormatOfBlanks(pieces)), keys).trim();
  }
}

/** Blanks between two pieces belong to the format of both, or to none. */
function withFormatOfBlanks(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.map((piece, index) => {
    if (piece.text.trim() !== "") return piece;
    const [before, after] = [pieces[index - 1], pieces[index + 1]];
    const common = (key: "bold" | "italic" | "strike") => before?.[key] === true && after?.[key] === true;
    return {
      text: piece.text,
      bold: common("bold"),
      italic: common("italic"),
      strike: common("strike"),
      link: before?.link === after?.link ? (before?.link ?? "") : "",
    };
  });
}

function joined(pieces: readonly Piece[]): Piece[] {
  const groups: Piece[] = [];
  for (const piece of pieces) {
    const last = groups.at(-1);
    if (last && keys.every((key) => last[key] === piece[key]))
      groups[groups.length - 1] = { ...last, text: last.text + piece.text };
    else groups.push(piece);
  }
  return groups;
}

function rendered(pieces: readonly Piece[], [key, ...inner]: readonly Key[]): string {
  if (key === undefined) return pieces.map(({ text }) => text).join("");
  const groups: Piece[][] = [];
  for (const piece of pieces) {
    const last = groups.at(-1);
    if (last?.[0]?.[key] === piece[key]) last.push(piece);
    else groups.push([piece]);
  }
  let text = "";
  for (const [index, group] of groups.entries()) {
    const content = rendered(group, inner);
    const value = group[0]?.[key];
    const next = groups[index + 1]?.[0]?.text ?? "";
    if (!value) text += content;
    else if (key === "link") text += linked(content, String(value));
    else text += marked(content, markers[key], text, next);
  }
  return text;
}

/**
 * Blanks stay outside of the marks, and so does punctuation between a mark and a letter: CommonMark would not read
 * `**Note:**text` as bold.
 */
function marked(content: string, marker: string, before: string, after: string): string {
  const isWordBefore = /[\p{L}\p{N}]$/u.test(before);
  const isWordAfter = /^[\p{L}\p{N}]/u.test(after);
  const start = (isWordBefore ? /^[\s\p{P}\p{S}]*/u : /^\s*/).exec(content)?.[0] ?? "";
  if (start.length === content.length) return content;
  const rest = content.slice(start.length);
  const inside = isWordAfter ? trimmedEnd(rest) : rest.trimEnd();
  return `${start}${marker}${inside}${marker}${rest.slice(inside.length)}`;
}

function trimmedEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s\p{P}\p{S}]/u.test(text[end - 1] ?? "")) end -= 1;
  return end === 0 ? text.trimEnd() : text.slice(0, end);
}

/** Addresses that a reader of the document could follow. Others, and those that are the text itself, are left out. */
export function linked(content: string, address: string): string {
  const text = content.trim();
  const isFollowed = !/^(?:javascript|vbscript|data):/i.test(address.trim());
  if (
    text === "" ||
    address === "" ||
    !isFollowed ||
    address.replace(/^mailto:/i, "") === text ||
    address === `${text}/`
  )
    return content;
  const target = /[\s()<>]/.test(address) ? `<${address.replace(/[<>\n]/g, encodeURIComponent)}>` : address;
  const [start = "", end = ""] = [/^\s*/.exec(content)?.[0], /\s*$/.exec(content)?.[0]];
  return `${start}[${text.replace(/[[\]]/g, "\\$&").replace(/\s*\n\s*/g, " ")}](${target})${end}`;
}
