// The files of a random case as user and programs see them.
import assert from "node:assert/strict";
import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Uri as VsCodeUri } from "vscode";
import type { FileChange } from "../../../src/changes/engine/pendingChanges.ts";
import { names } from "./changesSteps.ts";
import { type Document, isFileAt, Uri } from "./editorDocument.ts";
import { editor } from "./editorModel.ts";

type Content = Pick<Seen, "disk" | "unsaved">;

/** A file as user and programs see it. */
export interface Seen {
  readonly disk: string | null;
  /** Unsaved text. */
  readonly unsaved: string | undefined;
  /** Null for a file that does not exist, and where files have no modes. */
  readonly mode: number | null;
}

/** The files of a case by their names. */
export type All = Readonly<Record<string, Seen>>;

const nothing: Seen = { disk: null, unsaved: undefined, mode: null };
export const seenIn = (all: All, name: string) => all[name] ?? nothing;
/** Programs make files of other names through links. */
export const namesIn = (...some: readonly All[]) => [...new Set(some.flatMap(Object.keys))];

export const uriOf = (name: string) => new Uri(join(editor.root, name)) as Uri & VsCodeUri;
export const findCells = (name: string) => editor.findNotebook(uriOf(name));
export const find = (name: string) => editor.find(uriOf(name));

export function put(name: string, content: string | Uint8Array): void {
  const { path } = uriOf(name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** The names of files that a rewind leaves alone: their editors have unsaved text of files behind links, or where a folder is. */
export function unsavedElsewhere(): readonly string[] {
  const unsaved = editor.documents.filter(({ isDirty }) => isDirty);
  const open = unsaved.map(({ uri }) => uri.path.slice(editor.root.length + 1));
  return open.filter((name) => !isPlain(name) || isLink(uriOf(name).path) || isFolder(uriOf(name).path));
}

/** A link is seen as its target, behind a sign that no other content has. */
const linkSign = "\u2192";
export const isLinkSeen = ({ disk }: Content) => disk?.startsWith(linkSign) ?? false;

/** False for a place that is reached through a link, so that nothing is there itself. */
export function isPlain(name: string): boolean {
  const folders = name.split("/").slice(0, -1);
  return folders.every((_, index) => !isLink(uriOf(folders.slice(0, index + 1).join("/")).path));
}

/** False below a link that leads nowhere: the editor can't make the folder, and changes nothing. */
export function hasPlace(name: string): boolean {
  const folders = name.split("/").slice(0, -1);
  const paths = folders.map((_, index) => uriOf(folders.slice(0, index + 1).join("/")).path);
  return paths.every((path) => existsSync(path) || !isLink(path));
}

const isLink = (path: string) => entryAt(path)?.isSymbolicLink() ?? false;
const isFolder = (path: string) => entryAt(path)?.isDirectory() ?? false;

/** Undefined also for a place below a file. */
function entryAt(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export function see(name: string): Seen {
  const { path } = uriOf(name);
  // An editor keeps unsaved text of what is behind a link now, or where a folder is.
  if (!isPlain(name) || isFolder(path)) {
    const document = find(name);
    return { ...nothing, unsaved: document?.isDirty ? document.getText() : undefined };
  }
  if (isLink(path))
    return {
      disk: linkSign + readlinkSync(path, "buffer").toString("latin1"),
      unsaved: undefined,
      mode: null,
    };
  return seePlain(name);
}

/** What is neither a link nor a folder, nor reached through one. */
function seePlain(name: string): Seen {
  const document = find(name);
  const { disk, mode } = readNow(uriOf(name).path);
  const notebook = findCells(name);
  const unsaved = notebook?.isDirty ? notebook.text() : document?.isDirty ? document.getText() : undefined;
  const isSaved = contentBytes({ disk, unsaved }) === disk;
  return { disk, unsaved: isSaved ? undefined : unsaved, mode };
}

/** With few calls of the system, which take most of the time of a case. */
function readNow(path: string): Pick<Seen, "disk" | "mode"> {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return { disk: null, mode: null };
  }
  try {
    const { mode, size } = fstatSync(file);
    const bytes = Buffer.alloc(size);
    const length = size === 0 ? 0 : readSync(file, bytes);
    assert.equal(length, size);
    return { disk: bytes.toString("latin1"), mode: process.platform === "win32" ? null : mode & 0o777 };
  } finally {
    closeSync(file);
  }
}

/** Looks only at what is there, or open: most time would go to the places where nothing is. */
export function seeAll(): All {
  const seen = seeFolder("");
  const documents = [...editor.documents, ...editor.notebooks];
  for (const { uri } of documents) {
    const name = uri.path.slice(editor.root.length + 1);
    seen[name] ??= see(name);
  }
  return { ...noneThere, ...seen };
}

const noneThere: All = Object.fromEntries(names.map((name) => [name, nothing]));

/** Node's own recursion follows links. */
function seeFolder(folder: string): Record<string, Seen> {
  const seen: Record<string, Seen> = {};
  for (const entry of readdirSync(join(editor.root, folder), { withFileTypes: true })) {
    const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) Object.assign(seen, seeFolder(name));
    else seen[name] = entry.isFile() ? seePlain(name) : see(name);
  }
  return seen;
}

export const contentOf = ({ disk, unsaved }: Content) => unsaved ?? disk;

export const plain = (text: string) => text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");

/** The document of a file; undefined if it does not exist, is binary or open as a notebook. */
export function opened(name: string): Document | undefined {
  const uri = uriOf(name);
  if (find(name) || findCells(name)) return find(name);
  return isFileAt(uri.path) && !readFileSync(uri.path).includes(0) ? editor.open(uri) : undefined;
}

/** Unsaved text as an editor can have it: it chooses the line ends, and marks only a difference from the file. */
export function asShown({ disk, unsaved }: Content): Content {
  const text = unsaved === undefined ? undefined : plain(unsaved);
  return { disk, unsaved: disk !== null && text === plain(utf8(disk)) ? undefined : text };
}

export const nameOfUri = (uri: string) => Uri.parse(uri).path.slice(editor.root.length + 1);
export const nameOf = ({ uri }: FileChange) => nameOfUri(uri);

export function isSame(one: Content, other: Content): boolean {
  return contentBytes(one) === contentBytes(other);
}

/** The content as a rewind sees it. */
function contentBytes({ disk, unsaved }: Content): string | null {
  if (unsaved === undefined) return disk;
  return Buffer.from((disk?.startsWith("ï»¿") ? "\ufeff" : "") + unsaved).toString("latin1");
}

export function tokensIn(seen: All): ReadonlySet<string> {
  const all = Object.values(seen).map((one) => Buffer.from(contentBytes(one) ?? "", "latin1").toString());
  return new Set(all.join("\n").match(/«\d+»/g) ?? []);
}

/** A text that the editor could not save is taken back, but stays marked as unsaved. */
export function assertNothingWritten(now: All, before: All, error: string): void {
  const hasMark = error.includes("could not be saved");
  for (const name of namesIn(now, before)) {
    const [one, other] = [seenIn(now, name), seenIn(before, name)];
    if (hasMark && other.unsaved === undefined && one.unsaved !== undefined)
      assert.deepEqual(
        [one.disk, shown(name, one.unsaved)],
        [other.disk, shown(name, utf8(other.disk ?? ""))],
        error,
      );
    else assert.deepEqual(one, other, `${name} is unchanged ${error}`);
  }
}

/** What an editor shows of a file: of a notebook the cells, while the rest of the file may be newer. */
function shown(name: string, text: string): unknown {
  if (!findCells(name)) return plain(text);
  const { cells } = JSON.parse(text) as { readonly cells: readonly { readonly source: readonly string[] }[] };
  return cells.map(({ source }) => source);
}

function utf8(latin: string): string {
  return Buffer.from(latin, "latin1").toString();
}

/** Returns what brings all files back to how they are now, with the names that are of one file. */
export function keepAll(): () => void {
  const before = seeAll();
  const inodes = new Map(Object.keys(before).flatMap((name) => inodeOf(name).map((inode) => [name, inode])));
  return () => {
    const now = seeAll();
    // In this order, what was a folder can become a link, and the other way.
    const isThere = (name: string) => Number(seenIn(before, name).disk !== null);
    const restored = new Map<number, string>();
    for (const name of namesIn(before, now).toSorted((one, other) => isThere(one) - isThere(other))) {
      const inode = inodes.get(name);
      restoreSeen(name, seenIn(before, name), inode === undefined ? undefined : restored.get(inode));
      if (inode !== undefined) restored.set(inode, uriOf(name).path);
    }
  };
}

function inodeOf(name: string): readonly number[] {
  const found = isPlain(name) ? entryAt(uriOf(name).path) : undefined;
  return found?.isFile() ? [found.ino] : [];
}

/** `other` is another name of the file. */
function restoreSeen(name: string, { disk, mode }: Seen, other: string | undefined): void {
  const { path } = uriOf(name);
  if (disk === null) {
    const found = isPlain(name) ? entryAt(path) : undefined;
    if (found && !found.isDirectory()) rmSync(path);
    return;
  }
  // A folder that is there by now is empty. A name that is there may be one of several of a file.
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  if (isLinkSeen({ disk, unsaved: undefined })) symlinkSync(Buffer.from(disk.slice(1), "latin1"), path);
  else if (other !== undefined) linkSync(other, path);
  else put(name, Buffer.from(disk, "latin1"));
  if (mode !== null) chmodSync(path, mode);
}
