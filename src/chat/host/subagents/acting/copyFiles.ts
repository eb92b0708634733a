import { constants } from "node:fs";
import { dirname, join } from "node:path";
import { mostTextBytes } from "../../../../changes/engine/files/replaceText.ts";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { openRegular } from "../../../../platform/files/bounded/openRegular.ts";
import { placeInside } from "../../../../platform/files/bounded/placeInside.ts";
import { makeFolder, permitUser, writePrivately } from "../../../../platform/files/privateFiles.ts";
import { formatBytes } from "../../../../shared/chat/chatAttachments.ts";
import { looksSecret } from "../../../../shared/secretFiles.ts";

/** Limits of a copy. Larger files than an agent can change are left out. */
const mostFiles = 50_000;
const mostBytes = 1024 * 1024 * 1024;
/** Files that are copied at the same time. */
const mostBeside = 16;

/**
 * Copies files of a folder, byte for byte, by their paths below it. `unsaved` are texts that files have in their editors. A
 * program can be run in the copy, too.
 * Leaves out what is missing, links and what they lead to, devices, and files of secrets. Resolves to the paths of what was
 * copied. Throws a Refusal for more than 50,000 files or 1 GB.
 */
export async function copyFiles(
  paths: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
  unsaved: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  if (paths.length > mostFiles)
    throw new Refusal(
      `The workspace has ${paths.length} files, and an acting subagent gets a copy of at most ${mostFiles}. Do the work yourself.`,
    );
  const copying = new Copying(from, to);
  const copied = new Set<string>();
  const waiting = paths.values();
  const work = async () => {
    for (const path of waiting) {
      signal.throwIfAborted();
      const text = unsaved.get(path);
      if (!looksSecret(path) && (await copying.copy(path, text))) copied.add(path);
    }
  };
  await Promise.all(Array.from({ length: mostBeside }, work));
  return copied;
}

interface FoundFile {
  readonly content: Buffer;
  readonly isProgram: boolean;
}

class Copying {
  readonly #from: string;
  readonly #to: string;
  /** True if the folders are inside and none of them is a link. */
  readonly #inside = new Map<string, Promise<boolean>>();
  readonly #made = new Map<string, Promise<void>>();
  #bytes = 0;

  constructor(from: string, to: string) {
    this.#from = from;
    this.#to = to;
  }

  /** False for what is left out. */
  async copy(path: string, unsaved: string | undefined): Promise<boolean> {
    const folder = dirname(path);
    if (path.split("/").includes(".git") || !(await this.#isInside(folder))) return false;
    const found = await this.#read(path);
    const content = unsaved === undefined ? found?.content : Buffer.from(unsaved);
    if (!content) return false;
    await this.#makeFolder(folder);
    await writePrivately(join(this.#to, path), content);
    if (found?.isProgram) await permitUser(join(this.#to, path));
    return true;
  }

  #isInside(folder: string): Promise<boolean> {
    const known = this.#inside.get(folder);
    const looked =
      known ??
      placeInside([this.#from], join(this.#from, folder)).then(
        (place) => place === (folder === "." ? "" : folder),
        () => false, // missing
      );
    this.#inside.set(folder, looked);
    return looked;
  }

  #makeFolder(folder: string): Promise<void> {
    const making = this.#made.get(folder) ?? makeFolder(join(this.#to, folder));
    this.#made.set(folder, making);
    return making;
  }

  async #read(path: string): Promise<FoundFile | undefined> {
    // O_NOFOLLOW: a link is left out, whatever it leads to.
    const file = await openRegular(join(this.#from, path), constants.O_NOFOLLOW ?? 0).catch(() => undefined);
    if (!file) return undefined;
    try {
      const { size, mode } = await file.stat();
      if (size > mostTextBytes) return undefined;
      this.#bytes += size;
      if (this.#bytes > mostBytes)
        throw new Refusal(
          `The files of the workspace have more than ${formatBytes(mostBytes)}, which is too much to copy for an acting subagent. Do the work yourself.`,
        );
      return { content: await file.readFile(), isProgram: (mode & constants.S_IXUSR) !== 0 };
    } finally {
      await file.close();
    }
  }
}
