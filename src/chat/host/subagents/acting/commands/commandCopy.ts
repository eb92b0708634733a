import { constants } from "node:fs";
import { lstat, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasMark, hasSameLines } from "../../../../../changes/engine/files/contents.ts";
import { decodedAsShown } from "../../../../../changes/engine/files/editorText.ts";
import { questionAbout, refusedName } from "../../../../../changes/engine/files/fileRisk.ts";
import { mostTextBytes } from "../../../../../changes/engine/files/replaceText.ts";
import { isNotebookPath } from "../../../../../changes/engine/notebooks/notebookText.ts";
import type { KeptFile, ProgramFile, ProgramResult } from "../../../../../changes/engine/pendingChanges.ts";
import { workspaceUri } from "../../../../../platform/editor/workspaceUri.ts";
import { Refusal } from "../../../../../platform/errors/refusal.ts";
import { openRegular } from "../../../../../platform/files/bounded/openRegular.ts";
import { makeFolder, permitUser, writePrivately } from "../../../../../platform/files/privateFiles.ts";
import { formatBytes } from "../../../../../shared/chat/chatAttachments.ts";
import { messageOf } from "../../../../../shared/messageOf.ts";
import { looksSecret } from "../../../../../shared/secretFiles.ts";
import { copyFiles } from "../copyFiles.ts";
import type { WorktreeCopy } from "../gitWorktrees.ts";
import type { SubagentTree } from "../subagentTree.ts";
import { mostChanged } from "../treeWriter.ts";
import { type FileStamp, type Found, stateOf } from "./copyState.ts";

/** Files that a command may leave. */
const mostFiles = 100_000;
/** Bytes of all files of a subagent that are taken over byte for byte. */
const mostDataBytes = 100 * 1024 * 1024;

/**
 * The folder in which the commands of a subagent run: a copy of its files, which commands may fill with anything. The tools of
 * the subagent never touch it. After each command, what that has changed is read from here into the files of the subagent; links
 * are not followed. Nothing runs here while it is read or written.
 */
export class CommandCopy {
  readonly #tree: SubagentTree;
  readonly #place: WorktreeCopy;
  /** The files when they were looked at last. */
  readonly #known = new Map<string, FileStamp>();
  /** Why changes of files are not taken over, as sentences. */
  readonly #left = new Map<string, string>();
  #isFilled = false;

  constructor(tree: SubagentTree, place: WorktreeCopy) {
    this.#tree = tree;
    this.#place = place;
  }

  /** The changes of files that stay in the copy. */
  get left(): readonly KeptFile[] {
    return [...this.#left].map(([path, reason]) => ({ path, reason }));
  }

  /** Takes over what the tools of the subagent have changed. */
  async update(signal: AbortSignal): Promise<void> {
    const { root } = this.#place;
    const touched = this.#tree.takeTouched();
    const paths = this.#isFilled ? touched : [...this.#tree.paths];
    if (!this.#isFilled) {
      await copyFiles(paths, { from: this.#tree.root, to: root }, new Map(), signal);
      this.#isFilled = true;
    } else for (const path of touched) await this.#put(path);
    for (const [path, found] of await stateOf(root, paths, signal)) this.#note(path, found);
  }

  /** Takes what commands have changed into the files of the subagent. */
  async collect(signal: AbortSignal): Promise<ProgramResult> {
    const { root, list } = this.#place;
    const listed = (await list(signal)).filter((path) => !path.split("/").includes(".git"));
    const [unclear, clear] = [listed.filter(isUnclear), listed.filter((path) => !isUnclear(path))];
    const paths = new Set([...this.#known.keys(), ...clear]);
    if (paths.size > mostFiles)
      throw new Refusal(`It has left ${paths.size} files, and at most ${mostFiles} are looked at.`);
    const found = await stateOf(root, [...paths].sort(), signal);
    const taking = new Taking(this.#tree, root, this.#known);
    const result = await taking.take(found, unclear);
    this.#tree.takeTouched();
    for (const [path, one] of found) this.#note(path, one);
    for (const { path } of result.files) this.#left.delete(path);
    for (const { path, reason } of result.kept) this.#left.set(path, reason);
    return result;
  }

  #note(path: string, found: Found): void {
    if (found.kind === "missing") this.#known.delete(path);
    else this.#known.set(path, found.kind === "file" ? found.file : noFile);
  }

  /** A command may have put anything where the file is, or a link where its folder is. */
  async #put(path: string): Promise<void> {
    const { root } = this.#place;
    const target = join(root, path);
    await makeRealFolder(root, dirname(path));
    await rm(target, { recursive: true, force: true });
    if (!this.#tree.paths.has(path)) return;
    const source = join(this.#tree.root, path);
    await writePrivately(target, await readFile(source));
    const { mode } = await lstat(source);
    if ((mode & constants.S_IXUSR) !== 0) await permitUser(target);
  }
}

/** True for a name that Git has told in bytes that are no UTF-8. */
function isUnclear(path: string): boolean {
  return path.includes("\ufffd");
}

/** Stands for a link or a device that was seen. */
const noFile: FileStamp = { content: "", id: "", size: 0, isProgram: false };

/** Makes a folder below another one. What is in its way is removed. */
async function makeRealFolder(root: string, folder: string): Promise<void> {
  let place = root;
  for (const name of folder.split("/").filter((one) => one !== ".")) {
    place = join(place, name);
    const found = await lstat(place).catch(() => undefined);
    if (found && !found.isDirectory()) await rm(place, { force: true });
    if (!found?.isDirectory()) await makeFolder(place);
  }
}

/** The changes since a former state. */
interface Changes {
  readonly gone: Set<string>;
  /** By the path now, the former path. */
  readonly moved: Map<string, string>;
  /** With those that were moved and changed. */
  readonly written: Map<string, FileStamp>;
}

/** Takes the changes of commands, each file as a whole or not at all. */
class Taking {
  readonly #tree: SubagentTree;
  readonly #root: string;
  readonly #known: ReadonlyMap<string, FileStamp>;
  readonly #files: ProgramFile[] = [];
  readonly #kept: KeptFile[] = [];

  constructor(tree: SubagentTree, root: string, known: ReadonlyMap<string, FileStamp>) {
    this.#tree = tree;
    this.#root = root;
    this.#known = known;
  }

  /** `unclear` are names that can't be told from others. */
  async take(found: ReadonlyMap<string, Found>, unclear: readonly string[]): Promise<ProgramResult> {
    for (const path of unclear) this.#leave(path, "has a name that is no UTF-8");
    const { gone, moved, written } = this.#changesIn(found);
    // First what makes room.
    for (const path of gone) await this.#try(path, () => this.#remove(path));
    for (const [to, from] of moved) await this.#try(to, () => this.#move(from, to));
    for (const [path, stamp] of written) await this.#try(path, () => this.#write(path, stamp));
    return { files: this.#files, kept: this.#kept };
  }

  #changesIn(found: ReadonlyMap<string, Found>): Changes {
    const changes: Changes = { gone: new Set(), moved: new Map(), written: new Map() };
    for (const [path, now] of found) {
      const before = this.#known.get(path);
      if (now.kind === "file" && now.file.content !== before?.content) changes.written.set(path, now.file);
      if (now.kind === "missing" && before) changes.gone.add(path);
      if (now.kind === "other" && before !== noFile) this.#leave(path, "is no regular file that can be read");
    }
    this.#findMoves(changes);
    return changes;
  }

  /** A new file with the identity of one that is gone was moved from there. */
  #findMoves({ gone, moved, written }: Changes): void {
    const isNew = (path: string) =>
      !this.#known.has(path) && !this.#tree.paths.has(path) && reasonOf(path) === undefined;
    const places = new Map([...written].flatMap(([path, { id }]) => (isNew(path) ? [[id, path]] : [])));
    for (const from of gone) {
      const id = this.#known.get(from)?.id ?? "";
      const to = places.get(id);
      if (to === undefined || to.startsWith(`${from}/`) || from.startsWith(`${to}/`)) continue;
      places.delete(id);
      gone.delete(from);
      moved.set(to, from);
    }
  }

  async #try(path: string, work: () => Promise<void>): Promise<void> {
    try {
      const reason = reasonOf(path);
      if (reason !== undefined) return this.#leave(path, reason);
      if (this.#tree.changes().length >= mostChanged)
        return this.#leave(path, `was changed, too, and at most ${mostChanged} files of a subagent are`);
      await work();
    } catch (error) {
      this.#kept.push({ path, reason: messageOf(error) });
    }
  }

  #leave(path: string, why: string): void {
    this.#kept.push({ path, reason: `${path} ${why}: what commands did to it is not taken over.` });
  }

  async #remove(path: string): Promise<void> {
    if (!this.#tree.paths.has(path)) return; // Left before.
    await this.#tree.remove(path);
    this.#files.push({ path, kind: "deleted" });
  }

  async #move(from: string, to: string): Promise<void> {
    const reason = reasonOf(from);
    if (reason !== undefined) return this.#leave(from, reason);
    if (!this.#tree.paths.has(from)) return;
    await this.#tree.move(from, to);
    this.#files.push({ path: from, kind: "deleted" }, { path: to, kind: "created" });
  }

  async #write(path: string, { size, isProgram }: FileStamp): Promise<void> {
    if (size > mostTextBytes) return this.#leave(path, `is larger than ${formatBytes(mostTextBytes)}`);
    const tree = this.#tree;
    const bytes = await readRegular(join(this.#root, path));
    const isThere = tree.paths.has(path);
    const isSame = isThere && Buffer.compare(bytes, await readFile(join(tree.root, path))) === 0;
    if (!isSame && !(await this.#put(path, bytes))) return;
    const isOther = isProgram !== (await tree.isProgram(path));
    if (isOther) await tree.setProgram(path, isProgram);
    if (!isSame || isOther) this.#files.push({ path, kind: isThere ? "changed" : "created" });
  }

  /** False with nothing changed if there is no room for it. */
  async #put(path: string, bytes: Uint8Array): Promise<boolean> {
    const tree = this.#tree;
    const isNew = !tree.paths.has(path);
    const textNow = decodedAsShown(workspaceUri(path), path, bytes).catch(() => undefined);
    const [text, former] = await Promise.all([
      textNow,
      isNew ? undefined : tree.textOf(path).catch(() => undefined),
    ]);
    // Line ends and byte order marks are no lines that could be merged.
    const hasLines = isNew ? !hasMark(bytes) : former !== undefined && !hasSameLines(text ?? "", former);
    if (text !== undefined && (hasLines || tree.isEdited(path))) {
      await tree.put(path, text, bytes);
      return true;
    }
    if (!this.#hasRoomFor(path, bytes.byteLength)) return false;
    await tree.putBytes(path, bytes);
    return true;
  }

  #hasRoomFor(path: string, length: number): boolean {
    const others = this.#tree.changes().filter(({ to }) => to !== path);
    const sum = others.reduce((all, { data }) => all + (data?.now?.length ?? 0), length);
    if (sum <= mostDataBytes) return true;
    this.#leave(path, `does not fit: at most ${formatBytes(mostDataBytes)} of a subagent are taken over`);
    return false;
  }
}

/** Why changes of a file are not taken over: the middle of a sentence. The same files are refused by the tools that write. */
function reasonOf(path: string): string | undefined {
  if (looksSecret(path)) return "looks like a file of keys or passwords";
  if (refusedName(path) !== undefined) return "makes programs run by being there";
  if (questionAbout(path) !== undefined)
    return "says what programs run, so that only the agent itself changes it, because the user may have to be asked";
  return isNotebookPath(path) ? "is a notebook, which only the agent itself changes" : undefined;
}

async function readRegular(path: string): Promise<Buffer> {
  const file = await openRegular(path, constants.O_NOFOLLOW ?? 0);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}
