import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import type { HostEvent } from "../host/protocol.ts";
import type { RunningHost } from "./hostServer.ts";

/** The result of a run in an extension host. */
export interface HostResult {
  readonly passed: readonly { readonly title: string; readonly ms: number }[];
  readonly failed: readonly { readonly title: string; readonly stack: string }[];
  /** Milliseconds of each test file. */
  readonly durations: ReadonlyMap<string, number>;
  /** Measured values by name. */
  readonly values: ReadonlyMap<string, unknown>;
}

/** The loopback server that the runs in extension hosts report to, one after the other. */
export interface HostChannel {
  readonly port: number;
  /**
   * Resolves once the next run has reported its end. Rejects with VS Code's output if it breaks off or exceeds
   * `timeoutMs`.
   */
  result(host: RunningHost, timeoutMs: number): Promise<HostResult>;
  close(): void;
}

const graceMs = 2_000;

/** What one run has reported. */
class HostRun {
  readonly passed: { title: string; ms: number }[] = [];
  readonly failed: { title: string; stack: string }[] = [];
  readonly durations = new Map<string, number>();
  readonly values = new Map<string, unknown>();
  last = "no test";
  readonly #end = Promise.withResolvers<void>();
  readonly ended = this.#end.promise;

  constructor() {
    this.ended.catch(() => {}); // awaited by the caller of result
  }

  read(event: HostEvent): void {
    if (event.type === "start") this.last = event.title;
    if (event.type === "pass") this.passed.push(event);
    if (event.type === "fail") this.failed.push(event);
    if (event.type === "file")
      this.durations.set(event.file, (this.durations.get(event.file) ?? 0) + event.ms); // of several suites
    if (event.type === "value") this.values.set(event.name, event.value);
    if (event.type === "end") this.#end.resolve();
  }

  /** Its connection is closed. */
  close(): void {
    this.#end.reject(new Error("the extension host broke off"));
  }
}

/** Listens for runs; `onEvent` gets each event as it arrives. */
export async function openHostChannel(onEvent: (event: HostEvent) => void): Promise<HostChannel> {
  let next = new HostRun();
  const server = createServer((socket) => {
    const run = next;
    const lines = createInterface({ input: socket });
    lines.on("line", (line) => {
      const event = JSON.parse(line) as HostEvent;
      onEvent(event);
      run.read(event);
    });
    // A process that crashes closes or resets its socket without the event "end".
    socket.once("error", () => {});
    lines.once("close", () => run.close());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async result(host, timeoutMs) {
      const run = next;
      const fail = (title: string, stack: string) =>
        run.failed.push({ title, stack: `${stack}\n${host.output()}` });
      try {
        await endOf(run.ended, host, timeoutMs);
      } catch (error) {
        fail(`run in the extension host, after "${run.last}" had started`, String(error));
      }
      next = new HostRun();
      const { passed, failed, durations, values } = run;
      if (passed.length + failed.length === 0) fail("run in the extension host", "not one test was run");
      return { passed, failed, durations, values };
    },
    close: () => void server.close(),
  };
}

/** Waits for the end of the run. Rejects if VS Code exits or the timeout passes first. */
async function endOf(ended: Promise<void>, host: RunningHost, timeoutMs: number): Promise<void> {
  const known = new AbortController();
  const { signal } = known;
  const late = wait(timeoutMs, undefined, { signal }).then(() => {
    throw new Error(`no end within ${timeoutMs / 1000} s`);
  });
  const left = host.ended
    .then(() => wait(graceMs, undefined, { signal })) // its last events may still be in transit
    .then(() => {
      throw new Error("VS Code ended before its tests did");
    });
  for (const lost of [late, left]) lost.catch(() => {}); // the losers are aborted once one has won
  try {
    await Promise.race([ended, late, left]);
  } finally {
    known.abort();
  }
}
