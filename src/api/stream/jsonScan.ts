const [quote, backslash, colon, comma] = [34, 92, 58, 44];
const [openArray, closeArray, openObject, closeObject] = [91, 93, 123, 125];
/** Longer than any member name that is used. */
const longestName = 64;

/** Finds the structure of JSON that arrives in chunks, without parsing it. For invalid JSON the result is arbitrary. */
export class JsonScanner {
  /** Of open arrays and objects. */
  depth = 0;
  isInString = false;
  /** The member of the outermost object whose value is being read. */
  member: string | undefined;
  /** The chunk ended with a backslash that escapes the first byte of the next one. */
  #isEscaped = false;
  #name: Uint8Array[] = [];

  /**
   * Index of the next bracket, comma or colon outside strings, or of the next quote that opens or closes a string, from
   * `from` on. Returns the length of the chunk if it finds nothing.
   */
  next(bytes: Uint8Array, from: number): number {
    if (this.isInString) return this.#endOfString(bytes, from);
    for (let at = from; at < bytes.length; at++) {
      switch (bytes[at]) {
        case quote:
          this.isInString = true;
          this.#name = [];
          return at;
        case openArray:
        case openObject:
          this.depth++;
          return at;
        case closeArray:
        case closeObject:
          this.depth--;
          return at;
        case colon:
          if (this.depth === 1) this.member = nameOf(this.#name);
          return at;
        case comma:
          if (this.depth === 1) this.member = undefined;
          return at;
      }
    }
    return bytes.length;
  }

  #endOfString(bytes: Uint8Array, from: number): number {
    let at = this.#isEscaped ? from + 1 : from;
    while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
    this.isInString = at >= bytes.length;
    this.#isEscaped = at > bytes.length;
    const end = Math.min(at, bytes.length);
    // A copy, because a chunk may be reused.
    if (this.depth === 1)
      this.#name.push(Uint8Array.from(bytes.subarray(from, Math.min(end, from + longestName))));
    return end;
  }
}

/** The name may contain escapes. */
function nameOf(pieces: readonly Uint8Array[]): string | undefined {
  try {
    return JSON.parse(`"${Buffer.concat(pieces).toString()}"`) as string;
  } catch {
    return undefined;
  }
}

/** The elements of one array in a JSON object, and the object with that array empty, as unparsed texts. */
export interface SplitJson {
  readonly rest: string;
  readonly items: Iterable<string>;
}

/**
 * Splits a JSON object at its member `member`, so that a long list is parsed by element and never held in memory as a
 * whole. The parts of invalid JSON are invalid as well: parsing all of them finds the error.
 */
export function splitItems(json: Uint8Array, member: string): SplitJson {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  const scanner = new JsonScanner();
  const start = startOfItems(scanner, bytes, member);
  const ends = endsOfItems(scanner, bytes, start);
  const end = ends.at(-1);
  if (end === undefined) return { rest: wholeText(bytes), items: [] };
  const rest = wholeText(bytes.subarray(0, start)) + wholeText(bytes.subarray(end));
  return { rest, items: itemsBetween(bytes, start, ends) };
}

/** Index of the first element of the member's array. Returns the length of the text if the member is missing. */
function startOfItems(scanner: JsonScanner, bytes: Buffer, member: string): number {
  for (let at = scanner.next(bytes, 0); at < bytes.length; at = scanner.next(bytes, at + 1))
    if (bytes[at] === openArray && scanner.depth === 2 && scanner.member === member) return at + 1;
  return bytes.length;
}

/** End of each element, the last one at the closing bracket; empty if that is missing. */
function endsOfItems(scanner: JsonScanner, bytes: Buffer, start: number): number[] {
  const ends: number[] = [];
  for (let at = scanner.next(bytes, start); at < bytes.length; at = scanner.next(bytes, at + 1)) {
    if (scanner.depth < 2) return [...ends, at];
    if (bytes[at] === comma && scanner.depth === 2) ends.push(at);
  }
  return [];
}

function* itemsBetween(bytes: Buffer, start: number, ends: readonly number[]): Generator<string> {
  let from = start;
  for (const end of ends) {
    const text = bytes.toString("utf8", from, end);
    if (ends.length > 1 || text.trim() !== "") yield text;
    from = end + 1;
  }
}

/** Decodes without a byte order mark, which JSON.parse refuses. */
function wholeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
