import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { editorState } from "./paths.ts";

const everyMs = 200;

/**
 * Runs the work of one process of this clone at a time: each build empties dist/ while another may be packing from it.
 * Takes over the lock of a process that has ended.
 */
export async function withBuildLock<Result>(
  work: () => Promise<Result>,
  lock = join(editorState, "build.lock"),
  wait: () => Promise<unknown> = () => delay(everyMs),
): Promise<Result> {
  while (!acquire(lock)) await wait();
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function acquire(lock: string): boolean {
  mkdirSync(dirname(lock), { recursive: true });
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    if (!isHeld(lock)) rmSync(lock, { force: true });
    return false;
  }
}

function isHeld(lock: string): boolean {
  try {
    const pid = Number(readFileSync(lock, "utf8"));
    // The lock's owner has created it but not written its pid yet.
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    // The process exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
