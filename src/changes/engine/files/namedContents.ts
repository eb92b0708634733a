import { rmSync } from "node:fs";
import { readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import type * as vscode from "vscode";
import { readTextIfThere, writeDurably } from "../../../platform/files/durable/durableFile.ts";
import { hasEnded, newWriterName } from "../../../platform/files/durable/writerName.ts";
import { SerialQueue } from "../../../shared/serialQueue.ts";
import type { ChangeRecords } from "../records/changeRecord.ts";

interface NamedContentsDeps {
  /** The folder with the contents that no conversation names. */
  readonly apart: string;
  /** The folder with those that conversations name. */
  readonly blobs: string;
  /** The log of the records. */
  readonly stateFile: string;
  readonly records: ChangeRecords;
  readonly report: (error: unknown) => void;
}

const dayMs = 86_400_000;
/** Lists of windows are renewed so often, */
const renewMs = dayMs / 2;
/** and those of windows of unknown fate count for so long. */
const longestMs = 60 * dayMs;
const quietMs = 1_000;
const nameOf = /\b[0-9a-f]{64}\.[a-z0-9]{1,8}\b/g;

/**
 * Keeps the contents that records name. A window lists in a file what its records name, because another window over the
 * same storage may have replaced or dropped their lines in the log.
 */
export class NamedContents implements vscode.Disposable {
  readonly #deps: NamedContentsDeps;
  /** The lists of windows, and the own one. */
  readonly #folder: string;
  readonly #list: string;
  readonly #subscription: vscode.Disposable;
  readonly #renewal: NodeJS.Timeout;
  #listed = "";
  #timer: NodeJS.Timeout | undefined;
  readonly #writes = new SerialQueue();
  /** The last write of the list failed, and this was reported. */
  #hasFailed = false;
  #isDisposed = false;

  constructor(deps: NamedContentsDeps) {
    this.#deps = deps;
    this.#folder = join(dirname(deps.stateFile), "windows");
    this.#list = join(this.#folder, newWriterName());
    this.#subscription = deps.records.onDidChange(() => {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        void this.#write();
      }, quietMs).unref();
    });
    this.#renewal = setInterval(() => {
      this.#listed = "";
      void this.#write();
    }, renewMs).unref();
  }

  /** Lists what the loaded records name, then removes contents that nothing can restore any more. */
  async sweep(): Promise<void> {
    await this.#write();
    const { apart, stateFile, records } = this.#deps;
    const found = await readdir(apart).catch(() => []);
    if (found.length === 0) return;
    // Records that could not be read may name any content. The failure was reported when they were loaded.
    const log = await readTextIfThere(stateFile).then(
      (text) => text ?? "",
      () => undefined,
    );
    if (log === undefined || (records.files.length === 0 && !records.lastRewind && log !== "")) return;
    const named = new Set([...this.#names().apart, ...namesIn(log), ...(await this.#namesOfOthers())]);
    const youngestMs = Date.now() - dayMs;
    for (const name of found.filter((one) => !named.has(one))) {
      const path = join(apart, name);
      const file = await stat(path).catch(() => undefined);
      // The records that name a new one may be written later.
      if (file && file.mtimeMs < youngestMs) await rm(path, { force: true });
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#renewal);
    this.#subscription.dispose();
    // From now on, the log has them.
    rmSync(this.#list, { force: true });
  }

  #names(): { readonly apart: readonly string[]; readonly blobs: readonly string[] } {
    const { records } = this.#deps;
    const { changes: rewound = [], pending = {} } = records.lastRewind ?? {};
    const all = [
      ...records.files.flatMap(({ uri }) => records.get(uri) ?? []),
      ...Object.values(pending).flatMap(({ record }) => record ?? []),
    ];
    const isName = (name: unknown) => typeof name === "string";
    return {
      apart: [
        ...all.flatMap(({ original, replaced }) => [original, replaced]),
        ...rewound.flatMap(({ before, savedBefore }) => [before, savedBefore]),
      ].filter(isName),
      blobs: all.flatMap(({ kind, original }) => (kind === "deleted" ? [] : [original])).filter(isName),
    };
  }

  /** One at a time. A failure is reported once, however many writes follow until one succeeds. */
  async #write(): Promise<void> {
    try {
      await this.#writes.run(() => this.#writeNow());
      this.#hasFailed = false;
    } catch (error) {
      // After the end, the log has them.
      if (!this.#hasFailed && !this.#isDisposed) this.#deps.report(error);
      this.#hasFailed = true;
    }
  }

  async #writeNow(): Promise<void> {
    const { apart, blobs } = this.#names();
    const text = [...new Set(apart)].sort().join("\n");
    if (this.#isDisposed || text === this.#listed) return;
    if (text === "") await rm(this.#list, { force: true });
    else await writeDurably(this.#list, text);
    this.#listed = text;
    // A sweep of the conversations keeps what is new.
    const now = new Date();
    for (const name of blobs) await utimes(join(this.#deps.blobs, name), now, now).catch(() => {});
    if (this.#isDisposed) await rm(this.#list, { force: true });
  }

  /** The names in the lists of other windows. Removes the lists of windows that have ended. */
  async #namesOfOthers(): Promise<readonly string[]> {
    const names: string[] = [];
    for (const writer of await readdir(this.#folder).catch(() => [])) {
      const path = join(this.#folder, writer);
      const file = await stat(path).catch(() => undefined);
      if (!file) continue;
      if (hasEnded(writer) || Date.now() - file.mtimeMs > longestMs) await rm(path, { force: true });
      else names.push(...((await readFile(path, "utf8")).match(nameOf) ?? []));
    }
    return names;
  }
}

/** The names in the last line of each key, whatever version has written it, and in lines that were cut off. */
function namesIn(log: string): readonly string[] {
  const lines = new Map<string, string>();
  for (const [index, line] of log.split("\n").entries()) {
    const [, key = String(index)] = /^\[\d+,("(?:[^"\\]|\\.)*"),/.exec(line) ?? [];
    lines.set(key, line);
  }
  return [...lines.values()].flatMap((line) => line.match(nameOf) ?? []);
}
