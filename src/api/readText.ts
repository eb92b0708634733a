/** Bytes of the largest answer that is read whole; what is longer would fill the memory once it is parsed. */
export const maxAnswerBytes = 128 * 1024 * 1024;

/** Reads a body as text until `limit` bytes are reached; the rest is let go. Each piece is told of as it comes. */
export async function readText(
  body: AsyncIterable<Uint8Array>,
  limit: number,
  onPiece: () => void,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const decoder = new TextDecoder();
  let text = "";
  let read = 0;
  for await (const bytes of body) {
    onPiece();
    text += decoder.decode(bytes, { stream: true });
    read += bytes.byteLength;
    if (read >= limit) break;
  }
  return { text: text + decoder.decode(), isCut: read >= limit };
}

/** The same as bytes, none of them looked at. */
export async function readBytes(
  body: AsyncIterable<Uint8Array>,
  limit: number,
  onPiece: () => void,
): Promise<{ readonly bytes: Uint8Array; readonly isCut: boolean }> {
  const pieces: Uint8Array[] = [];
  let read = 0;
  for await (const bytes of body) {
    onPiece();
    pieces.push(bytes);
    read += bytes.byteLength;
    if (read >= limit) break;
  }
  return { bytes: Buffer.concat(pieces), isCut: read >= limit };
}

/** Deeper than the traces of a call within a call as deep as a chain lets them be; code that recurses can't follow further. */
const deepest = 2_500;

/** Whether JSON nests so deep that walking it would overflow the stack. Says nothing of text that is no JSON. */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === quote) at = endOfText(json, at);
    else if (code === openBracket || code === openBrace) {
      depth += 1;
      if (depth > deepest) return true;
    } else if (code === closeBracket || code === closeBrace) depth -= 1;
  }
  return false;
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [34, 92, 91, 93, 123, 125];

/** Where the text that begins here ends: at its quote, or with all there is. */
function endOfText(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (json.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return json.length;
}
