import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import type { HostEvent } from "../host/protocol.ts";

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
  /** Resolves once the run told its end; one that breaks off or outlasts `timeoutMs` fails, with VS Code's `output`. */
  result(timeoutMs: number, output: () => string): Promise<HostResult>;
  close(): void;
}

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
    async result(timeoutMs, output) {
      const given = new AbortController();
      const late = wait(timeoutMs, undefined, { signal: given.signal }).then(() => {
        throw new Error(`no end within ${timeoutMs / 1000} s`);
      });
      late.catch(() => {}); // aborted once the end came
      try {
        await Promise.race([ended, late]);
      } catch (error) {
        failed.push({
          title: `run in the extension host, after "${last}" had started`,
          stack: String(error),
        });
      } finally {
        given.abort();
      }
      if (passed.length + failed.length === 0)
        failed.push({ title: "run", stack: `not one test was run\n${output()}` });
      return { passed, failed, values };
    },
    close: () => void server.close(),
  };
}
