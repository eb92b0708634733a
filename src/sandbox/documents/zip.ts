import { unzipSync } from "fflate";
import { badField } from "../refusal.ts";

/** Guards against zip bombs. */
const maxUnpackedBytes = 256 * 1024 * 1024;

/** The parts of a zip file. Each is unpacked when it is asked for. */
export class ZipParts {
  readonly #bytes: Uint8Array;
  /** Names as they are stored, by those that parts refer to: without a leading slash, and in lower case. */
  readonly #stored = new Map<string, string>();
  readonly #texts = new Map<string, string>();

  /** Throws a 400 if the file is damaged or unpacks to too much. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    let size = 0;
    this.#unzip(({ name, originalSize }) => {
      size += originalSize;
      this.#stored.set(keyOf(name), name);
      return false;
    });
    if (size > maxUnpackedBytes)
      throw badField(["file"], `Too big: it unpacks to more than ${maxUnpackedBytes} bytes`);
  }

  get names(): string[] {
    return [...this.#stored.values()].map((name) => name.replaceAll("\\", "/"));
  }

  /** The text of an XML or text part. Undefined if there is no such part. Throws a 400 if it is damaged. */
  text(name: string): string | undefined {
    const stored = this.#stored.get(keyOf(name));
    if (stored === undefined) return undefined;
    const known = this.#texts.get(stored);
    if (known !== undefined) return known;
    const text = textOf(this.bytes(name) ?? new Uint8Array());
    this.#texts.set(stored, text);
    return text;
  }

  bytes(name: string): Uint8Array | undefined {
    const stored = this.#stored.get(keyOf(name));
    return stored === undefined ? undefined : this.#unzip((part) => part.name === stored)[stored];
  }

  #unzip(filter: (part: { readonly name: string; readonly originalSize: number }) => boolean) {
    try {
      return unzipSync(this.#bytes, { filter });
    } catch {
      throw badField(["file"], "The file is damaged");
    }
  }
}

/** The names of all parts of a zip file. Empty if it is damaged. */
function keyOf(name: string): string {
  return name.replaceAll("\\", "/").replace(/^\/+/, "").toLowerCase();
}

/** XML is UTF-8, or UTF-16 with a byte order mark. */
function textOf(part: Uint8Array): string {
  const [first, second] = part;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(part);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(part);
  return new TextDecoder().decode(part);
}
