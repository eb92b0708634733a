// Contestants of the benchmark `gateway-overhead`: the same client, through the gateway in its process, through the process
// at the port before it, and without either.
import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createApi, defaultTimeouts } from "../../../src/api/call/client.ts";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import { table } from "../../../src/api/table.ts";
import { createHostTransport } from "../../../src/api/transport/host.ts";
import { Address } from "../../../src/gateway/address/window/address.ts";
import { GatewayListener } from "../../../src/gateway/host/gatewayListener.ts";
import { SessionBook } from "../../../src/gateway/server/sessionBook.ts";
import type { Prepare } from "../interleave.ts";
import { type Asked, askBare } from "../pacedClient.ts";

const token = `gw-${"a".repeat(43)}`;
const script = fileURLToPath(new URL("../../../src/gateway/address/process/main.ts", import.meta.url));

function openAddress(): Address {
  const folder = mkdtempSync(join(tmpdir(), "gateway-overhead-"));
  // The process ends soon after the contestant.
  return new Address({ script, folder, version: "1.0.0", holdMs: 30_000, aloneMs: 1_000 });
}

const through =
  (hasProcess: boolean): Prepare<string, Asked> =>
  async (origin) => {
    const api = createApi(table, createHostTransport(), {
      baseUrl: `${origin}/api/v1`,
      apiKey: async () => "key",
      dialect: dialects.standard,
      timeouts: defaultTimeouts,
    });
    const service = {
      api,
      name: "One",
      cacheKey: "key",
      isPrivate: async () => true,
      cachesPrompts: async () => false,
    };
    const deps = {
      clientOf: async () => ({ id: "one", name: "One", isPrivateOnly: false, sessionCapUsd: undefined }),
      open: async () => ({ ...service, longestAnswer: async () => undefined }),
      sessions: new SessionBook(Date.now),
      now: Date.now,
    };
    const report = (error: unknown) => console.error(error);
    const port = await freePort();
    const listener = new GatewayListener(deps, report, hasProcess ? openAddress() : undefined);
    await listener.listen(port);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    return (asked) => {
      const messages = [{ role: "user", content: asked }];
      const body = JSON.stringify({ model: "long", stream: true, messages });
      return askBare(`http://127.0.0.1:${port}/v1/chat/completions`, body, headers);
    };
  };

export const gateway = through(false);
export const address = through(true);

export const bare: Prepare<string, Asked> = (origin) => (asked) =>
  askBare(`${origin}/api/v1/chat/completions`, asked);

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
