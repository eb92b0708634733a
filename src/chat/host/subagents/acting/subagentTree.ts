import { readFile, realpath, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { decodedAsShown } from "../../../../changes/engine/files/editorText.ts";
import { workspaceUri } from "../../../../platform/editor/workspaceUri.ts";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { makeFolder, writePrivately } from "../../../../platform/files/privateFiles.ts";

/** A subagent's change of one file. Texts are as editors show them. */
export interface TreeChange {
  /** Its path at the start; undefined for a new file. */
  readonly from: string | undefined;
  /** Its path now; undefined for a deleted file. */
  readonly to: string | undefined;
  /** Its text at the start; undefined for a new file, and for one that was only moved. */
  readonly base: string | undefined;
  /** Its text now; undefined for one that was deleted, or only moved. */
  readonly text: string | undefined;
}

/** The files of a subagent: copies below a folder, and what it has changed in them. Paths are those of the workspace, with `/`. */
export class SubagentTree {
  readonly root: string;
  readonly #paths: Set<string>;
  /** Texts at the start that only editors have. */
  readonly #unsaved: ReadonlyMap<string, string>;
  /** By the present path. */
  readonly #changed = new Map<string, TreeChange>();
  /** By the path at the start. */
  readonly #deleted = new Map<string, TreeChange>();
  readonly #touched = new Set<string>();

  constructor(root: string, paths: Iterable<string>, unsaved: ReadonlyMap<string, string>) {
    this.root = root;
    this.#paths = new Set(paths);
    this.#unsaved = unsaved;
  }

  get paths(): ReadonlySet<string> {
    return this.#paths;
  }

  /** The paths that were written or removed since the last time. */
  takeTouched(): readonly string[] {
    const touched = [...this.#touched];
    this.#touched.clear();
    return touched;
  }

  /** The changes that are left. */
  changes(): readonly TreeChange[] {
    const all = [...this.#deleted.values(), ...this.#changed.values()];
    return all.filter(({ from, to, base, text }) => from !== to || base !== text);
  }

  /** The name of a file, however a call writes it: a file system may not tell upper and lower case apart. */
  async nameOf(path: string): Promise<string> {
    const plain = path
      .split("/")
      .filter((part) => part !== "" && part !== ".")
      .join("/");
    if (this.#paths.has(plain)) return plain;
    const real = await realpath(join(this.root, plain)).catch(() => undefined);
    const name = real && relative(await realpath(this.root), real).replaceAll(sep, "/");
    return name !== undefined && this.#paths.has(name) ? name : plain;
  }

  /** Throws a Refusal if there is no such file. */
  async bytesOf(path: string): Promise<Uint8Array> {
    if (!this.#paths.has(path)) throw new Refusal(`There is no file ${path}.`);
    const text = this.#knownText(path);
    if (text !== undefined) return new TextEncoder().encode(text);
    return readFile(join(this.root, path));
  }

  /** The text as an editor of the workspace shows it. Throws a Refusal for a missing file, and one that is no text. */
  async textOf(path: string): Promise<string> {
    const bytes = await this.bytesOf(path);
    const text = this.#knownText(path);
    if (text !== undefined) return text;
    return decodedAsShown(workspaceUri(this.#changed.get(path)?.from ?? path), path, bytes);
  }

  #knownText(path: string): string | undefined {
    const changed = this.#changed.get(path);
    return changed ? changed.text : this.#unsaved.get(path);
  }

  /** `bytes` are what a search reads of the text. */
  async put(path: string, text: string, bytes: Uint8Array): Promise<void> {
    const former = await this.#formerOf(path);
    await this.#makeRoom(path);
    await writePrivately(join(this.root, path), bytes);
    this.#paths.add(path);
    this.#touched.add(path);
    // Written again, a deleted file is a changed one.
    this.#deleted.delete(path);
    this.#changed.set(path, { ...former, to: path, text });
  }

  /** An empty folder may be left where the file is to be. */
  async #makeRoom(path: string): Promise<void> {
    await makeFolder(dirname(join(this.root, path)));
    await rmdir(join(this.root, path)).catch(() => {});
  }

  /** A file at the start. Throws a Refusal for one that is no text. */
  async #formerOf(path: string): Promise<Pick<TreeChange, "from" | "base">> {
    if (!this.#paths.has(path)) return this.#deleted.get(path) ?? { from: undefined, base: undefined };
    const { from, base } = this.#changed.get(path) ?? { from: path, base: undefined };
    return { from, base: from === undefined ? undefined : (base ?? (await this.textOf(path))) };
  }

  async remove(path: string): Promise<void> {
    const { from, base } = await this.#formerOf(path);
    await rm(join(this.root, path));
    this.#touched.add(path);
    this.#paths.delete(path);
    this.#changed.delete(path);
    if (from !== undefined) this.#deleted.set(from, { from, to: undefined, base, text: undefined });
  }

  async move(from: string, to: string): Promise<void> {
    const unsaved = this.#unsaved.get(from);
    const { base, text, ...known } = this.#changed.get(from) ?? { from, base: unsaved, text: unsaved };
    await this.#makeRoom(to);
    await rename(join(this.root, from), join(this.root, to));
    for (const path of [from, to]) this.#touched.add(path);
    this.#paths.delete(from);
    this.#changed.delete(from);
    this.#paths.add(to);
    this.#changed.set(to, { from: known.from, to, base, text });
  }
}
