import { apiRoot, createApi, defaultTimeouts } from "../../api/call/client.ts";
import { dialectOf } from "../../api/dialect/dialect.ts";
import { rpc } from "../../api/endpoints/rpc.ts";
import type { RpcApi } from "../run/senders.ts";

/**
 * The client of the service, as a bundle of its own: the command loads it only for cells that need the service. A run
 * before a node on this machine starts a fifth faster without it.
 */
export async function createServiceApi(baseUrl: string, apiKey: string): Promise<RpcApi> {
  const { createUndiciTransport } = await import("../../api/transport/undici.ts");
  const root = apiRoot(baseUrl);
  return createApi({ rpc }, createUndiciTransport({ environment: process.env }), {
    baseUrl: root,
    apiKey: async () => apiKey,
    dialect: dialectOf("auto", root),
    learnsDialect: true,
    timeouts: defaultTimeouts,
  });
}
