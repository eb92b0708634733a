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
}

/** JPEG puts its size behind embedded previews and profiles; 256 KB reach past all that cameras write. */
export const headBytes = 262_144;

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

/** A file on disk, read in pieces when it is sent. */
export async function uploadFromFile(path: string, type: string): Promise<Upload> {
  const [{ open }, { basename }] = await Promise.all([import("node:fs/promises"), import("node:path")]);
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const head = new Uint8Array(Math.min(size, headBytes));
    await file.read(head, 0, head.byteLength, 0);
    return { name: basename(path), type, size, head, open: () => readFile(path) };
  } finally {
    await file.close();
  }
}

const pieceBytes = 65_536;
/** A transport holds two or three pieces between reading and sending them; this many are never written over. */
const piecesInFlight = 16;

/**
 * Reads into a ring of buffers: fresh ones would pile up to the size of the file before the collector looks at them.
 */
async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  const { open } = await import("node:fs/promises");
  const file = await open(path);
  const ring = Array.from({ length: piecesInFlight }, () => new Uint8Array(pieceBytes));
  try {
    for (let turn = 0; ; turn = (turn + 1) % piecesInFlight) {
      const buffer = ring[turn] ?? new Uint8Array(pieceBytes);
      const { bytesRead } = await file.read(buffer, 0, pieceBytes);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

export function isUpload(value: unknown): value is Upload {
  return typeof value === "object" && value !== null && "head" in value && "open" in value && "size" in value;
}
