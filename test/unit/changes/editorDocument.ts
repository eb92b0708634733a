// Documents of the editor over real files: unsaved text, line ends, byte order marks, and saves that notice newer files.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

type Listener = (event: unknown) => void;

export class EventEmitter {
  readonly #listeners = new Set<Listener>();
  readonly event = (listener: Listener) => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };
  fire(event?: unknown): void {
    for (const listener of [...this.#listeners]) listener(event);
  }
  dispose(): void {
    this.#listeners.clear();
  }
}

export class Uri {
  readonly scheme: string;
  readonly path: string;
  readonly authority: string;
  readonly query: string;
  constructor(path: string, scheme = "file", authority = "", query = "") {
    this.path = path;
    this.scheme = scheme;
    this.authority = authority;
    this.query = query;
  }
  get fsPath(): string {
    return this.path;
  }
  toString(): string {
    const query = this.query && `?${encodeURIComponent(this.query)}`;
    return `${this.scheme}://${this.authority}${encodeURI(this.path)}${query}`;
  }
  with({ path }: { readonly path: string }): Uri {
    return new Uri(path);
  }
  static file = (path: string) => new Uri(path);
  static from = ({
    scheme,
    authority,
    path,
    query,
  }: { readonly [Part in "scheme" | "authority" | "path" | "query"]: string }) =>
    new Uri(path, scheme, authority, query);
  static parse = (text: string) => new Uri(decodeURI(text.replace(/^file:\/\//, "")));
  static joinPath = ({ path }: Uri, ...parts: readonly string[]) => new Uri(join(path, ...parts));
}

export class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
  isEqual({ line, character }: Position): boolean {
    return this.line === line && this.character === character;
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(...at: readonly unknown[]) {
    const [a, b, c, d] = at as number[];
    [this.start, this.end] =
      at.length === 2
        ? (at as unknown as [Position, Position])
        : [new Position(a as number, b as number), new Position(c as number, d as number)];
  }
}

export const events = {
  changed: new EventEmitter(),
  closed: new EventEmitter(),
  saved: new EventEmitter(),
  savedNotebook: new EventEmitter(),
  created: new EventEmitter(),
  opened: new EventEmitter(),
  deleted: new EventEmitter(),
  renamed: new EventEmitter(),
  tabs: new EventEmitter(),
};

/** Moments at which a test lets the user act while the agent works. */
export type Moment =
  | "before the change"
  | "after the change"
  | "before the save"
  | "in the save"
  | "after the save";

/** Called at each moment of a change by the agent. */
export const moments = { at: (_moment: Moment, _document: Document): void => {} };

const breaks = /\r\n|\r|\n/g;
const endOf = (change: { rangeOffset: number; rangeLength: number }) =>
  change.rangeOffset + change.rangeLength;
const mark = "\ufeff";

/** Labels of encodings that the editor names otherwise. */
const labels: Readonly<Record<string, string>> = { shiftjis: "shift_jis", utf16le: "utf-16le" };

/** The text of a file with its byte order mark. */
export function toText(bytes: Uint8Array | undefined, encoding: string): string {
  if (encoding === "windows1252") return Buffer.from(bytes ?? []).toString("latin1");
  return new TextDecoder(labels[encoding] ?? "utf-8", { ignoreBOM: true }).decode(bytes);
}

/** UTF-16 is written with its byte order mark, and a question mark in place of a character that an encoding lacks. */
export function toBytes(text: string, encoding: string): Buffer {
  if (encoding === "windows1252") return Buffer.from(text.replace(/[^\0-\xff]/g, "?"), "latin1");
  if (encoding === "shiftjis") return Buffer.concat([...text].map(toShiftJis));
  return encoding === "utf16le"
    ? Buffer.from(mark + text.replace(/^\ufeff/, ""), "utf16le")
    : Buffer.from(text);
}

/** Only hiragana, which is in one range. */
function toShiftJis(character: string): Buffer {
  const code = character.charCodeAt(0);
  if (code < 0x80) return Buffer.from(character);
  return code >= 0x3041 && code <= 0x3093 ? Buffer.from([0x82, 0x9f + code - 0x3041]) : Buffer.from("?");
}

/** False for a folder, also behind a link, which no editor opens. */
export function isFileAt(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

export class Document {
  readonly uri: Uri;
  readonly languageId: string;
  encoding: string;
  eol: 1 | 2 = 1;
  isDirty = false;
  isClosed = false;
  #text = "";
  #version = 1;
  #hasMark = false;
  /** The file as it was read or written last. */
  #known: Buffer | undefined;

  constructor(uri: Uri, encoding = "utf8", languageId = "plaintext") {
    this.uri = uri;
    this.languageId = languageId;
    this.encoding = encoding;
    this.#load();
  }

  get fileName(): string {
    return this.uri.path;
  }

  get version(): number {
    return this.#version;
  }

  get lineCount(): number {
    return this.#text.split("\n").length;
  }

  getText(): string {
    return this.#text;
  }

  lineAt(line: number) {
    const text = this.#lines()[line] ?? "";
    return { range: new Range(line, 0, line, text.length), text };
  }

  positionAt(offset: number): Position {
    const before = this.#text.slice(0, Math.max(0, offset)).split(this.#eol);
    return new Position(before.length - 1, before.at(-1)?.length ?? 0);
  }

  offsetAt(position: Position): number {
    return this.#offset(position);
  }

  /** An edit at one place, as typing makes it. */
  type(line: number, character: number, text: string): void {
    const at = new Position(line, character);
    this.edit([{ range: new Range(at, at), text }]);
  }

  /** Replaces the whole text by one edit. */
  put(text: string): void {
    const last = this.#lines().length - 1;
    this.edit([{ range: new Range(0, 0, last, this.#lines()[last]?.length ?? 0), text }]);
  }

  edit(changes: readonly { readonly range: Range; readonly text: string }[], isDirty = true): void {
    const contentChanges = changes
      .map(({ range, text }) => {
        const [rangeOffset, end] = [this.#offset(range.start), this.#offset(range.end)];
        return { range, rangeOffset, rangeLength: end - rangeOffset, text: text.replace(breaks, this.#eol) };
      })
      // The editor's order: an insertion is made after the removal of what follows it.
      .sort((a, b) => endOf(b) - endOf(a) || b.rangeOffset - a.rangeOffset);
    for (const { rangeOffset, rangeLength, text } of contentChanges)
      this.#text = this.#text.slice(0, rangeOffset) + text + this.#text.slice(rangeOffset + rangeLength);
    this.#version += 1;
    this.isDirty = isDirty;
    events.changed.fire({ document: this, contentChanges });
  }

  /** False if the file is newer than what the document knows. */
  async save(): Promise<boolean> {
    moments.at("before the save", this);
    const found = this.#read();
    if (found && !(this.#known && found.equals(this.#known))) return false;
    // The system lets a superuser write.
    if (found && (statSync(this.uri.path).mode & 0o222) === 0) return false;
    const version = this.#version;
    this.#known = toBytes((this.#hasMark ? mark : "") + this.#text, this.encoding);
    mkdirSync(dirname(this.uri.path), { recursive: true });
    moments.at("in the save", this);
    writeFileSync(this.uri.path, this.#known);
    this.isDirty = this.#version !== version;
    events.saved.fire(this);
    return true;
  }

  /** Takes the text of the file. */
  revert(): void {
    this.isDirty = false;
    this.#known = undefined;
    this.follow();
  }

  reopen(encoding: string): void {
    this.encoding = encoding;
    this.revert();
  }

  follow(): void {
    const found = this.#read();
    if (this.isDirty || !found || (this.#known && found.equals(this.#known))) return;
    const before = this.#text;
    const range = new Range(0, 0, ...this.#end());
    this.#load();
    if (this.#text === before) return;
    this.#version += 1;
    events.changed.fire({ document: this, contentChanges: [{ range, text: this.#text }] });
  }

  #load(): void {
    this.#known = this.#read();
    if (this.#known?.[0] === 0xff && this.#known[1] === 0xfe) this.encoding = "utf16le";
    const text = toText(this.#known, this.encoding);
    this.#hasMark = text.startsWith(mark);
    const ends = text.match(breaks) ?? [];
    this.eol = ends.filter((end) => end !== "\n").length > ends.length / 2 ? 2 : 1;
    this.#text = text.slice(this.#hasMark ? 1 : 0).replace(breaks, this.#eol);
  }

  #read(): Buffer | undefined {
    return isFileAt(this.uri.path) ? readFileSync(this.uri.path) : undefined;
  }

  get #eol(): string {
    return this.eol === 2 ? "\r\n" : "\n";
  }

  #lines(): string[] {
    return this.#text.split(this.#eol);
  }

  #end(): [number, number] {
    const lines = this.#lines();
    return [lines.length - 1, lines.at(-1)?.length ?? 0];
  }

  #offset({ line, character }: Position): number {
    const lines = this.#lines();
    const before = lines.slice(0, line).reduce((sum, one) => sum + one.length + this.#eol.length, 0);
    return Math.min(before + character, this.#text.length);
  }
}
