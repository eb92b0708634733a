import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { lstat, mkdtemp, readdir, rmdir, unlink } from "node:fs/promises";
import { connect, type ListenOptions, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isOnlyOwn } from "../files/privateFiles.ts";

const socketName = "window.sock";

/** A path for a socket that only this user reaches: in a new folder with mode 0700, or a random pipe on Windows. */
export async function createSocketPath(label: string): Promise<{ readonly path: string; remove(): void }> {
  if (process.platform === "win32") {
    const path = `\\\\.\\pipe\\inference-workbench-${randomBytes(16).toString("hex")}`;
    return { path, remove: () => {} };
  }
  // The paths of sockets are limited to about 100 bytes, which the global storage folder may exceed.
  const path = join(await mkdtemp(join(tmpdir(), prefixOf(label))), socketName);
  void sweepSockets(label, Date.now());
  return { path, remove: () => rmSync(dirname(path), { recursive: true, force: true }) };
}

function prefixOf(label: string): string {
  return `inference-${label}-`;
}

/** A younger folder may have no server yet. */
const youngMs = 60_000;
const mostSwept = 100;

/**
 * Removes the sockets of this user at which nobody listens any more: their processes were killed. Follows no links, and leaves
 * what another user has made. Never rejects.
 */
export async function sweepSockets(label: string, nowMs: number): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  const own = names.filter((name) => name.startsWith(prefixOf(label))).slice(0, mostSwept);
  for (const name of own) await sweepFolder(join(tmpdir(), name), nowMs).catch(() => {});
}

async function sweepFolder(folder: string, nowMs: number): Promise<void> {
  const found = await lstat(folder);
  if (!found.isDirectory() || !isOnlyOwn(found) || nowMs - found.mtimeMs < youngMs) return;
  const socket = join(folder, socketName);
  const refusal = await connecting(socket);
  // In a folder that is the user's alone, so that nobody else can replace it meanwhile.
  if (refusal === "ECONNREFUSED") await unlink(socket);
  // Not if anything else is in it.
  if (refusal === "ECONNREFUSED" || refusal === "ENOENT") await rmdir(folder);
}

/** Why a connection can't be made; undefined if it can. */
function connecting(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.once("error", (error) => resolve("code" in error ? String(error.code) : error.message));
  });
}

/** Rejects if the server can't listen there. Its later errors are ignored: a connection that fails is closed. */
export function listening(server: Server, where: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(where, () => {
      server.off("error", reject);
      server.on("error", () => {});
      resolve();
    });
  });
}
