import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findAnvil } from "../../../src/platform/anvil.ts";

/** Real nodes whose own record of what they were asked is kept. */
export interface NodeLog {
  /** Starts such a node, as anvil starts. */
  readonly program: string;
  /** How often all nodes together were asked for a method so far. */
  count(method: string): number;
  /** The same, once another method is counted so often: a node writes down what it is asked in the order it is asked. */
  countOnce(method: string, other: string, times: number): Promise<number>;
  close(): Promise<void>;
}

export async function openNodeLog(): Promise<NodeLog> {
  const anvil = await findAnvil({ folders: [import.meta.dirname], searchPath: process.env.PATH });
  assert.ok(anvil, "anvil is missing: run npm ci");
  const folder = mkdtempSync(join(tmpdir(), "inference-node-log-"));
  const log = join(folder, "calls.log");
  const program = join(folder, "anvil");
  writeFileSync(log, "");
  // What it says goes into the log on its way; the node is the program itself, and ends when that is told to.
  const script = `#!/bin/sh\nmkfifo "$HOME/said"\ntee -a "${log}" < "$HOME/said" &\nexec "${anvil}" "$@" > "$HOME/said"\n`;
  writeFileSync(program, script);
  chmodSync(program, 0o755);
  const count = (method: string) =>
    readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line === method).length;
  return {
    program,
    count,
    async countOnce(method, other, times) {
      const watcher = watch(log);
      const signal = AbortSignal.timeout(20_000);
      try {
        while (count(other) < times) await once(watcher, "change", { signal });
      } finally {
        watcher.close();
      }
      return count(method);
    },
    async close() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
