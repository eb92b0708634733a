import { isInRange } from "./addressRange.ts";

/** Where the names of proxies are, as curl, Go and Node read them. Lower case takes precedence. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * The HTTP proxy that the environment names for an address: HTTPS_PROXY or HTTP_PROXY, unless NO_PROXY lists the host.
 * Undefined for this machine, and for a proxy that is not an http or https address.
 */
export function environmentProxy(url: string, environment: ProxyEnvironment): string | undefined {
  const { protocol, hostname, port } = new URL(url);
  const read = (name: string) => (environment[name.toLowerCase()] ?? environment[name] ?? "").trim();
  if (isThisMachine(hostname) || isListed(read("NO_PROXY"), hostname, port || defaultPorts[protocol]))
    return undefined;
  return proxyAddress(read(protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY") || read("ALL_PROXY"));
}

const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\./.test(hostname);
}

/** A name stands for its subdomains, too, with a leading dot or asterisk or without; 10.0.0.0/8 for its addresses. */
function isListed(list: string, hostname: string, port: string | undefined): boolean {
  return list.split(/[,\s]+/).some((entry) => {
    if (entry === "*" || isInRange(hostname, entry)) return true;
    const [, name = "", ofPort] = /^\*?\.?(.+?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (name === "" || (ofPort !== undefined && ofPort !== port)) return false;
    return hostname === name || hostname.endsWith(`.${name}`);
  });
}

/** `host:port` is an http address. */
function proxyAddress(text: string): string | undefined {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (text === "" || !URL.canParse(address)) return undefined;
  return /^https?:$/.test(new URL(address).protocol) ? address : undefined;
}
