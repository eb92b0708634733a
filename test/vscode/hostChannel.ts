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

/** The loopback server that a run in an extension host reports to. */
export interface HostChannel {
  readonly port: number;
  /** Resolves once the run has reported its end. Rejects with VS Code's output if it breaks off or exceeds `timeoutMs`. */
  result(host: RunningHost, timeoutMs: number): Promise<HostResult>;
  close(): void;
}

const graceMs = 2_000;

/** Listens for one run; `onEvent` gets each event as it arrives. */
export async function openHostChannel(onEvent: (event: HostEvent) => void): Promise<HostChannel> {
  const passed: { title: string; ms: number }[] = [];
  const failed: { title: string; stack: string }[] = [];
  const durations = new Map<string, number>();
  const values = new Map<string, unknown>();
  let last = "no test";
  const handle = (event: HostEvent) => {
    onEvent(event);
    if (event.type === "start") last = event.title;
    if (event.type === "pass") passed.push(event);
    if (event.type === "fail") failed.push(event);
    if (event.type === "file") durations.set(event.file, (durations.get(event.file) ?? 0) + event.ms); // of several suites
    if (event.type === "value") values.set(event.name, event.value);
  };
  const server = createServer();
  const ended = new Promise<void>((resolve, reject) => {
    server.on("connection", (socket) => {
      const lines = createInterface({ input: socket });
      lines.on("line", (line) => {
        const event = JSON.parse(line) as HostEvent;
        handle(event);
        if (event.type === "end") resolve();
      });
      // A process that crashes closes or resets its socket without the event "end".
      socket.once("error", () => {});
      lines.once("close", () => reject(new Error("the extension host broke off")));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ended.catch(() => {}); // awaited by the caller of result
  return {
    port: (server.address() as AddressInfo).port,
    async result(host, timeoutMs) {
      const fail = (title: string, stack: string) =>
        failed.push({ title, stack: `${stack}\n${host.output()}` });
      try {
        await endOf(ended, host, timeoutMs);
      } catch (error) {
        fail(`run in the extension host, after "${last}" had started`, String(error));
      }
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
