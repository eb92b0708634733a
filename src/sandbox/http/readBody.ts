import type { IncomingMessage } from "node:http";
import { Refusal } from "../refusal.ts";

/** Bodies over 35 MB get a 413 (wire.md section 3). */
export const maxBodyBytes = 35_000_000;
/** A caller in the middle of sending would miss the 413: so much is read and thrown away first. */
const maxDrainedBytes = 8 * maxBodyBytes;

/** The whole body, or the refusal of one that is too large. Throws when the caller hangs up. */
export async function readBody(message: IncomingMessage): Promise<Buffer | Refusal> {
  let pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of message as AsyncIterable<Buffer>) {
    size += piece.byteLength;
    if (size <= maxBodyBytes) pieces.push(piece);
    else pieces = [];
    if (size > maxDrainedBytes) break;
  }
  if (size <= maxBodyBytes) return Buffer.concat(pieces);
  return new Refusal(413, `The request body is over ${maxBodyBytes / 1_000_000} MB`);
}
