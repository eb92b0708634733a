import { createReadStream } from "node:fs";
import { readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { moveDurably, readTextIfThere, writeDurably } from "../../platform/files/durable/durableFile.ts";
import { isMissing, makeFolder } from "../../platform/files/privateFiles.ts";
import { sentUrl } from "../../shared/web/sentUrl.ts";
import { type NewResult, type StoredResult, toStoredResult } from "./storedResult.ts";

export interface ResultStoreDeps {
  /** Absolute. */
  readonly folder: string;
  readonly now: () => number;
  readonly onAdd?: () => void;
}

interface StoredPages {
  readonly earlier: readonly StoredResult[];
  readonly unread: readonly string[];
}

const mostStored = 200;
const beginningBytes = 4_096;
const fileName = /^(\d{15}-[0-9a-f]{8})\.json$/;

/** The latest paid results on disk: one file for each, and one for its text. */
export class ResultStore {
  readonly #deps: ResultStoreDeps;
  /** Never stale, because files are written only once. */
  readonly #cached = new Map<string, StoredResult | undefined>();

  constructor(deps: ResultStoreDeps) {
    this.#deps = deps;
  }

  /** Newest first. Skips files that can't be read, without deleting them. */
  async list(): Promise<readonly StoredResult[]> {
    await makeFolder(this.#deps.folder);
    const names = (await readdir(this.#deps.folder)).sort().reverse();
    const ids = names.flatMap((name) => fileName.exec(name)?.[1] ?? []);
    const results = await Promise.all(ids.map((id) => this.#read(id)));
    return results.flatMap((result) => result ?? []);
  }

  /**
   * Stores a result with the text of its page or document. A text that is in a file is moved. Results are listed by
   * `atMs`, Unix milliseconds, by default now.
   */
  async add<Result extends NewResult>(
    result: Result,
    text?: string | { readonly path: string },
    atMs = this.#deps.now(),
  ): Promise<Extract<StoredResult, { kind: Result["kind"] }>> {
    const id = `${String(atMs).padStart(15, "0")}-${crypto.randomUUID().slice(0, 8)}`;
    const stored = { ...result, id, atMs } as unknown as Extract<StoredResult, { kind: Result["kind"] }>;
    if (typeof text === "string") await writeDurably(this.#textPathOf(id), text);
    else if (text) await moveDurably(text.path, this.#textPathOf(id));
    await writeDurably(this.#pathOf(id), JSON.stringify(stored));
    this.#cached.set(id, stored);
    this.#deps.onAdd?.();
    const old = (await this.list()).slice(mostStored);
    await Promise.all(old.map(({ id: oldId }) => this.remove(oldId)));
    return stored;
  }

  /** Undefined if the text was deleted. */
  text(id: string): Promise<string | undefined> {
    return readTextIfThere(this.#textPathOf(id));
  }

  /** The first characters of a text. Empty if it was deleted. */
  async beginning(id: string): Promise<string> {
    const stream = createReadStream(this.#textPathOf(id), { encoding: "utf8", end: beginningBytes - 1 });
    let text = "";
    try {
      for await (const piece of stream) text += piece;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    return text;
  }

  /** The newest stored page with its text for each address, and the addresses that have none. */
  async pagesOf(addresses: readonly string[]): Promise<StoredPages> {
    const urls = [...new Set(addresses.map((address) => sentUrl(address) ?? address))];
    const stored = await this.list();
    const found = await Promise.all(
      urls.map(async (url) => {
        const page = stored.find((each) => each.kind === "page" && (each.asked ?? each.url) === url);
        return { url, page: page && (await this.text(page.id)) !== undefined ? page : undefined };
      }),
    );
    return {
      earlier: found.flatMap(({ page }) => page ?? []),
      unread: found.flatMap(({ url, page }) => (page ? [] : [url])),
    };
  }

  async remove(id: string): Promise<void> {
    this.#cached.delete(id);
    // The result first: a text without a result only wastes space.
    await unlinkIfThere(this.#pathOf(id));
    await unlinkIfThere(this.#textPathOf(id));
  }

  #pathOf(id: string): string {
    return join(this.#deps.folder, `${id}.json`);
  }

  #textPathOf(id: string): string {
    return join(this.#deps.folder, `${id}.text`);
  }

  async #read(id: string): Promise<StoredResult | undefined> {
    if (!this.#cached.has(id))
      this.#cached.set(id, toStoredResult((await readTextIfThere(this.#pathOf(id))) ?? ""));
    return this.#cached.get(id);
  }
}

async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
