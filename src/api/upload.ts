/** A file on its way to the service: enough of it to check, and its bytes when they are asked for. */
export interface Upload {
  readonly name: string;
  /** Media type; empty where unknown. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** The first bytes, at most `headBytes`; image headers and magic numbers stand there. */
  readonly head: Uint8Array;
  /** The whole content, from its start, each time it is called. */
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

async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  const { createReadStream } = await import("node:fs");
  yield* createReadStream(path, { highWaterMark: 262_144 });
}

export function isUpload(value: unknown): value is Upload {
  return typeof value === "object" && value !== null && "head" in value && "open" in value && "size" in value;
}
