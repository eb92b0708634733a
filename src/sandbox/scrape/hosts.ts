import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

/** Sites that turn robots away: social networks and forums (spec E4). Their subdomains too. */
const blockedSites = [
  "discord.com",
  "facebook.com",
  "instagram.com",
  "linkedin.com",
  "pinterest.com",
  "quora.com",
  "reddit.com",
  "snapchat.com",
  "threads.net",
  "tiktok.com",
  "twitter.com",
  "x.com",
];

/** Names that public addresses do not have. */
const privateNames = [".local", ".internal", ".lan", ".home.arpa"];

const loopback = listOf(["127.0.0.0/8", "::1/128"]);
const notPublic = listOf([
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"],
  ...["198.18.0.0/15", "224.0.0.0/3", "::/128", "fc00::/7", "fe80::/10", "ff00::/8"],
]);

/** Whether a site is one of those that are refused at once. */
export function isBlockedSite(host: string): boolean {
  return blockedSites.some((site) => host === site || host.endsWith(`.${site}`));
}

/**
 * Whether a host lies in a network that is not public. The sandbox itself runs on the loopback address and is tried
 * out with pages there, so loopback counts as public.
 */
export async function resolvesToPrivateHost(hostname: string): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host)) return isPrivateAddress(host);
  if (host === "localhost" || host.endsWith(".localhost")) return false;
  if (!host.includes(".") || privateNames.some((suffix) => host.endsWith(suffix))) return true;
  // A name that can't be looked up here may still be known to a proxy; the request itself will tell.
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
