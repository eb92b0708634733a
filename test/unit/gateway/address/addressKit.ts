// Windows in this process, at the address that a process of its own has.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { Address } from "../../../../src/gateway/address/window/address.ts";
import { GatewayListener } from "../../../../src/gateway/host/gatewayListener.ts";
import type { GatewayDeps } from "../../../../src/gateway/server/gatewayDeps.ts";
import { SessionBook } from "../../../../src/gateway/server/sessionBook.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { type RawAnswer, sendRaw } from "../gatewayKit.ts";

const script = fileURLToPath(new URL("./startedProcess.ts", import.meta.url));

/** A port that was free a moment ago, or the given one if it is free. Rejects if it is taken. */
export async function freePort(port = 0): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return taken;
}

interface TestWindow {
  readonly name: string;
  readonly version?: string;
  readonly clientOf?: GatewayDeps["clientOf"];
}

export interface TestAddress {
  readonly port: number;
  readonly folder: string;
  /** The window whose gateway has looked for the token of each call. */
  readonly asked: string[];
  readonly reported: unknown[];
  /** The processes that were started, in their order. */
  readonly pids: () => readonly number[];
  open(window: TestWindow): Promise<GatewayListener>;
  /** 401 from a window, which knows no token. */
  call(path?: string, body?: string): Promise<RawAnswer>;
}

const body = JSON.stringify({ model: "echo", messages: [{ role: "user", content: "Say this." }] });

export async function openAddress(
  t: TestContext,
  {
    holdMs = 60_000,
    aloneMs = 60_000,
    path = script,
  }: { readonly holdMs?: number; readonly aloneMs?: number; readonly path?: string } = {},
): Promise<TestAddress> {
  const [folder, port] = [temporaryFolder(), await freePort()];
  const asked: string[] = [];
  const reported: unknown[] = [];
  const pids = () => pidsIn(folder);
  t.after(() => killAll(pids()));
  return {
    port,
    folder,
    asked,
    reported,
    pids,
    async open({ name, version = "1.9.0", clientOf = async () => undefined }) {
      const listener = new GatewayListener(
        {
          clientOf(token) {
            asked.push(name);
            return clientOf(token);
          },
          open: () => Promise.reject(new Error(name)),
          sessions: new SessionBook(Date.now),
          // However slow the machine is, a window that has lost its process soon after it joined waits before it returns.
          now: () => 0,
        },
        (error) => reported.push(error),
        new Address({ script: path, folder, version, holdMs, aloneMs }),
      );
      t.after(() => listener.leave());
      await listener.listen(port);
      return listener;
    },
    call: (path = "/v1/chat/completions", sent = body) =>
      sendRaw({ port, token: `gw-${"a".repeat(43)}` }, { path, body: sent }),
  };
}

export function pidsIn(folder: string): readonly number[] {
  try {
    return readFileSync(join(folder, "pids"), "utf8").trim().split("\n").map(Number);
  } catch {
    return [];
  }
}

export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}
