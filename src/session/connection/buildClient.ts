import { type Api, apiRoot, type ClientEvent, type ClientOptions, createApi } from "../../api/call/client.ts";
import { dialectOf } from "../../api/dialect/dialect.ts";
import type { PaidCall } from "../../api/money/upperPrice.ts";
import { type Table, table } from "../../api/table.ts";
import { createHostTransport } from "../../api/transport/host.ts";
import type { Transport } from "../../api/transport/transport.ts";
import { type NetworkSettings, readNetworkSettings, readSettings } from "../../platform/settings.ts";
import { ModelNameLists } from "../modelNameLists.ts";
import type { Client } from "../session.ts";
import { createListing, type Prices, relistMs } from "../spend/spendEntry.ts";
import { bypasses } from "./baseUrl.ts";
import type { Connection } from "./connection.ts";

/** Callbacks of a client: its events, and the check before it spends money. */
export interface ClientHooks {
  readonly observe: (event: ClientEvent, prices: Prices) => void;
  readonly admit: (
    call: PaidCall,
    prices: Prices,
    signal: AbortSignal | undefined,
  ) => Promise<string | undefined>;
  readonly admitAgain: (call: PaidCall, hold: string) => Promise<void>;
  readonly isRecorded: () => boolean;
}

/** Builds the client of a connection from the current settings. */
export async function buildClient(
  connection: Connection,
  baseUrl: string,
  credentials: Pick<ClientOptions, "apiKey" | "walletSignIn">,
  hooks: ClientHooks,
): Promise<Client> {
  const { transport: choice, timeoutMs } = readSettings();
  const root = apiRoot(baseUrl);
  const transport = await createTransport(choice, readNetworkSettings(), root);
  let dialect = dialectOf(connection.dialect, root);
  const timeouts = { headersMs: timeoutMs, idleMs: timeoutMs };
  const learnsDialect = connection.dialect === "auto";
  const prices: Prices = {
    get usdPerCredit() {
      return dialect.usdPerCredit;
    },
    // The sandbox's list costs little, and grows when a server on this machine is started.
    models: createListing(
      async () => (await api.models.list({ type: "all" })).data,
      connection.kind === "sandbox" ? 0 : relistMs,
      Date.now,
      () => names.get(),
    ),
    names: () => names.get(),
  };
  const names = new ModelNameLists(() => api.models);
  const api: Api<Table> = createApi(table, transport, {
    baseUrl: root,
    ...credentials,
    dialect,
    learnsDialect,
    timeouts,
    observe(event) {
      if (event.type === "dialect") dialect = event.dialect;
      hooks.observe(event, prices);
    },
    admit: (call, signal) => hooks.admit(call, prices, signal),
    admitAgain: hooks.admitAgain,
    isRecorded: hooks.isRecorded,
  });
  return {
    connection,
    api,
    root,
    get dialect() {
      return dialect;
    },
    transport: transport.name,
    prices,
  };
}

/** The transport for one service, as the settings choose it. */
async function createTransport(
  choice: Transport["name"],
  network: NetworkSettings,
  baseUrl: string,
): Promise<Transport> {
  if (choice === "host") return createHostTransport();
  // A separate bundle, loaded only if it is chosen.
  const { createUndiciTransport } = await import("../../api/transport/undici.ts");
  const proxied =
    network.proxy !== "" && network.proxySupport !== "off" && !bypasses(network.noProxy, baseUrl);
  return createUndiciTransport({
    systemCertificates: network.systemCertificates,
    ...(proxied ? { proxyUrl: network.proxy } : {}),
    // As the editor does: the setting first, then the environment.
    ...(network.proxy === "" && network.proxySupport !== "off" ? { environment: process.env } : {}),
  });
}
