import { readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { basename, join } from "node:path";
import { makeFolder } from "../../../platform/files/privateFiles.ts";
import { conversationFiles } from "./conversationFiles.ts";
import type { LogState } from "./log/logState.ts";
import { readOldConversation } from "./log/oldConversation.ts";
import { parseLog } from "./log/parseLog.ts";

const logName = /^([\w-]{1,100})\.jsonl$/;
const oldName = /^([\w-]{1,100})\.json$/;

/** The id of the conversation in a file of this name. */
export function conversationIdOf(name: string): string | undefined {
  return (logName.exec(name) ?? oldName.exec(name))?.[1];
}

/** The ids of all conversations in a folder. */
export async function conversationIdsIn(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  return [...new Set(names.flatMap((name) => conversationIdOf(name) ?? []))];
}

/** The path of a conversation's file and a stamp that changes with it; undefined if there is no file. */
export async function conversationFileOf(directory: string, id: string) {
  const { log, old } = conversationFiles(directory, id);
  for (const path of [log, old]) {
    const found = await stat(path).catch(() => undefined);
    if (found) return { path, stamp: `${found.size}:${found.mtimeMs}` };
  }
  return undefined;
}

/** Undefined if the file was deleted meanwhile, or contains no conversation. */
export async function readConversation(path: string, id: string): Promise<LogState | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  if (!bytes) return undefined;
  if (oldName.test(basename(path))) return readOldConversation(bytes.toString("utf8"));
  const { state, understood, isNewer } = parseLog(bytes, id);
  return understood > 0 && !isNewer ? state : undefined;
}

/** Moves a conversation to the trash, or back. Throws if it does not exist. */
export async function moveConversation(directory: string, id: string, where: "away" | "back"): Promise<void> {
  const { log, old, bad, trashed } = conversationFiles(directory, id);
  const trash = join(trashed, "..");
  await makeFolder(trash);
  let moved = 0;
  for (const path of [log, old, bad]) {
    const inTrash = join(trash, basename(path));
    const [from, to] = where === "away" ? [path, inTrash] : [inTrash, path];
    if (!(await stat(from).catch(() => undefined))) continue;
    await rename(from, to);
    // The time in the trash starts now.
    if (where === "away") await utimes(to, new Date(), new Date());
    moved += 1;
  }
  if (moved === 0) throw new Error(`there is no conversation ${id} to move ${where}`);
}

/** Deletes the conversations that were moved to the trash before this time. */
export async function emptyTrash(directory: string, beforeMs: number): Promise<void> {
  const trash = join(directory, "trash");
  for (const name of await readdir(trash).catch(() => [])) {
    const path = join(trash, name);
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtimeMs < beforeMs) await rm(path, { force: true });
  }
}
