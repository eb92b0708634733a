import type { FileHandle } from "node:fs/promises";

/** A file on its way to the service: enough of it to check, and its bytes when they are asked for. */
export interface Upload {
  readonly name: string;
  /** Media type; empty where unknown. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** The first bytes, at most `headBytes`; image headers and magic numbers stand there. */
  readonly head: Uint8Array;
  /** The whole content, from its start, each time it is called. A piece is to be sent or copied, not kept. */
  open(): AsyncIterable<Uint8Array>;
  /** To be called once the request is answered: what the file was read into may be written over. */
  release?(): void;
}

/** JPEG puts its size behind embedded previews and profiles; 256 KB reach past all that cameras write. */
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
 * A file on disk, read in pieces when it is sent. Files that are sent one after the other can share `buffers`: each
 * takes buffers of the one before, once `release` has given them back.
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
    let read: Ring[] = [];
    return {
      name: basename(path),
      type,
      size,
      head,
      open: () => readFile(path, buffers.pop() ?? createRing(), (ring) => read.push(ring)),
      release() {
        buffers.push(...read);
        read = [];
      },
    };
  } finally {
    await file.close();
  }
}

/** Buffers that no file uses now. */
export type FileBuffers = Ring[];

/** Text is told by its first 64 KB; a zip container may have a large picture before the parts that tell what it is. */
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
/** A transport holds two or three pieces between reading and sending them; this many are never written over. */
const piecesInFlight = 16;

type Ring = readonly Uint8Array<ArrayBuffer>[];

function createRing(): Ring {
  return Array.from({ length: piecesInFlight }, () => new Uint8Array(pieceBytes));
}

/**
 * Reads into a ring of buffers: fresh ones would pile up to the size of the file before the collector looks at them.
 * Calls `onEnd` once the file is read to its end.
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
