import { JsonScanner } from "./jsonScan.ts";

/** Receives a chunk of text as UTF-8. After the promise settles, the buffer is reused for the next chunk. */
export type LongTextSink = (piece: Uint8Array) => Promise<void> | void;

/** A JSON object that arrives in chunks and has one long text among its members. */
export interface LongText {
  push(piece: Uint8Array): Promise<void>;
  /** The object with an empty text in that member, unparsed. */
  rest(): string;
}

/** The string is invalid JSON: a control character, or an invalid escape. */
export class BadText extends Error {}

const [quote, backslash] = [34, 92];

/**
 * Passes on the text of the member `member` as it arrives, so that it is never held in memory as a whole. Rejects with
 * `BadText`. Other errors are left to the parser of `rest`: for invalid JSON or an object without that text, `rest` is
 * everything.
 */
export function createLongText(member: string, sink: LongTextSink): LongText {
  const stored: Uint8Array[] = [];
  const scanner = new JsonScanner();
  const takeText = createUnescape(sink);
  let [isInText, isDone] = [false, false];
  const keep = (piece: Uint8Array, from: number, to: number) => void stored.push(piece.slice(from, to));
  const isTextStart = (byte: number | undefined) =>
    byte === quote && scanner.isInString && scanner.depth === 1 && scanner.member === member;
  /** Reads outside the text. Returns the index of its start, or the end of the chunk. */
  const readOther = (piece: Uint8Array, from: number): number => {
    let at = scanner.next(piece, from);
    while (at < piece.length && (isDone || !isTextStart(piece[at]))) at = scanner.next(piece, at + 1);
    isInText = at < piece.length;
    const end = isInText ? at + 1 : at;
    keep(piece, from, end);
    return end;
  };
  return {
    async push(piece) {
      for (let at = 0; at < piece.length; ) {
        if (!isInText) at = readOther(piece, at);
        else {
          const end = await takeText(piece, at);
          isDone = end < piece.length;
          isInText = !isDone;
          // The closing quote belongs to the rest.
          at = isDone ? scanner.next(piece, end) + 1 : end;
          if (isDone) keep(piece, end, at);
        }
      }
    },
    // Without a byte order mark, which JSON.parse refuses.
    rest: () => new TextDecoder().decode(Buffer.concat(stored)),
  };
}

const scratchBytes = 65_536;
/** Bytes that one input byte may add: two characters of three bytes. */
const headroom = 8;
const replacement = 0xfffd;
const letters: Readonly<Record<number, number>> = {
  34: 34,
  92: 92,
  47: 47,
  98: 8,
  102: 12,
  110: 10,
  114: 13,
  116: 9,
};

/**
 * Unescapes a JSON string up to its closing quote or the end of the chunk; resolves to that index. Writes byte by byte
 * into one buffer, because a slice for each line creates more garbage than the text itself.
 */
function createUnescape(sink: LongTextSink): (piece: Uint8Array, from: number) => Promise<number> {
  const scratch = new Uint8Array(scratchBytes);
  let filled = 0;
  let isEscaped = false;
  /** Remaining digits of a `\u` escape, and their value so far. */
  let digits = 0;
  let unit = 0;
  /** A high surrogate that still waits for its low surrogate, else 0. */
  let high = 0;
  const put = (code: number) => {
    if (code < 0x80) scratch[filled++] = code;
    else filled += encoder.encodeInto(String.fromCodePoint(code), scratch.subarray(filled)).written;
  };
  /** A lone surrogate becomes U+FFFD. */
  const putUnit = (code: number) => {
    const isLow = code >= 0xdc00 && code <= 0xdfff;
    const first = high;
    high = 0;
    if (first !== 0 && isLow) return put(0x10000 + ((first - 0xd800) << 10) + (code - 0xdc00));
    if (first !== 0) put(replacement);
    if (code >= 0xd800 && code <= 0xdbff) high = code;
    else put(isLow ? replacement : code);
  };
  const escaped = (byte: number) => {
    isEscaped = false;
    const letter = letters[byte];
    if (letter !== undefined) putUnit(letter);
    else if (byte === 117) [digits, unit] = [4, 0];
    else throw new BadText("a backslash is followed by an invalid character");
  };
  const digit = (byte: number) => {
    const value = Number.parseInt(String.fromCharCode(byte), 16);
    if (Number.isNaN(value)) throw new BadText("a \\u escape does not have four digits");
    unit = unit * 16 + value;
    digits -= 1;
    if (digits === 0) putUnit(unit);
  };
  /** Takes a byte of an escape. False if it is no such byte. */
  const takeEscape = (byte: number): boolean => {
    if (digits > 0) digit(byte);
    else if (isEscaped) escaped(byte);
    else if (byte === backslash) isEscaped = true;
    else return false;
    return true;
  };
  const endSurrogate = () => {
    if (high !== 0) put(replacement);
    high = 0;
  };
  const isFull = () => filled > scratchBytes - headroom;
  /** Stops if the buffer is full. */
  const fill = (piece: Uint8Array, from: number): number => {
    let at = from;
    for (; at < piece.length && !isFull(); at++) {
      const byte = piece[at] ?? 0;
      if (takeEscape(byte)) continue;
      if (byte < 32) throw new BadText("a string contains a control character");
      endSurrogate();
      if (byte === quote) return at;
      scratch[filled++] = byte;
    }
    return at;
  };
  return async (piece, from) => {
    for (let at = from; ; ) {
      at = fill(piece, at);
      const wasFull = isFull();
      if (filled > 0) await sink(scratch.subarray(0, filled));
      filled = 0;
      if (!wasFull || at >= piece.length) return at;
    }
  };
}

const encoder = new TextEncoder();
