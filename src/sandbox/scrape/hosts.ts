import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

/** Top-level names of private hosts. */
const privateNames = [".local", ".internal", ".lan", ".home.arpa"];

const loopback = listOf(["127.0.0.0/8", "::1/128"]);
const notPublic = listOf([
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"],
  ...["198.18.0.0/15", "224.0.0.0/3", "::/128", "fc00::/7", "fe80::/10", "ff00::/8"],
]);

/**
 * True for a host in a private network. Loopback counts as public, because the sandbox itself runs there and is
 * tested with pages there.
 */
export async function resolvesToPrivateHost(hostname: string): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host)) return isPrivateAddress(host);
  if (host === "localhost" || host.endsWith(".localhost")) return false;
  if (!host.includes(".") || privateNames.some((suffix) => host.endsWith(suffix))) return true;
  // A proxy may resolve a name that DNS here does not. The request reports the error.
  const addresses = await lookup(host, { all: true }).catch(() => []);
  return addresses.some(({ address }) => isPrivateAddress(address));
}

function isPrivateAddress(address: string): boolean {
  return !contains(loopback, address) && contains(notPublic, address);
}

function contains(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

function listOf(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = "", prefix = ""] = subnet.split("/");
    list.addSubnet(address, Number(prefix), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return list;
}
