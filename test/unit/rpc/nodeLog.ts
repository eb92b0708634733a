import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findAnvil } from "../../../src/platform/process/anvil.ts";

/** Real nodes that log their requests. */
export interface NodeLog {
  /** Starts such a node, as anvil starts. */
  readonly program: string;
  /** Number of requests for a method to all nodes together so far. */
  count(method: string): number;
  /** The same, once another method has this count: a node logs requests in their order. */
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
  // Its output is also written to the log; the node is the program itself, and ends with it.
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
      const signal = AbortSignal.timeout(120_000);
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
