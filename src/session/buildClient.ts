import { apiRoot, type ClientEvent, createApi } from "../api/client.ts";
import { dialectOf } from "../api/dialect.ts";
import { table } from "../api/table.ts";
import { readNetworkSettings, readSettings } from "../platform/settings.ts";
import type { Client, Connection } from "./session.ts";
import { createTransport } from "./transports.ts";

/** The client of a connection, as the settings want it now. */
export async function buildClient(
  connection: Connection,
  baseUrl: string,
  apiKey: () => Promise<string | undefined>,
  observe: (event: ClientEvent) => void,
): Promise<Client> {
  const { transport: choice, timeoutMs } = readSettings();
  const root = apiRoot(baseUrl);
  const transport = await createTransport(choice, readNetworkSettings(), root);
  const dialect = dialectOf(connection.dialect, root);
  const timeouts = { headersMs: timeoutMs, idleMs: timeoutMs };
  const learnsDialect = connection.dialect === "auto";
  const api = createApi(table, transport, {
    baseUrl: root,
    apiKey,
    dialect,
    learnsDialect,
    timeouts,
    observe,
  });
  return { connection, api, root, dialect, transport: transport.name };
}
