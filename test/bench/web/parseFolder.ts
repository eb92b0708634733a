// A folder of 100 documents of 2 MB, read three at once by the sandbox: how much the sending process grows.
import { fork } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atMost, type Benchmark } from "../figure.ts";

const documents = 100;
const size = 2 * 1024 * 1024;
const line = "The orchard gave 1,250 kg of apples.\n";

export const benchmark: Benchmark = {
  name: "parse-folder",
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "parse-folder-"));
    const paths = Array.from({ length: documents }, (_, index) => join(folder, `${index}.txt`));
    const [first = ""] = paths;
    writeFileSync(first, line.repeat(Math.ceil(size / line.length)));
    for (const path of paths.slice(1)) copyFileSync(first, path);
    const server = fork(join(import.meta.dirname, "../sandboxServer.ts"), ["{}"]);
    try {
      const [service] = await once(server, "message");
      const sender = fork(join(import.meta.dirname, "parseFolderSender.ts"), [
        JSON.stringify({ ...service, paths }),
      ]);
      const [grown] = (await Promise.race([once(sender, "message"), failed(once(sender, "exit"))])) as [
        number,
      ];
      return { "parse-folder": atMost(grown, "MB", 64) };
    } finally {
      server.kill();
      rmSync(folder, { recursive: true });
    }
  },
};

async function failed(exit: Promise<unknown[]>): Promise<never> {
  const [code] = await exit;
  throw new Error(`the sender ended with ${code}`);
}
