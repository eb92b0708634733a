import { randomUUID } from "node:crypto";
import { link, lstat, readFile, readlink, rename, rm, symlink } from "node:fs/promises";
import { dirname, relative } from "node:path";
import type * as vscode from "vscode";
import { Refusal } from "../../../platform/errors/refusal.ts";
import type { TemporaryFiles } from "../../../platform/files/durable/temporaryFiles.ts";
import { inFolderOf, reasonOf } from "./fileAccess.ts";
import { linkNameOf, nameOf } from "./fileState.ts";
import type { HeldFolder } from "./heldFolder.ts";
import { refuseUnsavedEditor } from "./openEditors.ts";

interface LinkChange {
  /** The name of the content that is there, of a file or of a link; null if nothing is. */
  readonly expected: string | null;
  /** The target of the link that is made, byte for byte; undefined makes none. */
  readonly target: string | undefined;
  readonly temporary: TemporaryFiles;
}

/**
 * Puts a symbolic link in the place of what is there, or removes one. The link is not followed, and its target is written as a text.
 * What is there is taken away before it is looked at, and a link is only made where nothing is, so that nothing of another program
 * is lost: what differs from `expected` is put back. Throws a Refusal then.
 */
export async function placeLink(uri: vscode.Uri, path: string, change: LinkChange): Promise<void> {
  const { expected, target, temporary } = change;
  await refuseUnsavedEditor(uri, path);
  const act = async (folder: HeldFolder, file: string, place: string) => {
    const aside = folder.at(relative(dirname(place), temporary.beside(place)));
    if (expected !== null) await takeAside(file, aside, expected, path);
    try {
      await folder.check();
      if (target !== undefined) await symlink(Buffer.from(target, "latin1"), file);
    } catch (error) {
      if (expected !== null) await putBack(aside, file);
      throw error;
    }
    if (expected !== null) await rm(aside, { force: true });
  };
  await inFolderOf(uri, path, act, { creates: target !== undefined }).catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    const isTaken = error instanceof Error && "code" in error && error.code === "EEXIST";
    throw new Refusal(
      isTaken
        ? `${path} exists again, so its link was not restored.`
        : `The link ${path} could not be changed: ${reasonOf(error)}. Nothing of it was changed.`,
    );
  });
}

async function takeAside(file: string, aside: string, expected: string, path: string): Promise<void> {
  const found = await lstat(file);
  if (!found.isFile() && !found.isSymbolicLink()) throw changedMeanwhile(path);
  await rename(file, aside);
  if ((await contentName(aside)) === expected) return;
  await putBack(aside, file);
  throw changedMeanwhile(path);
}

async function contentName(entry: string): Promise<string | undefined> {
  const found = await lstat(entry);
  if (found.isSymbolicLink()) return linkNameOf((await readlink(entry, "buffer")).toString("latin1"));
  return found.isFile() ? nameOf(await readFile(entry)) : undefined;
}

/** Where another program has made something meanwhile, what was taken stays beside it. */
async function putBack(aside: string, file: string): Promise<void> {
  try {
    await link(aside, file);
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EEXIST";
    const beside = `${file}.${randomUUID().slice(0, 8)}`;
    if (isTaken) return rename(aside, beside);
    // Folders have no second names, and some file systems have none at all.
    return rename(aside, file).catch(() => rename(aside, beside));
  }
  await rm(aside, { force: true });
}

function changedMeanwhile(path: string): Refusal {
  return new Refusal(`${path} was not restored, because another program has just changed it. Try again.`);
}
