import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A name for a writer of logs: the machine, the process, and one more so that no two writers share it. */
export function newWriterName(): string {
  return [machine(), process.pid.toString(36), randomBytes(4).toString("hex")].join(".");
}

/** Whether the process of this writer is known to have ended. Of other machines, and of older names, nobody knows. */
export function hasEnded(writer: string): boolean {
  const [where, pid = "", rest] = writer.split(".");
  if (rest === undefined || where !== machine()) return false;
  try {
    process.kill(Number.parseInt(pid, 36), 0);
    return false;
  } catch (error) {
    // It is there where only the right to speak to it is missing.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

let known: string | undefined;

/** The same for processes that can tell of each other: containers number their own, and a new start begins anew. */
function machine(): string {
  known ??= createHash("sha256")
    .update(
      [hostname(), read(() => readFileSync(bootId, "utf8")), read(() => readlinkSync(namespace))].join("\n"),
    )
    .digest("hex")
    .slice(0, 8);
  return known;
}

const bootId = "/proc/sys/kernel/random/boot_id";
const namespace = "/proc/self/ns/pid";

/** What other systems than Linux do not have is left out. */
function read(look: () => string): string {
  try {
    return look();
  } catch {
    return "";
  }
}
