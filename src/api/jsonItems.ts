/** The elements of one array in a JSON object, and the object with that array empty, as unparsed texts. */
export interface SplitJson {
  readonly rest: string;
  readonly items: Iterable<string>;
}

const [quote, backslash, colon, comma] = [34, 92, 58, 44];
const [openArray, closeArray, openObject, closeObject] = [91, 93, 123, 125];

/**
 * Splits a JSON object at its member `member`, so that a long list is parsed by element and never held in memory as a
 * whole. The parts of invalid JSON are invalid as well: parsing all of them finds the error.
 */
export function splitItems(json: Uint8Array, member: string): SplitJson {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  const start = arrayOf(bytes, member);
  const ends = start < 0 ? [] : endsOfItems(bytes, start);
  const end = ends.at(-1);
  if (end === undefined) return { rest: wholeText(bytes), items: [] };
  const rest = wholeText(bytes.subarray(0, start)) + wholeText(bytes.subarray(end));
  return { rest, items: itemsBetween(bytes, start, ends) };
}

/** Index of the first element of the member's array; -1 if there is no such member or no array. */
function arrayOf(bytes: Buffer, member: string): number {
  let depth = 0;
  let isMember = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      const end = endOfText(bytes, at);
      if (depth === 1) isMember = nameOf(bytes, at, end) === member;
      at = end;
    } else if (byte === openArray && depth === 1 && isMember) return at + 1;
    else if (byte === openArray || byte === openObject) depth++;
    else if (byte === closeArray || byte === closeObject) depth--;
    else if (byte === comma && depth === 1) isMember = false;
  }
  return -1;
}

/** A string that is a member name, since a colon follows. It may contain escapes. */
function nameOf(bytes: Buffer, start: number, end: number): string | undefined {
  let next = end + 1;
  while (isSpace(bytes[next])) next++;
  if (bytes[next] !== colon) return undefined;
  try {
    return JSON.parse(textOf(bytes, start, end + 1)) as string;
  } catch {
    return undefined;
  }
}

/** End of each element, the last one at the closing bracket; empty if that is missing. */
function endsOfItems(bytes: Buffer, start: number): number[] {
  const ends: number[] = [];
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfText(bytes, at);
    else if (byte === openArray || byte === openObject) depth++;
    else if (depth === 0 && byte === comma) ends.push(at);
    else if (byte === closeArray || byte === closeObject) {
      if (depth === 0) return [...ends, at];
      depth--;
    }
  }
  return [];
}

function* itemsBetween(bytes: Buffer, start: number, ends: readonly number[]): Generator<string> {
  let from = start;
  for (const end of ends) {
    const text = textOf(bytes, from, end);
    if (ends.length > 1 || text.trim() !== "") yield text;
    from = end + 1;
  }
}

/** Index of the closing quote of a string that begins here. */
function endOfText(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === 10 || byte === 13;
}

function textOf(bytes: Buffer, start: number, end: number): string {
  return bytes.toString("utf8", start, end);
}

/** Decodes without a byte order mark, which JSON.parse refuses. */
function wholeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
