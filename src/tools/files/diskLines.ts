import { openRegular } from "../../platform/files/bounded/openRegular.ts";

/** A line of a text without its line break. A long one is cut, and has its length beside it. */
export interface ReadLine {
  readonly text: string;
  /** Of the whole line, in characters. */
  readonly length: number;
}

/** Some lines of a text. */
export interface SomeLines {
  /** The number of the first one, from 1. */
  readonly from: number;
  readonly lines: readonly ReadLine[];
  /** Lines of the whole text. */
  readonly total: number;
  /** False if the text is so long that `total` is only what was counted. */
  readonly isCounted: boolean;
  /** False if characters follow the last line break, as in a text without any. */
  readonly endsWithBreak: boolean;
}

/** Which lines: `from` counts from the end if it is negative. */
export interface LineRange {
  readonly from: number;
  readonly count: number;
}

/** Characters that are kept of a line. */
const maxLineLength = 2_000;

export interface LargeFile {
  /** Absolute. */
  readonly path: string;
  /** Without a byte order mark: a label of the Encoding standard; UTF-8 if undefined. */
  readonly encoding: string | undefined;
}

const pieceBytes = 256 * 1024;
/** Lines after the wanted ones are counted so far. */
const maxCountedBytes = 1024 ** 3;

/**
 * Lines of a file, which is read in pieces: memory does not depend on its size. Bytes that are no text in the encoding become
 * U+FFFD. Rejects with the signal's reason, or if the file can't be read.
 */
export async function readDiskLines(
  file: LargeFile,
  { from, count }: LineRange,
  signal: AbortSignal,
): Promise<SomeLines> {
  if (from >= 0) return collect(file, new LineCollector(Math.max(1, from), count), signal);
  const { total } = await collect(file, new LineCollector(1, 0), signal);
  return collect(file, new LineCollector(Math.max(1, total + from + 1), count), signal);
}

/** The same in a text. */
export function linesOfText(text: string, { from, count }: LineRange): SomeLines {
  const all = new LineCollector(1, 0);
  all.add(text);
  const { total } = all.end(true);
  const first = from < 0 ? Math.max(1, total + from + 1) : Math.max(1, from);
  const wanted = new LineCollector(first, count);
  wanted.add(text);
  return wanted.end(true);
}

async function collect(file: LargeFile, lines: LineCollector, signal: AbortSignal): Promise<SomeLines> {
  const handle = await openRegular(file.path);
  try {
    const buffer = Buffer.allocUnsafe(pieceBytes);
    let decoder: InstanceType<typeof TextDecoder> | undefined;
    let done = 0;
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await handle.read(buffer, 0, pieceBytes, done);
      if (bytesRead === 0) break;
      const piece = buffer.subarray(0, bytesRead);
      decoder ??= new TextDecoder(wideEncodingOf(piece) ?? file.encoding);
      lines.add(decoder.decode(piece, { stream: true }));
      done += bytesRead;
      if (done >= maxCountedBytes && lines.isFull) return lines.end(false);
    }
    lines.add(decoder?.decode() ?? "");
    return lines.end(true);
  } finally {
    await handle.close();
  }
}

/** The first bytes of a file. Rejects if it can't be read. */
export async function readHead(path: string, bytes: number): Promise<Uint8Array> {
  const handle = await openRegular(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The encoding of a text whose first bytes are a mark of UTF-16. */
export function wideEncodingOf([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

/** Takes lines out of a text that comes in pieces. */
class LineCollector {
  readonly #from: number;
  readonly #count: number;
  readonly #lines: ReadLine[] = [];
  /** The number of the line that is not over. */
  #line = 1;
  #kept = "";
  #length = 0;
  #last = "";

  constructor(from: number, count: number) {
    this.#from = from;
    this.#count = count;
  }

  /** True if later text adds nothing but to the number of lines. */
  get isFull(): boolean {
    return this.#line >= this.#from + this.#count;
  }

  add(text: string): void {
    if (text === "") return;
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.#addToLine(text, start, end);
      this.#endLine();
      start = end + 1;
    }
    this.#addToLine(text, start, text.length);
    this.#last = text.slice(-1);
  }

  end(isCounted: boolean): SomeLines {
    const endsWithBreak = this.#length === 0;
    if (!endsWithBreak) this.#endLine();
    const [from, lines, total] = [this.#from, this.#lines, this.#line - 1];
    return { from, lines, total, isCounted, endsWithBreak: endsWithBreak && this.#last === "\n" };
  }

  #addToLine(text: string, start: number, end: number): void {
    this.#length += end - start;
    const room = maxLineLength + 1 - this.#kept.length;
    if (this.#isWanted && room > 0) this.#kept += text.slice(start, Math.min(end, start + room));
  }

  get #isWanted(): boolean {
    return this.#line >= this.#from && this.#line < this.#from + this.#count;
  }

  #endLine(): void {
    if (this.#isWanted) this.#lines.push(toLine(this.#kept, this.#length));
    this.#line += 1;
    this.#kept = "";
    this.#length = 0;
  }
}

/** Without the rest of a line break of Windows, and without half a character where it is cut. */
function toLine(kept: string, length: number): ReadLine {
  if (kept.length === length && kept.endsWith("\r")) return { text: kept.slice(0, -1), length: length - 1 };
  if (length <= maxLineLength) return { text: kept, length };
  const code = kept.charCodeAt(maxLineLength - 1);
  const end = code >= 0xd800 && code < 0xdc00 ? maxLineLength - 1 : maxLineLength;
  return { text: kept.slice(0, end), length };
}
