import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import type { ListenOptions, Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A path for a socket that only this user reaches: in a new folder with mode 0700, or a random pipe on Windows. */
export async function createSocketPath(label: string): Promise<{ readonly path: string; remove(): void }> {
  if (process.platform === "win32") {
    const path = `\\\\.\\pipe\\inference-workbench-${randomBytes(16).toString("hex")}`;
    return { path, remove: () => {} };
  }
  // The paths of sockets are limited to about 100 bytes, which the global storage folder may exceed.
  const path = join(await mkdtemp(join(tmpdir(), `inference-${label}-`)), "window.sock");
  return { path, remove: () => rmSync(dirname(path), { recursive: true, force: true }) };
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
