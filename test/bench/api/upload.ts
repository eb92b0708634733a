// A 25 MB file sent as multipart: how much the sending process grows.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atMost, type Benchmark, median } from "../figure.ts";

const rounds = 5;
const size = 25 * 1024 * 1024;

export const benchmark: Benchmark = {
  name: "upload",
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "upload-"));
    const path = join(folder, "document.pdf");
    writeFileSync(path, Buffer.alloc(size, "%PDF-1.7 "));
    const server = fork(join(import.meta.dirname, "uploadServer.ts"));
    try {
      const [{ baseUrl }] = await once(server, "message");
      const grown: number[] = [];
      for (let round = 0; round < rounds; round++) grown.push(await send(baseUrl, path));
      return { upload: atMost(median(grown), "MB", 16) };
    } finally {
      server.kill();
      rmSync(folder, { recursive: true });
    }
  },
};

/** Megabytes that a fresh process grew by at its peak while it sent the file. */
async function send(baseUrl: string, path: string): Promise<number> {
  const sender = fork(join(import.meta.dirname, "uploadSender.ts"), [baseUrl, path]);
  const [grown] = (await Promise.race([once(sender, "message"), failed(once(sender, "exit"))])) as [number];
  return grown;
}

async function failed(exit: Promise<unknown[]>): Promise<never> {
  const [code] = await exit;
  throw new Error(`the sender ended with ${code}`);
}
