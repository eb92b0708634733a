import type * as vscode from "vscode";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { type BlobStore, blobNameOf } from "../../../platform/files/blobStore.ts";
import type { FileChange } from "../pendingChanges.ts";
import type { Content } from "./contents.ts";

/** The contents of files, by name. */
export interface StoredContents {
  put(bytes: Uint8Array): Promise<string>;
  /** Stores the target of a symbolic link, see `linkAtPath`, as another content than a file with that text. */
  putLink(target: string): Promise<string>;
  /** Throws a Refusal if it is no longer stored. */
  get(name: string | undefined): Promise<Uint8Array>;
}

export function createStoredContents(blobs: BlobStore): StoredContents {
  return {
    put: (bytes) => blobs.put(bytes, extension),
    putLink: (target) => blobs.put(Buffer.from(target, "latin1"), linkExtension),
    async get(name) {
      const bytes = name === undefined ? undefined : await blobs.read(name);
      if (bytes) return bytes;
      throw new Refusal("The former content of a file is no longer stored, so it was not changed.");
    },
  };
}

const extension = "file";
const linkExtension = "link";

/** A file at one time: the name of its content, and of the file behind unsaved text. */
export interface FileState {
  readonly content: string | null;
  readonly saved?: string | null;
  /** Of a file to remove, or whose mode changes. */
  readonly mode?: number | undefined;
}

/** Stores the contents of a file. */
export async function storedState(
  contents: StoredContents,
  content: Content | undefined,
): Promise<FileState> {
  if (!content) return { content: null };
  const { bytes, saved } = content;
  const state = { content: await contents.put(bytes) };
  return saved === undefined ? state : { ...state, saved: saved && (await contents.put(saved)) };
}

export function toFileChange(uri: vscode.Uri, from: FileState, to: FileState): FileChange {
  return {
    uri: uri.toString(),
    before: from.content,
    ...(from.saved === undefined ? {} : { savedBefore: from.saved }),
    ...(from.mode === undefined ? {} : { modeBefore: from.mode }),
    after: to.content,
    ...(to.saved === undefined ? {} : { savedAfter: to.saved }),
  };
}

export function nameOf(bytes: Uint8Array): string {
  return blobNameOf(bytes, extension);
}

/** The name of the content of a symbolic link, by its target as `linkAtPath` reads it. */
export function linkNameOf(target: string): string {
  return blobNameOf(Buffer.from(target, "latin1"), linkExtension);
}

export function isLinkName(name: string | null | undefined): name is string {
  return name?.endsWith(`.${linkExtension}`) ?? false;
}

/** The target in the content of a link. */
export function targetIn(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

/** The names of the contents of a file. */
export function namesOf(content: Content | undefined): FileState {
  if (!content) return { content: null };
  const { bytes, saved } = content;
  const state = { content: nameOf(bytes) };
  return saved === undefined ? state : { ...state, saved: saved && nameOf(saved) };
}

/** The name of the file on disk. */
export function fileOf({ content, saved }: { content: string | null; saved?: string | null | undefined }) {
  return saved === undefined ? content : saved;
}

export function isSameState(one: FileState, other: FileState): boolean {
  return one.content === other.content && one.saved === other.saved;
}
