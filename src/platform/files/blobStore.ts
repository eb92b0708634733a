import { readFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../sha256.ts";
import { createFlushed, writeDurably } from "./durable/durableFile.ts";

/** Contents of attachments, deduplicated: a file's name is the SHA-256 of its content. */
export interface BlobStore {
  readonly directory: string;
  /** Stores the content and returns its name. */
  put(content: Uint8Array | string, extension: string): Promise<string>;
  /** The content; undefined if it is missing or does not match its name. */
  read(name: string): Promise<Uint8Array | undefined>;
}

const shape = /^[0-9a-f]{64}\.[a-z0-9]{1,8}$/;

export function createBlobStore(directory: string): BlobStore {
  /** Contents that are being stored. Whoever has the same one waits until it is on the disk. */
  const storing = new Map<string, Promise<void>>();
  return {
    directory,
    async put(content, extension) {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      const name = blobNameOf(bytes, extension);
      const stored =
        storing.get(name) ?? store(join(directory, name), bytes).finally(() => storing.delete(name));
      storing.set(name, stored);
      await stored;
      return name;
    },
    async read(name) {
      if (!shape.test(name)) return undefined;
      const bytes = await readFile(join(directory, name)).catch(() => undefined);
      return bytes && isNameOf(name, bytes) ? bytes : undefined;
    },
  };
}

async function store(path: string, bytes: Uint8Array): Promise<void> {
  if (await createFlushed(path, bytes)) return;
  const existing = await readFile(path).catch(() => undefined);
  // A new modification time protects it from being swept.
  if (existing && Buffer.compare(existing, bytes) === 0) await utimes(path, new Date(), new Date());
  // Another process writes it, or was killed while it did.
  else await writeDurably(path, bytes);
}

/** The name of a content. */
export function blobNameOf(bytes: Uint8Array, extension: string): string {
  return `${sha256(bytes)}.${extension}`;
}

/** True if the content matches the name of its blob. */
export function isNameOf(name: string, bytes: Uint8Array): boolean {
  return shape.test(name) && sha256(bytes) === name.slice(0, 64);
}
