import { unzipSync } from "fflate";
import { badField } from "../refusal.ts";

/** Guards against zip bombs. */
const mostUnpackedBytes = 256 * 1024 * 1024;

/** The names of all parts of a zip file. Empty if it is damaged. */
export function partNames(bytes: Uint8Array): string[] {
  const names: string[] = [];
  try {
    unzipSync(bytes, { filter: ({ name }) => names.push(name) < 0 });
  } catch {
    return [];
  }
  return names;
}

/** The XML parts of a zip file, by name. Throws a 400 if the file is damaged or unpacks to too much. */
export function readParts(bytes: Uint8Array, wanted: RegExp): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(unzip(bytes, wanted)).map(([name, part]) => [name, new TextDecoder().decode(part)]),
  );
}

/** Throws if the parts together unpack to too much. */
export function checkUnpackedSize(bytes: Uint8Array): void {
  unzip(bytes, /^$/);
}

function unzip(bytes: Uint8Array, wanted: RegExp): Record<string, Uint8Array> {
  let size = 0;
  try {
    return unzipSync(bytes, {
      filter({ name, originalSize }) {
        size += originalSize;
        return size <= mostUnpackedBytes && wanted.test(name);
      },
    });
  } catch {
    throw badField(["file"], "The file is damaged");
  } finally {
    refuseBomb(size);
  }
}

function refuseBomb(size: number): void {
  if (size > mostUnpackedBytes)
    throw badField(["file"], `Too big: it unpacks to more than ${mostUnpackedBytes} bytes`);
}
