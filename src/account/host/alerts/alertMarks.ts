import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, openPrivate } from "../../../platform/files/privateFiles.ts";
import { sha256 } from "../../../platform/sha256.ts";
import { dayMs } from "../../../shared/time/days.ts";

/** Longer than any period of an alert. */
const keptMs = 70 * dayMs;

/** Which alerts were sent, for all windows of the user: a file per subject, which only one window can create. */
export class AlertMarks {
  readonly #folder: string;
  readonly #now: () => number;
  #isSwept = false;

  constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  /** True for the first caller of a subject. */
  async claim(subject: string): Promise<boolean> {
    await makeFolder(this.#folder);
    await this.#sweep();
    try {
      await (await openPrivate(join(this.#folder, sha256(subject).slice(0, 32)), "wx")).close();
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw error;
    }
  }

  async #sweep(): Promise<void> {
    if (this.#isSwept) return;
    this.#isSwept = true;
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: this.#now() }));
      if (this.#now() - mtimeMs > keptMs) await rm(path, { force: true });
    }
  }
}
