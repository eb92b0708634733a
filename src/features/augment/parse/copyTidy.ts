import type { FileHandle } from "node:fs/promises";

const pieceBytes = 65_536;
const [carriageReturn, lineFeed, space, tab] = [13, 10, 32, 9];

/**
 * Copies a text without the blank space around it, its lines ended by a line feed alone, and with one at its end. One
 * small buffer holds all of it that is in memory.
 */
export async function copyTidy(from: FileHandle, to: FileHandle): Promise<void> {
  const buffer = new Uint8Array(pieceBytes + 1);
  const [start, end] = await withoutBlanks(from, buffer.subarray(1));
  let isReturnDue = false;
  for (let at = start; at < end; ) {
    const { bytesRead } = await from.read(buffer, 1, Math.min(pieceBytes, end - at), at);
    if (bytesRead === 0) break;
    at += bytesRead;
    // The place before what was read is for what the last piece ended with.
    const first = isReturnDue && buffer[1] !== lineFeed ? 0 : 1;
    if (first === 0) buffer[0] = carriageReturn;
    isReturnDue = buffer[bytesRead] === carriageReturn;
    const length = dropReturns(buffer, first, isReturnDue ? bytesRead : bytesRead + 1);
    await to.writeFile(buffer.subarray(first, first + length));
  }
  await to.writeFile("\n");
}

/** Moves bytes together over each return that a line feed follows; tells how many are left. */
function dropReturns(buffer: Uint8Array, from: number, to: number): number {
  let next = from;
  for (let at = from; at < to; at++) {
    const byte = buffer[at] ?? 0;
    if (byte === carriageReturn && at + 1 < to && buffer[at + 1] === lineFeed) continue;
    buffer[next++] = byte;
  }
  return next - from;
}

/** Where the text begins and ends that stands between the blanks at both ends of a file. */
async function withoutBlanks(file: FileHandle, buffer: Uint8Array): Promise<[start: number, end: number]> {
  const { size } = await file.stat();
  let start = await markBytes(file, buffer);
  for (let isBlank = true; isBlank && start < size; ) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
    const found = buffer.subarray(0, bytesRead).findIndex((byte) => !isBlankByte(byte));
    isBlank = found < 0;
    start += isBlank ? bytesRead : found;
  }
  let end = size;
  for (let isBlank = true; isBlank && end > start; ) {
    const from = Math.max(start, end - buffer.length);
    const { bytesRead } = await file.read(buffer, 0, end - from, from);
    const found = buffer.subarray(0, bytesRead).findLastIndex((byte) => !isBlankByte(byte));
    isBlank = found < 0;
    end = from + found + 1;
  }
  return [start, end];
}

/** How long the byte order mark is that the file begins with. */
async function markBytes(file: FileHandle, buffer: Uint8Array): Promise<number> {
  const { bytesRead } = await file.read(buffer, 0, 3, 0);
  return bytesRead === 3 && buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0;
}

function isBlankByte(byte: number): boolean {
  return byte === space || (byte >= tab && byte <= carriageReturn);
}
