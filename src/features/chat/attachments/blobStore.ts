import { createHash } from "node:crypto";
import { readFile, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { writeDurably } from "../../../platform/durableFile.ts";

/** Contents of attachments, each once: a file's name is the SHA-256 of what it holds. */
export interface BlobStore {
  readonly directory: string;
  /** Keeps the content and returns its name. */
  put(content: Uint8Array | string, extension: string): Promise<string>;
  /** The content; undefined where it is not there, or is not what the name says. */
  read(name: string): Promise<Uint8Array | undefined>;
}

const shape = /^[0-9a-f]{64}\.[a-z0-9]{1,8}$/;

export function createBlobStore(directory: string): BlobStore {
  return {
    directory,
    async put(content, extension) {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      const name = `${sha256(bytes)}.${extension}`;
      const path = join(directory, name);
      const known = await stat(path).catch(() => undefined);
      if (known?.size !== bytes.byteLength) await writeDurably(path, bytes);
      // It is wanted again: what clears away old ones passes it by.
      else await utimes(path, new Date(), new Date());
      return name;
    },
    async read(name) {
      if (!shape.test(name)) return undefined;
      const bytes = await readFile(join(directory, name)).catch(() => undefined);
      return bytes && isNameOf(name, bytes) ? bytes : undefined;
    },
  };
}

/** Whether this content is what a blob of this name holds. */
export function isNameOf(name: string, bytes: Uint8Array): boolean {
  return shape.test(name) && sha256(bytes) === name.slice(0, 64);
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
