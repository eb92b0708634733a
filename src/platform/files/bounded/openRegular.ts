import { constants, type FileHandle, open } from "node:fs/promises";

/** A path is no regular file: `EISDIR` for a folder, `ENXIO` for a device, a pipe or a socket. */
export class IrregularFile extends Error {
  readonly code: "EISDIR" | "ENXIO";

  constructor(path: string, code: IrregularFile["code"]) {
    super(`${path} is no regular file.`);
    this.code = code;
  }
}

/**
 * Opens a regular file for reading; `flags` are more of its flags. Rejects with an `IrregularFile` for others: devices and
 * pipes may never end. The caller closes the handle.
 */
export async function openRegular(path: string, flags = 0): Promise<FileHandle> {
  // O_NONBLOCK: opening a pipe must not wait for a writer.
  const { O_RDONLY, O_NONBLOCK = 0 } = constants;
  const handle = await open(path, O_RDONLY | O_NONBLOCK | flags);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new IrregularFile(path, found.isDirectory() ? "EISDIR" : "ENXIO");
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}
