import { BlockList, isIP } from "node:net";

/** True if a URL's host is an IP address in a range such as 10.0.0.0/8 or fd00::/8, or is this single IP address. */
export function isInRange(hostname: string, range: string): boolean {
  const address = withoutBrackets(hostname);
  const [from = "", bits] = range.split("/", 2);
  const first = withoutBrackets(from);
  const version = isIP(first);
  if (version === 0 || version !== isIP(address)) return false;
  const maxBits = version === 4 ? 32 : 128;
  const length = bits === undefined ? maxBits : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  if (!(length <= maxBits)) return false;
  const family = version === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(first, length, family);
  return list.check(address, family);
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}
