import { Readable } from "node:stream";

/** Bytes of the largest answer that is read as a whole. Parsing a larger one would exhaust the memory. */
export const maxAnswerBytes = 128 * 1024 * 1024;

/** Reads a body as text up to `limit` bytes and discards the rest. Reports each chunk as it arrives. */
export async function readText(
  body: AsyncIterable<Uint8Array>,
  limit: number,
  onPiece: (bytes: Uint8Array) => void,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const decoder = new TextDecoder();
  let text = "";
  let read = 0;
  await readPieces(body, (bytes) => {
    onPiece(bytes);
    text += decoder.decode(bytes, { stream: true });
    read += bytes.byteLength;
    return read < limit;
  });
  return { text: text + decoder.decode(), isCut: read >= limit };
}

/** The same without decoding. */
export async function readBytes(
  body: AsyncIterable<Uint8Array>,
  limit: number,
  onPiece: (bytes: Uint8Array) => void,
): Promise<{ readonly bytes: Uint8Array; readonly isCut: boolean }> {
  const pieces: Uint8Array[] = [];
  let read = 0;
  await readPieces(body, (bytes) => {
    onPiece(bytes);
    pieces.push(bytes);
    read += bytes.byteLength;
    return read < limit;
  });
  return { bytes: Buffer.concat(pieces), isCut: read >= limit };
}

/** Passes each chunk to `onBytes` until the stream ends, or until it returns false: then the rest is discarded. */
async function readPieces(
  body: AsyncIterable<Uint8Array>,
  onBytes: (bytes: Uint8Array) => boolean,
): Promise<void> {
  if (body instanceof Readable) return readStream(body, onBytes);
  for await (const bytes of body) if (!onBytes(bytes)) return;
}

/** By its events, because the iterator of a stream takes an eighth of the time of a small request. */
function readStream(stream: Readable, onBytes: (bytes: Uint8Array) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = () => {
      if (!stream.readableEnded)
        reject(stream.errored ?? new Error("terminated: the answer is not complete"));
    };
    stream.once("end", resolve);
    stream.once("error", reject);
    stream.once("close", onClose);
    // A stream that is closed has no more events.
    if (stream.closed) onClose();
    const onData = (bytes: Uint8Array) => {
      if (onBytes(bytes)) return;
      stream.off("data", onData);
      stream.destroy();
      resolve();
    };
    stream.on("data", onData);
  });
}

/** Deeper than the trace of calls at a chain's maximum depth. Recursive code can't process deeper JSON. */
const deepest = 2_500;

/**
 * True if JSON is nested so deeply that walking it would overflow the stack. The result for invalid JSON is arbitrary.
 * It reads text and not bytes as `JsonScanner` does, which would take 40 times as long for long hex strings.
 */
export function isTooDeep(json: string): boolean {
  if (json.length <= deepest) return false;
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

/** Index of the closing quote of a string, or the end of the text. */
function endOfText(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (json.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return json.length;
}
