import { execFile } from "node:child_process";
import { relative, resolve, sep } from "node:path";
import { promisify } from "node:util";

const timeoutMs = 5_000;
const mostNamesBytes = 16 * 1024 * 1024;

/**
 * True if none of the files that `rg` searches below a path is hidden. It tells them itself: it leaves out what is ignored, by
 * rules of several kinds of files. False also if it can't tell, or there are too many. `root` is a folder above the path.
 */
export async function searchesNothingHidden(
  { folder, path, root }: { readonly folder: string; readonly path: string; readonly root: string },
  isHidden: (path: string) => boolean,
): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)("rg", ["--files", "--null", "--", path], {
      cwd: folder,
      timeout: timeoutMs,
      maxBuffer: mostNamesBytes,
    });
    const found = stdout.split("\0").filter((one) => one !== "");
    return !found.some((one) => isHidden(relative(root, resolve(folder, one)).replaceAll(sep, "/")));
  } catch (error) {
    // It found no file.
    return error instanceof Error && "code" in error && error.code === 1;
  }
}
