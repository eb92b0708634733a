import { createReadStream, createWriteStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createDurably, type TemporaryPlaces } from "../../platform/files/durable/durableFile.ts";
import { openPrivate } from "../../platform/files/privateFiles.ts";
import { frontMatter } from "../writing.ts";
import type { ParsedText } from "./tempFiles.ts";

const pieceBytes = 65_536;
const [carriageReturn, lineFeed, space, tab] = [13, 10, 32, 9];

/**
 * Writes the text of the document `source` to a new file, completely or not at all. Adds front matter if the number of
 * tokens is known; raw text is written unchanged. Rejects with EEXIST if the name exists.
 */
export async function writeParsed(
  parsed: ParsedText,
  target: string,
  source: string,
  temporary: TemporaryPlaces,
): Promise<void> {
  await createDurably(target, temporary, (path) => fill(path, parsed, source));
}

/** The same in a file that only the user can read. Replaces an existing file. */
export async function writeParsedPrivately(
  parsed: ParsedText,
  target: string,
  source: string,
): Promise<void> {
  await (await openPrivate(target, "w")).close();
  await fill(target, parsed, source);
}

/** The target exists, and keeps its mode. */
async function fill(target: string, { path, tokens }: ParsedText, source: string): Promise<void> {
  // copyFile would also copy the mode of the temporary file, which is private.
  if (tokens === undefined) return pipeline(createReadStream(path), createWriteStream(target));
  const [from, to] = [await open(path), await open(target, "w")];
  try {
    await to.writeFile(frontMatter({ source, date: new Date().toISOString(), tokens }));
    await copyTidy(from, to);
  } finally {
    await from.close();
    await to.close();
  }
}

/** Copies a text with LF line ends, trimmed, with a line feed at its end. Uses one small buffer. */
async function copyTidy(from: FileHandle, to: FileHandle): Promise<void> {
  const buffer = new Uint8Array(pieceBytes + 1);
  const [start, end] = await withoutBlanks(from, buffer.subarray(1));
  let isReturnDue = false;
  for (let at = start; at < end; ) {
    const { bytesRead } = await from.read(buffer, 1, Math.min(pieceBytes, end - at), at);
    if (bytesRead === 0) break;
    at += bytesRead;
    // The first byte of the buffer is for a CR at the end of the previous piece.
    const first = isReturnDue && buffer[1] !== lineFeed ? 0 : 1;
    if (first === 0) buffer[0] = carriageReturn;
    isReturnDue = buffer[bytesRead] === carriageReturn;
    const length = dropReturns(buffer, first, isReturnDue ? bytesRead : bytesRead + 1);
    await to.writeFile(buffer.subarray(first, first + length));
  }
  await to.writeFile("\n");
}

/** Removes each CR before a LF in place. Returns the number of bytes left. */
function dropReturns(buffer: Uint8Array, from: number, to: number): number {
  let next = from;
  for (let at = from; at < to; at++) {
    const byte = buffer[at] ?? 0;
    if (byte === carriageReturn && at + 1 < to && buffer[at + 1] === lineFeed) continue;
    buffer[next++] = byte;
  }
  return next - from;
}

/** Offsets of a file's text without leading and trailing white space. */
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

/** Length of the byte order mark. */
async function markBytes(file: FileHandle, buffer: Uint8Array): Promise<number> {
  const { bytesRead } = await file.read(buffer, 0, 3, 0);
  return bytesRead === 3 && buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0;
}

function isBlankByte(byte: number): boolean {
  return byte === space || (byte >= tab && byte <= carriageReturn);
}
