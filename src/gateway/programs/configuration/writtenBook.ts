import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { readTextIfThere, writeDurably } from "../../../platform/files/durable/durableFile.ts";
import { sha256 } from "../../../platform/sha256.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";
import { WrittenConfig } from "./writtenConfig.ts";

const WrittenFile = z.object({
  /** As the list of programs names it. */
  program: z.string(),
  /** Absolute path without links. */
  path: z.string(),
  model: z.string(),
  contextTokens: z.number().optional(),
  answerTokens: z.number().optional(),
  written: WrittenConfig,
});
export type WrittenFile = z.infer<typeof WrittenFile>;

/** What was written into files of the user, for all windows, in files that only the user can read. */
export class WrittenBook {
  /** Absolute path. It is made when the first file is written. */
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async of(path: string): Promise<WrittenFile | undefined> {
    return WrittenFile.safeParse(parseJson((await readTextIfThere(this.#recordOf(path))) ?? "")).data;
  }

  /** All that was written for a program. */
  async all(program: string): Promise<readonly WrittenFile[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const texts = await Promise.all(
      names
        .filter((name) => /^[0-9a-f]{64}\.json$/.test(name))
        .map((name) => readTextIfThere(join(this.#folder, name))),
    );
    return texts
      .flatMap((text) => WrittenFile.safeParse(parseJson(text ?? "")).data ?? [])
      .filter((file) => file.program === program);
  }

  async add(file: WrittenFile): Promise<void> {
    await writeDurably(this.#recordOf(file.path), JSON.stringify(file));
  }

  async remove(path: string): Promise<void> {
    await rm(this.#recordOf(path), { force: true });
  }

  #recordOf(path: string): string {
    return join(this.#folder, `${sha256(path)}.json`);
  }
}
