import { characterEntities } from "character-entities";
import type { TextBlock, TextRun } from "../block.ts";

/** The spoken text of an HTML document, or of the part of a text that is HTML. Offsets are those of `source`. */
export function toHtmlBlocks(source: string, from = 0, to = source.length): TextBlock[] {
  const reader = new HtmlReader();
  reader.read(source, from, to);
  return reader.end();
}

/** A comment, a tag with its name and attributes, or an entity. */
const token =
  /<!--[\s\S]*?(?:-->|$)|<[!?][^>]*>|<(\/?)([a-z][\w:-]*)((?:"[^"]*"|'[^']*'|[^'"<>])*)>|&(?:#x[0-9a-f]{1,6}|#\d{1,7}|[a-z][a-z\d]{1,31});/gi;

/** What is not text for a reader; `rt` spells the word before it once more. */
const silent = new Set(
  "head script style template noscript svg math iframe object select pre rt rp textarea".split(" "),
);
const inline = new Set(
  "a abbr b bdi bdo big cite code data del dfn em font i img input ins kbd label mark q ruby rb s samp small span strike strong sub sup time tt u var wbr br nobr acronym td th".split(
    " ",
  ),
);

/** Collects the text between tags. Markdown gives it text and tags one by one. */
export class HtmlReader {
  readonly #blocks: TextBlock[] = [];
  #runs: TextRun[] = [];
  /** The open element whose content is left out, and how many of its kind are open. */
  #silent: { readonly name: string; depth: number } | undefined;
  #isRaised = false;
  #isHeading = false;

  read(source: string, from: number, to: number): void {
    const part = source.slice(from, to);
    let index = 0;
    const plain = (end: number) => {
      if (end > index) this.text({ text: part.slice(index, end), from: from + index, to: from + end });
    };
    for (const { index: start, 0: found, 1: slash, 2: name, 3: attributes } of part.matchAll(token)) {
      plain(start);
      index = start + found.length;
      const place = { from: from + start, to: from + index };
      if (name !== undefined)
        this.#tag({ isEnd: slash === "/", name: name.toLowerCase(), attributes: attributes ?? "" }, place);
      else if (found.startsWith("&")) this.text({ text: characterOf(found), ...place });
    }
    plain(part.length);
  }

  text(run: TextRun): void {
    if (this.#silent || run.text === "") return;
    if (!this.#isRaised) {
      this.#runs.push(run);
      return;
    }
    const before = this.#runs.at(-1)?.text ?? "";
    const text = raised(run.text, before);
    if (text !== "") this.#runs.push({ text, from: run.from, to: run.to });
  }

  /** The blocks so far. */
  end(): TextBlock[] {
    this.#endBlock();
    return this.#blocks;
  }

  #endBlock(): void {
    if (this.#runs.some(({ text }) => /\S/.test(text)))
      this.#blocks.push(this.#isHeading ? asHeading(this.#runs) : this.#runs);
    this.#runs = [];
  }

  #tag({ isEnd, name, attributes }: Tag, place: { readonly from: number; readonly to: number }): void {
    if (this.#skips(isEnd, name, attributes)) return;
    if (name === "sup") this.#isRaised = !isEnd;
    else if (name === "br") this.text({ text: " ", ...place });
    else if (name === "img") this.text({ text: attributeOf(attributes, "alt"), ...place });
    else if (name === "td" || name === "th") {
      if (!isEnd && this.#runs.length > 0) this.text({ text: ", ", ...place });
    } else if (!inline.has(name)) {
      this.#endBlock();
      if (/^h[1-6]$/.test(name)) this.#isHeading = !isEnd;
    }
  }

  /** Enters and leaves what is left out; true inside of it. */
  #skips(isEnd: boolean, name: string, attributes: string): boolean {
    const open = this.#silent;
    if (!open) {
      if (isEnd || !silent.has(name) || attributes.endsWith("/")) return false;
      this.#silent = { name, depth: 1 };
      return true;
    }
    if (name === open.name) open.depth += isEnd ? -1 : 1;
    if (open.depth === 0) this.#silent = undefined;
    return true;
  }
}

export function asHeading([first, ...others]: TextBlock): TextBlock {
  return first ? [{ ...first, isHeading: true }, ...others] : [];
}

interface Tag {
  readonly isEnd: boolean;
  readonly name: string;
  readonly attributes: string;
}

function attributeOf(attributes: string, name: string): string {
  const [, double, single, bare] =
    new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(attributes) ?? [];
  const value = double ?? single ?? bare ?? "";
  return value.replace(/&(?:#x[0-9a-f]{1,6}|#\d{1,7}|[a-z][a-z\d]{1,31});/gi, characterOf);
}

/** The text of an entity such as `&eacute;`; one that does not exist stays as it is written. */
export function characterOf(entity: string): string {
  const name = entity.slice(1, -1);
  if (!name.startsWith("#")) return characterEntities[name] ?? entity;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
    ? entity
    : String.fromCodePoint(code);
}

const powers: Readonly<Record<string, string>> = {
  ...Object.fromEntries([..."⁰¹²³⁴⁵⁶⁷⁸⁹"].map((power, digit) => [String(digit), power])),
  "+": "⁺",
  "-": "⁻",
  "−": "⁻",
  n: "ⁿ",
};

/** Raised text: the number of a note behind a word is not read, 10⁶ is not 106, 1st stays. */
function raised(text: string, before: string): string {
  const bare = text.trim();
  if (!/^[+−-]?[\dn]{1,4}$/.test(bare)) return text;
  if (/^\d+$/.test(bare) && /(?:\p{L}{3}|[.,;:!?…"”’»)])$/u.test(before)) return "";
  return [...bare].map((character) => powers[character] ?? character).join("");
}
