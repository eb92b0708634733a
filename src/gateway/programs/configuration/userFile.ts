import { lstat, realpath, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { IrregularFile, openRegular } from "../../../platform/files/bounded/openRegular.ts";
import { replaceDurably, type TemporaryPlaces } from "../../../platform/files/durable/durableFile.ts";
import { isMissing, makeFolder } from "../../../platform/files/privateFiles.ts";

/** A configuration of the user, in place of what links point to. */
export interface UserFile {
  /** Absolute path without links. */
  readonly path: string;
  /** Undefined if there is no file. */
  readonly text: string | undefined;
}

/** No configuration that a person keeps is as long. */
const mostBytes = 1_000_000;
const mode = 0o600;

/** Throws a `Refusal` for what can't be replaced without loss. */
export async function readUserFile(path: string): Promise<UserFile> {
  const found = await lstat(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!found) return { path, text: undefined };
  const real = await realpath(path).catch(() => {
    throw notWritten(path, "is a link to a file that is missing");
  });
  const handle = await openRegular(real).catch((error: unknown) => {
    throw error instanceof IrregularFile ? notWritten(path, "is no regular file") : error;
  });
  try {
    const { nlink, size } = await handle.stat();
    if (nlink > 1) throw notWritten(path, "has a second name on this disk (a hard link)");
    if (size > mostBytes) throw notWritten(path, "is longer than 1 MB");
    return { path: real, text: decoded(await handle.readFile(), path) };
  } finally {
    await handle.close();
  }
}

function decoded(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw notWritten(path, "is not UTF-8");
  }
}

function notWritten(path: string, why: string): Refusal {
  return new Refusal(`${path} ${why}. Change it by hand, with “Copy Its Settings”. Nothing was written.`);
}

/** Replaces the file atomically, with its mode; undefined removes it. */
export async function writeUserFile(
  path: string,
  text: string | undefined,
  temporary: TemporaryPlaces,
): Promise<void> {
  if (text === undefined) return rm(path, { force: true });
  await makeFolder(dirname(path));
  await replaceDurably(path, text, mode, temporary);
}
