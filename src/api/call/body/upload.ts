import type { FileHandle } from "node:fs/promises";

/** A file to upload: the facts to validate it, and its bytes on demand. */
export interface Upload {
  readonly name: string;
  /** Media type; empty if unknown. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** The first bytes, at most `headBytes`, with image headers and magic numbers. */
  readonly head: Uint8Array;
  /** The whole content from its start, on each call. A chunk must be sent or copied, because its buffer is reused. */
  open(): AsyncIterable<Uint8Array>;
  /** Call this after the request is answered: the buffers of the file can then be reused. */
  release?(): void;
}

/** JPEG stores its size after embedded previews and profiles. 256 KB are enough for all known cameras. */
const headBytes = 262_144;
const shortHeadBytes = 65_536;

export function uploadFromBytes(name: string, type: string, bytes: Uint8Array): Upload {
  return {
    name,
    type,
    size: bytes.byteLength,
    head: bytes.subarray(0, headBytes),
    async *open() {
      yield bytes;
    },
  };
}

/**
 * A file on disk that is read in chunks while it is sent. Files that are sent one after the other can share `buffers`:
 * each reuses the buffers that `release` returned.
 */
export async function uploadFromFile(
  path: string,
  type: string,
  buffers: FileBuffers = [],
): Promise<Upload & { release(): void }> {
  const [{ open }, { basename }] = await Promise.all([import("node:fs/promises"), import("node:path")]);
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const head = await readHead(file, size);
    const read: Ring[] = [];
    let answered = false;
    return {
      name: basename(path),
      type,
      size,
      head,
      open() {
        answered = false;
        // A server that has the announced bytes can answer before the end of the file is read.
        return readFile(path, buffers.pop() ?? createRing(), (ring) =>
          (answered ? buffers : read).push(ring),
        );
      },
      release() {
        answered = true;
        buffers.push(...read.splice(0));
      },
    };
  } finally {
    await file.close();
  }
}

/** Free buffers. */
export type FileBuffers = Ring[];

/** Text is detected by its first 64 KB. A zip container may have a large picture before the parts that identify it. */
async function readHead(file: FileHandle, size: number): Promise<Uint8Array> {
  const read = async (bytes: number) => {
    const head = new Uint8Array(Math.min(size, bytes));
    await file.read(head, 0, head.byteLength, 0);
    return head;
  };
  const short = await read(shortHeadBytes);
  const isZip = short[0] === 0x50 && short[1] === 0x4b;
  return isZip && size > shortHeadBytes ? read(headBytes) : short;
}

const pieceBytes = 32_768;
/** A transport buffers two or three chunks between reading and sending. These many are never overwritten. */
const piecesInFlight = 16;

type Ring = readonly Uint8Array<ArrayBuffer>[];

function createRing(): Ring {
  return Array.from({ length: piecesInFlight }, () => new Uint8Array(pieceBytes));
}

/**
 * Reads into a ring of buffers. Fresh buffers would grow to the size of the file before garbage collection. Calls
 * `onEnd` at the end of the file.
 */
async function* readFile(path: string, ring: Ring, onEnd: (ring: Ring) => void): AsyncGenerator<Uint8Array> {
  const { open } = await import("node:fs/promises");
  const file = await open(path);
  try {
    for (;;)
      for (const buffer of ring) {
        const { bytesRead } = await file.read(buffer, 0, pieceBytes);
        if (bytesRead === 0) return onEnd(ring);
        yield buffer.subarray(0, bytesRead);
      }
  } finally {
    await file.close();
  }
}

export function isUpload(value: unknown): value is Upload {
  return typeof value === "object" && value !== null && "head" in value && "open" in value && "size" in value;
}
