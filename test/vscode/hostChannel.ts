import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import type { HostEvent } from "../host/protocol.ts";
import type { RunningHost } from "./hostServer.ts";

/** What came back from a run in an extension host. */
export interface HostResult {
  readonly passed: readonly { readonly title: string; readonly ms: number }[];
  readonly failed: readonly { readonly title: string; readonly stack: string }[];
  /** What tests measured and told by name. */
  readonly values: ReadonlyMap<string, unknown>;
}

/** The loopback end that a run in an extension host reports to. */
export interface HostChannel {
  readonly port: number;
  /** Resolves once the run told its end; one that breaks off or outlasts `timeoutMs` fails, with what VS Code said. */
  result(host: RunningHost, timeoutMs: number): Promise<HostResult>;
  close(): void;
}

const graceMs = 2_000;

/** Listens for one run; `onEvent` sees each event as it comes. */
export async function openHostChannel(onEvent: (event: HostEvent) => void): Promise<HostChannel> {
  const passed: { title: string; ms: number }[] = [];
  const failed: { title: string; stack: string }[] = [];
  const values = new Map<string, unknown>();
  let last = "no test";
  const take = (event: HostEvent) => {
    onEvent(event);
    if (event.type === "start") last = event.title;
    if (event.type === "pass") passed.push(event);
    if (event.type === "fail") failed.push(event);
    if (event.type === "value") values.set(event.name, event.value);
  };
  const server = createServer();
  const ended = new Promise<void>((resolve, reject) => {
    server.on("connection", (socket) => {
      const lines = createInterface({ input: socket });
      lines.on("line", (line) => {
        const event = JSON.parse(line) as HostEvent;
        take(event);
        if (event.type === "end") resolve();
      });
      // A process that breaks off: its socket ends, or is reset, without the word "end".
      socket.once("error", () => {});
      lines.once("close", () => reject(new Error("the extension host broke off")));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ended.catch(() => {}); // told to who asks for the result
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
      return { passed, failed, values };
    },
    close: () => void server.close(),
  };
}

/** Waits for the run's end; rejects if VS Code is gone or the time is up before. */
async function endOf(ended: Promise<void>, host: RunningHost, timeoutMs: number): Promise<void> {
  const known = new AbortController();
  const { signal } = known;
  const late = wait(timeoutMs, undefined, { signal }).then(() => {
    throw new Error(`no end within ${timeoutMs / 1000} s`);
  });
  const left = host.ended
    .then(() => wait(graceMs, undefined, { signal })) // its last words may still be under way
    .then(() => {
      throw new Error("VS Code ended before its tests did");
    });
  for (const lost of [late, left]) lost.catch(() => {}); // the others are stopped once one has won
  try {
    await Promise.race([ended, late, left]);
  } finally {
    known.abort();
  }
}
