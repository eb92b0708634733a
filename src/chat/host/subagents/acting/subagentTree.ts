import { constants } from "node:fs";
import { lstat, readFile, realpath, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { decodedAsShown } from "../../../../changes/engine/files/editorText.ts";
import { workspaceUri } from "../../../../platform/editor/workspaceUri.ts";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import {
  forbidRun,
  makeFolder,
  permitUser,
  writePrivately,
} from "../../../../platform/files/privateFiles.ts";
import { sha256 } from "../../../../platform/sha256.ts";

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
  /** In place of the texts of a file that is or was no text, or whose bytes count. */
  readonly data?: TreeData | undefined;
  /** True if the file is executable now. Absent if that has not changed. */
  readonly isProgram?: boolean;
}

/** The contents of a file by their bytes. */
export interface TreeData {
  /** SHA-256 at the start; undefined for a new file. */
  readonly base: string | undefined;
  /** The content now; absent for a deleted file. */
  readonly now?: { readonly length: number; readonly read: () => Promise<Uint8Array> };
}

/** A file at the start. */
interface FirstState {
  readonly digest: string;
  readonly isProgram: boolean;
}

type Former = Pick<TreeChange, "from" | "base" | "data">;

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
  /** Of files that were changed, by the path at the start. */
  readonly #first = new Map<string, FirstState>();
  /** By the present path of a changed file: true if it is executable. */
  readonly #programs = new Map<string, boolean>();

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
    const changed = [...this.#changed.values()].map((change): TreeChange => {
      const isFirst = this.#first.get(change.from ?? "")?.isProgram ?? false;
      const isProgram = this.#programs.get(change.to ?? "") ?? isFirst;
      return isProgram === isFirst ? change : { ...change, isProgram };
    });
    return [...this.#deleted.values(), ...changed].filter(
      ({ from, to, base, text, data, isProgram }) =>
        from !== to || base !== text || data !== undefined || isProgram !== undefined,
    );
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
    if (former.data?.base !== undefined) return this.putBytes(path, bytes);
    await this.#write(path, bytes);
    this.#changed.set(path, { ...former, data: undefined, to: path, text });
  }

  /** The same for what is to be in the workspace byte for byte. */
  async putBytes(path: string, bytes: Uint8Array): Promise<void> {
    const { from } = await this.#formerOf(path);
    await this.#write(path, bytes);
    const read = () => this.bytesOf(path);
    const base = from === undefined ? undefined : this.#first.get(from)?.digest;
    const data: TreeData = { base, now: { length: bytes.byteLength, read } };
    this.#changed.set(path, { from, to: path, base: undefined, text: undefined, data });
  }

  async #write(path: string, bytes: Uint8Array): Promise<void> {
    await this.#makeRoom(path);
    await writePrivately(join(this.root, path), bytes);
    this.#paths.add(path);
    this.#touched.add(path);
    this.#programs.set(path, await this.isProgram(path));
    // Written again, a deleted file is a changed one.
    this.#deleted.delete(path);
  }

  /** An empty folder may be left where the file is to be. */
  async #makeRoom(path: string): Promise<void> {
    await makeFolder(dirname(join(this.root, path)));
    await rmdir(join(this.root, path)).catch(() => {});
  }

  /** A file at the start, which is about to be changed. */
  async #formerOf(path: string): Promise<Former> {
    if (!this.#paths.has(path)) return this.#deleted.get(path) ?? { from: undefined, base: undefined };
    const known = this.#changed.get(path);
    if (known && known.from === undefined) return { from: undefined, base: undefined };
    const from = known?.from ?? path;
    if (known?.data) return { from, base: undefined, data: { base: known.data.base } };
    if (!this.#first.has(from)) {
      const bytes = await readFile(join(this.root, path));
      this.#first.set(from, { digest: sha256(bytes), isProgram: await this.isProgram(path) });
    }
    const digest = this.#first.get(from)?.digest;
    const base = known?.base ?? (await this.textOf(path).catch(() => undefined));
    return base === undefined ? { from, base, data: { base: digest } } : { from, base };
  }

  /** True for a file whose lines were changed. */
  isEdited(path: string): boolean {
    const { base, text } = this.#changed.get(path) ?? {};
    return base !== text;
  }

  /** True for a file that can be run. */
  async isProgram(path: string): Promise<boolean> {
    const { mode } = await lstat(join(this.root, path));
    return (mode & constants.S_IXUSR) !== 0;
  }

  async setProgram(path: string, isProgram: boolean): Promise<void> {
    await this.#formerOf(path);
    const unsaved = this.#unsaved.get(path);
    const known = this.#changed.get(path) ?? { from: path, to: path, base: unsaved, text: unsaved };
    const place = join(this.root, path);
    await (isProgram ? permitUser(place) : forbidRun(place));
    this.#touched.add(path);
    this.#programs.set(path, isProgram);
    this.#changed.set(path, known);
  }

  async remove(path: string): Promise<void> {
    const { from, base, data } = await this.#formerOf(path);
    await rm(join(this.root, path));
    this.#touched.add(path);
    this.#paths.delete(path);
    this.#changed.delete(path);
    this.#programs.delete(path);
    if (from !== undefined) this.#deleted.set(from, { from, to: undefined, base, text: undefined, data });
  }

  async move(from: string, to: string): Promise<void> {
    const unsaved = this.#unsaved.get(from);
    const known: Omit<TreeChange, "to"> = this.#changed.get(from) ?? { from, base: unsaved, text: unsaved };
    await this.#makeRoom(to);
    await rename(join(this.root, from), join(this.root, to));
    for (const path of [from, to]) this.#touched.add(path);
    const isProgram = this.#programs.get(from);
    if (isProgram !== undefined) this.#programs.set(to, isProgram);
    this.#programs.delete(from);
    this.#paths.delete(from);
    this.#changed.delete(from);
    this.#paths.add(to);
    this.#changed.set(to, { ...known, to, ...this.#movedData(known, to) });
  }

  /** The content is read from its place. */
  #movedData({ data }: Pick<TreeChange, "data">, to: string): Pick<TreeChange, "data"> {
    return data?.now ? { data: { ...data, now: { ...data.now, read: () => this.bytesOf(to) } } } : {};
  }
}
