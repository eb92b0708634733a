import { createApi, defaultTimeouts } from "../../../../src/api/call/client.ts";
import { dialects } from "../../../../src/api/dialect/dialect.ts";
import { table } from "../../../../src/api/table.ts";
import type { Transport } from "../../../../src/api/transport/transport.ts";
import { sendJson } from "../../../loopback/answers.ts";
import { listen } from "../../../loopback/server.ts";
import type { KeyPair } from "../../../vscode/certificate.ts";

/** Environment variable of the extension host: `host` or `undici`. */
export const testedTransport = "INFERENCE_TEST_TRANSPORT";

/** Small calls, one after the other. */
export interface TransportSample {
  readonly msPerRequest: number;
  readonly connections: number;
}

/** Calls a new TLS server on loopback. The certificate must be trusted. */
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
