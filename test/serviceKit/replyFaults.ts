import { setTimeout as delay } from "node:timers/promises";
import type { EventsBody, Reply } from "../../src/sandbox/http/reply.ts";
import { encodeReply } from "../../src/sandbox/http/writeReply.ts";
import { Drop, type Faults, faultOf } from "./faults.ts";

/** A handler's reply with the faults applied. */
export function faultyReply(reply: Reply, faults: Faults): Reply {
  const headers = { ...reply.headers, ...faultOf(faults, "headers")?.headers };
  const { body } = reply;
  if (body.kind === "events") return { ...reply, headers, body: faultyEvents(body, faults) };
  const edit = faultOf(faults, "edit");
  if (!edit || body.kind !== "json") return { ...reply, headers };
  return { ...reply, headers, body: { ...body, value: edit.edit(structuredClone(body.value)) } };
}

function faultyEvents(body: EventsBody, faults: Faults): EventsBody {
  const editEvents = faultOf(faults, "edit-events");
  const edited = editEvents ? { ...body, batches: mapped(body.batches, editEvents.edit) } : body;
  const drop = faultOf(faults, "drop-stream");
  const error = faultOf(faults, "error-event");
  const half = faultOf(faults, "half-event");
  const cut = drop ?? error ?? half;
  if (!cut) {
    const batches = faultOf(faults, "no-done") ? withoutDone(edited.batches) : edited.batches;
    return { ...edited, batches };
  }
  const last = error ? errorEvents(error.error) : [];
  return { ...edited, batches: endedAfter(edited.batches, cut.events, last, drop !== undefined) };
}

function errorEvents(error: unknown): string[] {
  const given = error ?? { message: "The model failed", type: "server_error", code: "upstream_error" };
  return [JSON.stringify({ error: given }), "[DONE]"];
}

async function* mapped(batches: AsyncIterable<readonly string[]>, edit: (value: unknown) => unknown) {
  for await (const batch of batches) {
    yield batch.map((data) => (data === "[DONE]" ? data : JSON.stringify(edit(JSON.parse(data)))));
  }
}

async function* withoutDone(batches: AsyncIterable<readonly string[]>) {
  for await (const batch of batches) yield batch.filter((data) => data !== "[DONE]");
}

async function* endedAfter(
  batches: AsyncIterable<readonly string[]>,
  events: number,
  last: readonly string[],
  drop: boolean,
) {
  let left = events;
  for await (const batch of batches) {
    if (left > 0) yield batch.slice(0, left);
    left -= batch.length;
    if (left <= 0) break;
  }
  yield last;
  if (drop) throw new Drop("dropped in the middle of the stream");
}

const byteFaults = new Set(["drip", "split-utf8", "truncate", "cut", "half-event", "crlf"]);
/** These change the length of the body, so the reply must not declare one. */
const resizing = new Set(["truncate", "half-event"]);

interface Writing {
  readonly acceptEncoding: string;
  readonly signal: AbortSignal;
}

/** The reply as bytes with its faults; unchanged if none applies. */
export async function faultyBytes(
  reply: Reply,
  faults: Faults,
  { acceptEncoding, signal }: Writing,
): Promise<Reply> {
  if (!faults.some(({ kind }) => byteFaults.has(kind))) return reply;
  const { headers, pieces } = await encodeReply(reply, acceptEncoding);
  const { "content-type": contentType = "", "content-length": length, ...rest } = headers;
  const isSized = length !== undefined && !faults.some(({ kind }) => resizing.has(kind));
  const lines = faultOf(faults, "crlf") && reply.body.kind === "events" ? withCrLf(pieces) : pieces;
  return {
    status: reply.status,
    headers: rest,
    body: {
      kind: "bytes",
      contentType,
      length: isSized ? Number(length) : undefined,
      pieces: faultyPieces(lines, faults, signal),
    },
  };
}

async function* withCrLf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece.toString().replaceAll("\n", "\r\n"));
}

async function* faultyPieces(
  pieces: AsyncIterable<Buffer>,
  faults: Faults,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const drip = faultOf(faults, "drip");
  const truncate = faultOf(faults, "truncate");
  const half = faultOf(faults, "half-event");
  const cut = faultOf(faults, "cut");
  let room = (truncate ?? cut)?.bytes ?? Number.POSITIVE_INFINITY;
  for await (const piece of pieces) {
    const stored = piece.subarray(0, room);
    room -= stored.byteLength;
    for (const part of split(stored, faults)) {
      yield part;
      if (part.byteLength < stored.byteLength) await delay(drip?.ms ?? 1, undefined, { signal });
    }
    if (room <= 0) break;
  }
  if (cut) throw new Drop("cut inside the body");
  if (half) yield Buffer.from('data: {"id":"half","choices":[{"index":0,"del');
}

function split(piece: Buffer, faults: Faults): Buffer[] {
  const drip = faultOf(faults, "drip");
  if (drip) return everyBytes(piece, drip.bytes);
  return faultOf(faults, "split-utf8") ? insideCharacters(piece) : [piece];
}

function everyBytes(piece: Buffer, bytes: number): Buffer[] {
  const count = Math.ceil(piece.byteLength / bytes);
  return Array.from({ length: count }, (_, index) => piece.subarray(index * bytes, (index + 1) * bytes));
}

/** Cuts after the first byte of each multi-byte character. */
function insideCharacters(piece: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let start = 0;
  for (const [index, byte] of piece.entries()) {
    if (byte < 0xc0) continue;
    parts.push(piece.subarray(start, index + 1));
    start = index + 1;
  }
  return [...parts, piece.subarray(start)];
}
