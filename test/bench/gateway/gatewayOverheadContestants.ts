// Contestants of the benchmark `gateway-overhead`: the same client, through the gateway in its process and without it.
import { createApi, defaultTimeouts } from "../../../src/api/call/client.ts";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import { table } from "../../../src/api/table.ts";
import { createHostTransport } from "../../../src/api/transport/host.ts";
import { startGateway } from "../../../src/gateway/server/gatewayServer.ts";
import { SessionBook } from "../../../src/gateway/server/sessionBook.ts";
import type { Prepare } from "../interleave.ts";
import { type Asked, askBare } from "../pacedClient.ts";

const token = `gw-${"a".repeat(43)}`;

export const gateway: Prepare<string, Asked> = async (origin) => {
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
  const { port } = await startGateway(0, {
    clientOf: async () => ({ id: "one", name: "One", isPrivateOnly: false, sessionCapUsd: undefined }),
    open: async () => ({ ...service, longestAnswer: async () => undefined }),
    sessions: new SessionBook(Date.now),
    now: Date.now,
  });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return (asked) => {
    const messages = [{ role: "user", content: asked }];
    const body = JSON.stringify({ model: "long", stream: true, messages });
    return askBare(`http://127.0.0.1:${port}/v1/chat/completions`, body, headers);
  };
};

export const bare: Prepare<string, Asked> = (origin) => (asked) =>
  askBare(`${origin}/api/v1/chat/completions`, asked);
