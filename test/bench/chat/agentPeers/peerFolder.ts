// The files of a task and a home folder, in which another agent runs.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PeerCommand } from "./peers.ts";

const longestMs = 120_000;

export interface PeerFolder {
  /** The workspace, which is absolute. */
  readonly folder: string;
  onDisk(path: string): string;
  /** Resolves to the output, however the program ends. */
  run(command: PeerCommand): Promise<string>;
  remove(): void;
}

export function openPeerFolder(files: Readonly<Record<string, string>>): PeerFolder {
  const home = mkdtempSync(join(tmpdir(), "agent-peer-"));
  const folder = join(home, "workspace");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return {
    folder,
    onDisk: (path) => readFileSync(join(folder, path), "utf8"),
    run: (command) => run(command, folder, home),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

function run({ program, args, env }: PeerCommand, cwd: string, home: string): Promise<string> {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: home, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: longestMs,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve(output));
  });
}
