import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A unique name for a writer of logs: machine, process and a random part. */
export function newWriterName(): string {
  return [machine(), process.pid.toString(36), randomBytes(4).toString("hex")].join(".");
}

/** True if the process of this writer is known to have ended. False for other machines and older names. */
export function hasEnded(writer: string): boolean {
  const [where, pid = "", rest] = writer.split(".");
  if (rest === undefined || where !== machine()) return false;
  try {
    process.kill(Number.parseInt(pid, 36), 0);
    return false;
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

let cachedMachine: string | undefined;

/** Identifies the process namespace: containers number their own processes, and a reboot starts again. */
function machine(): string {
  cachedMachine ??= createHash("sha256")
    .update(
      [hostname(), read(() => readFileSync(bootId, "utf8")), read(() => readlinkSync(namespace))].join("\n"),
    )
    .digest("hex")
    .slice(0, 8);
  return cachedMachine;
}

const bootId = "/proc/sys/kernel/random/boot_id";
const namespace = "/proc/self/ns/pid";

/** Values that only Linux has are omitted on other systems. */
function read(source: () => string): string {
  try {
    return source();
  } catch {
    return "";
  }
}
