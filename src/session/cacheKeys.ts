import { createHmac } from "node:crypto";

/** Hexadecimal digits of a key: as many bits as a UUID has. */
const keyLength = 32;

/**
 * Values for `prompt_cache_key` (wire.md section 5) of requests that belong to no conversation of this extension. Equal
 * parts give equal keys, so that requests with the same beginning find the same cache. Without the salt, which never
 * leaves this machine, a key says nothing about its parts: neither a path nor a question can be guessed from it.
 */
export class CacheKeys {
  readonly #salt: string;

  /** `salt` is random. */
  constructor(salt: string) {
    this.#salt = salt;
  }

  /** The first part should name the connection: then two services can't tell that they serve the same user. */
  of(...parts: readonly string[]): string {
    return createHmac("sha256", this.#salt).update(JSON.stringify(parts)).digest("hex").slice(0, keyLength);
  }
}
