import type { Stats } from "node:fs";
import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeDurably } from "../../platform/files/durable/durableFile.ts";
import { isOnlyOwn, openPrivate } from "../../platform/files/privateFiles.ts";
import { isMembers } from "../../shared/members.ts";
import { parseJson } from "../../shared/text/json/parseJson.ts";

/** Where the windows of this user find the process at a port. */
export interface AddressFile {
  /** Path of its private socket, or name of its pipe. */
  readonly socket: string;
  /** Proves to each side that the other one can read this file. */
  readonly secret: string;
}

const mostBytes = 10_000;

export function addressPath(folder: string, port: number): string {
  return join(folder, `address-${port}.json`);
}

export function writeAddressFile(path: string, { socket, secret }: AddressFile): Promise<void> {
  return writeDurably(path, JSON.stringify({ socket, secret }));
}

/**
 * Undefined if there is none, and if another user could have written or read it, or made its socket: who answers there
 * would get the tokens and the requests of all agents.
 */
export async function readAddressFile(
  path: string,
  user = process.getuid?.(),
): Promise<AddressFile | undefined> {
  const isOnlyOurs = (stats: Stats) => isOnlyOwn(stats, user);
  const found = toFile(parseJson((await readOwnText(path, isOnlyOurs)) ?? ""));
  if (!found || process.platform === "win32") return found;
  return (await lstat(dirname(found.socket)).then(isOnlyOurs, () => false)) ? found : undefined;
}

async function readOwnText(path: string, isOnlyOurs: (stats: Stats) => boolean): Promise<string | undefined> {
  const file = await openPrivate(path, "r").catch(() => undefined);
  if (!file) return undefined;
  try {
    const stats = await file.stat();
    const isRead = stats.isFile() && stats.size <= mostBytes && isOnlyOurs(stats);
    return isRead ? await file.readFile("utf8") : undefined;
  } finally {
    await file.close();
  }
}

function toFile(value: unknown): AddressFile | undefined {
  if (!isMembers(value)) return undefined;
  const { socket, secret } = value;
  return typeof socket === "string" && typeof secret === "string" && secret.length >= 32
    ? { socket, secret }
    : undefined;
}
