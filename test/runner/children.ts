import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";

/** With the exit codes that a shell reports. */
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** From now on, each process that this one starts ends with it, also when a signal ends it. */
export function endChildrenWithThisProcess(): void {
  const running = new Set<ChildProcess>();
  subscribe("child_process", (message) => {
    const child = (message as { readonly process: ChildProcess }).process;
    running.add(child);
    child.once("exit", () => running.delete(child));
  });
  process.on("exit", () => {
    for (const child of running) child.kill("SIGKILL");
  });
  for (const [signal, code] of Object.entries(signals)) process.on(signal, () => process.exit(code));
}
