import { createHostTransport } from "../api/transport/host.ts";
import type { Transport } from "../api/transport/transport.ts";
import type { NetworkSettings } from "../platform/settings.ts";
import { isLoopback } from "./baseUrl.ts";

/** The transport that the settings ask for, towards one service. */
export async function createTransport(
  choice: Transport["name"],
  network: NetworkSettings,
  baseUrl: string,
): Promise<Transport> {
  if (choice === "host") return createHostTransport();
  // A bundle of its own, loaded only by those who ask for it.
  const { createUndiciTransport } = await import("../api/transport/undici.ts");
  const proxied =
    network.proxy !== "" && network.proxySupport !== "off" && !bypasses(network.noProxy, baseUrl);
  return createUndiciTransport({
    systemCertificates: network.systemCertificates,
    ...(proxied ? { proxyUrl: network.proxy } : {}),
  });
}

/** Whether `http.noProxy` or the address itself says to go without a proxy. */
export function bypasses(noProxy: readonly string[], url: string): boolean {
  if (isLoopback(url)) return true;
  const { hostname, host } = new URL(url);
  return noProxy.some((entry) => {
    const name = entry.trim().toLowerCase().replace(/^\*/, "");
    if (name === "" || entry.trim() === "*") return entry.trim() === "*";
    return name.startsWith(".") ? hostname.endsWith(name) : hostname === name || host === name;
  });
}
