import type { ImageInput } from "../../../api/endpoints/files.ts";

/** A file part of a multipart request. */
export type FilePart = Exclude<ImageInput, string>;

/** True for a file of a form, false for every JSON value. */
export function isFilePart(value: unknown): value is FilePart {
  return typeof value === "object" && value !== null && "open" in value && typeof value.open === "function";
}

/** Image headers and magic numbers are within these bytes. */
const headBytes = 262_144;

export function filePart(name: string, type: string, pieces: readonly Buffer[]): FilePart {
  const size = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return {
    name,
    type,
    size,
    head: Buffer.concat(pieces, Math.min(size, headBytes)),
    async *open() {
      yield* pieces;
    },
  };
}
