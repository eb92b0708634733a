import { createApi, defaultTimeouts } from "../../../src/api/client.ts";
import { dialects } from "../../../src/api/dialect.ts";
import { table } from "../../../src/api/table.ts";
import type { Transport } from "../../../src/api/transport/transport.ts";
import { sendJson } from "../../loopback/answers.ts";
import { listen } from "../../loopback/server.ts";
import type { KeyPair } from "../../vscode/certificate.ts";

/** What a number of small calls, one after the other, came to. */
export interface TransportSample {
  readonly msPerRequest: number;
  readonly connections: number;
}

/** Calls a TLS server on loopback that has never been called before. The certificate must be one that is trusted. */
export async function measureTransport(
  transport: Transport,
  certificate: KeyPair,
  requests: number,
): Promise<TransportSample> {
  const server = await listen((_, response) => sendJson(response, 200, { data: [] }), { certificate });
  try {
    const api = createApi(table, transport, {
      baseUrl: `https://localhost:${server.port}/api/v1`,
      apiKey: async () => "key",
      dialect: dialects.standard,
      timeouts: defaultTimeouts,
    });
    const startMs = performance.now();
    for (let sent = 0; sent < requests; sent++) await api.models.list({});
    const msPerRequest = (performance.now() - startMs) / requests;
    return { msPerRequest, connections: server.connections };
  } finally {
    await server.close();
  }
}
