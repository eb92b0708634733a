import { type InsideOptions, readInside } from "../../../platform/files/bounded/readInside.ts";
import { type AbiFile, readAbiJson } from "../../language/encode/abiJson.ts";

/** Artifacts of compilers, which contain more than the ABI, are smaller. */
export const maxAbiBytes = 10_000_000;

export const outside: AbiFile = {
  problem: "This path is outside of the workspace. Move the ABI file into it",
};
export const notThere: AbiFile = {
  problem: "The file was not found in the folder of the notebook or in the workspace",
};
export const notRegular: AbiFile = { problem: "This is not a regular file" };
export const tooLarge: AbiFile = {
  problem: `This file is too large for an ABI (more than ${maxAbiBytes / 1_000_000} MB)`,
};

/**
 * Reads the ABI from the first of the folders that contains the path, inside of `roots`; see `readInside`. Never throws.
 */
export async function readAbiFile(
  path: string,
  folders: readonly string[],
  roots: readonly string[],
  options: InsideOptions = {},
): Promise<AbiFile> {
  const read = await readInside(path, folders, roots, maxAbiBytes, options);
  if ("text" in read) return readAbiJson(read.text);
  switch (read.failure) {
    case "outside":
      return outside;
    case "missing":
      return notThere;
    case "irregular":
      return notRegular;
    case "too-large":
      return tooLarge;
    case "unreadable":
      return { problem: `This file can't be read: ${read.why}` };
  }
}
