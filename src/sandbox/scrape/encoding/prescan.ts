/** Browsers scan a kilobyte before they parse, and change the encoding for a declaration that they meet later. */
const scannedBytes = 65_536;

/**
 * The encoding that a page declares, as browsers look for it (WHATWG, "prescan a byte stream" and "changing the encoding
 * while parsing"): in a `meta` element, or in an XML declaration; not in comments, scripts or the values of other
 * attributes.
 */
export function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, scannedBytes)).toString("latin1");
  return new Prescan(head).run() ?? xmlEncoding(head);
}

/** `<?xml version="1.0" encoding="windows-1251"?>` */
function xmlEncoding(head: string): string | undefined {
  const declaration = /^\s*<\?xml\b([^>]*?)\?>/.exec(head)?.[1] ?? "";
  return asMeta(/\bencoding\s*=\s*["']([^"']+)["']/.exec(declaration)?.[1]);
}

/** A page whose ASCII letters were read is not in UTF-16, whatever it says. */
function asMeta(label: string | undefined): string | undefined {
  const encoding = label === undefined ? undefined : encodingNamed(label);
  if (encoding === "utf-16le" || encoding === "utf-16be") return "utf-8";
  return encoding === "x-user-defined" ? "windows-1252" : encoding;
}

class Prescan {
  readonly #text: string;
  #index = 0;

  constructor(text: string) {
    this.#text = text;
  }

  run(): string | undefined {
    while (this.#index < this.#text.length) {
      const encoding = this.#step();
      if (encoding !== undefined) return encoding;
      this.#index += 1;
    }
    return undefined;
  }

  /** Leaves the index at the last character of what it read. */
  #step(): string | undefined {
    if (this.#text[this.#index] !== "<") return undefined;
    const rest = this.#text.slice(this.#index);
    if (rest.startsWith("<!--")) this.#skipTo("-->", this.#index + 2);
    else if (/^<meta[\s/]/i.test(rest)) return this.#meta();
    else if (/^<\/?[a-z]/i.test(rest))
      this.#element(/^<(script|style|title|textarea)[\s/>]/i.exec(rest)?.[1]);
    else if (/^<[!/?]/.test(rest)) this.#skipTo(">", this.#index + 1);
    return undefined;
  }

  #skipTo(end: string, from: number): void {
    const found = this.#text.indexOf(end, from);
    this.#index = found < 0 ? this.#text.length : found + end.length - 1;
  }

  /** `holdsText` is its name if it contains text alone, in which no element begins. */
  #element(holdsText: string | undefined): void {
    while (this.#index < this.#text.length && !/[\s>]/.test(this.#text[this.#index] ?? "")) this.#index += 1;
    while (this.#attribute());
    if (holdsText === undefined) return;
    const end = new RegExp(`</${holdsText}`, "gi");
    end.lastIndex = this.#index;
    // The character before the end tag, which is the next that is looked at.
    this.#index = (end.exec(this.#text)?.index ?? this.#text.length) - 1;
  }

  #meta(): string | undefined {
    this.#index += "<meta".length;
    const attributes = new Map<string, string>();
    for (let next = this.#attribute(); next; next = this.#attribute()) {
      if (!attributes.has(next.name)) attributes.set(next.name, next.value);
    }
    const own = attributes.get("charset");
    if (own !== undefined) return asMeta(own);
    if (attributes.get("http-equiv")?.toLowerCase() !== "content-type") return undefined;
    return asMeta(charsetIn(attributes.get("content") ?? ""));
  }

  /** The next attribute of an element, or undefined at its end. */
  #attribute(): { readonly name: string; readonly value: string } | undefined {
    const form = /[\s/]*(?:(>)|([^\s/>=]?[^\s/>=]*)\s*(?:=\s*(?:"([^"]*)("?)|'([^']*)('?)|([^\s>]*)))?)/y;
    form.lastIndex = this.#index;
    const [whole = "", end, name = "", double, , single, , plain] = form.exec(this.#text) ?? [];
    this.#index += whole.length;
    if (end !== undefined) this.#index -= 1;
    if (end !== undefined || whole === "" || this.#index >= this.#text.length) return undefined;
    return { name: name.toLowerCase(), value: double ?? single ?? plain ?? "" };
  }
}

/** The label in `text/html; charset=…` (WHATWG, "extracting a character encoding from a meta element"). */
export function charsetIn(text: string): string | undefined {
  const [, double, single, plain] = /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))/i.exec(text) ?? [];
  return (double ?? single ?? plain)?.trim();
}

/** The name of an encoding that browsers know by this label. Undefined for others. */
export function encodingNamed(label: string): string | undefined {
  const name = label.trim().toLowerCase();
  if (name === "x-user-defined") return name;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}
