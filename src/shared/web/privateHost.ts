/** Suffixes of names that are never public. */
const privateEnds =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid)$/;

/** True if a host is this machine. A name that begins with 127 may be public. */
export function isThisMachine(host: string): boolean {
  return ipv4Of(host)?.[0] === 127 || host === "::1" || /(^|\.)localhost$/.test(host);
}

/** True if a host, as `URL` writes it without brackets, is not on the public internet. No DNS lookup. */
export function isPrivateHost(host: string): boolean {
  const four = ipv4Of(host);
  if (four) return isPrivateIpv4(four);
  if (host.includes(":")) return isPrivateIpv6(groupsOf(host));
  return !host.includes(".") || privateEnds.test(host);
}

/** `URL` has already normalized octal and hexadecimal IPv4 addresses. */
function ipv4Of(host: string): readonly number[] | undefined {
  return /^\d+\.\d+\.\d+\.\d+$/.test(host) ? host.split(".").map(Number) : undefined;
}

/** Networks that are not routed on the public internet (RFC 6890). */
function isPrivateIpv4([a = 0, b = 0, c = 0]: readonly number[]): boolean {
  if ([0, 10, 127].includes(a) || a >= 224) return true;
  if (a === 100) return b >= 64 && b < 128;
  if (a === 169) return b === 254;
  if (a === 172) return b >= 16 && b < 32;
  if (a === 192) return b === 168 || (b === 0 && (c === 0 || c === 2));
  if (a === 198) return b === 18 || b === 19 || (b === 51 && c === 100);
  return a === 203 && b === 0 && c === 113;
}

/** Global addresses are in 2000::/3. An address with an embedded IPv4 address is as public as that. */
function isPrivateIpv6(groups: readonly number[]): boolean {
  const [first = 0, second = 0] = groups;
  const carried = carriedIpv4(groups);
  if (carried) return isPrivateIpv4(carried);
  if (first === 0x2001 && second === 0xdb8) return true;
  return first < 0x2000 || first > 0x3fff;
}

/** IPv4 in IPv6: ::ffff:0:0/96 (mapped), 64:ff9b::/96 (NAT64), 2002::/16 (6to4). */
function carriedIpv4(groups: readonly number[]): readonly number[] | undefined {
  const bytes = (high = 0, low = 0) => [high >> 8, high & 255, low >> 8, low & 255];
  const starts = (...wanted: readonly number[]) => wanted.every((group, index) => groups[index] === group);
  if (starts(0, 0, 0, 0, 0, 0xffff) || starts(0x64, 0xff9b, 0, 0, 0, 0)) return bytes(groups[6], groups[7]);
  return starts(0x2002) ? bytes(groups[1], groups[2]) : undefined;
}

/** The eight groups of an address as `URL` writes it: no dotted suffix, at most one `::`. */
function groupsOf(host: string): readonly number[] {
  const [head = "", tail] = host.split("::");
  const numbers = (part: string) =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  const [before, after] = [numbers(head), numbers(tail ?? "")];
  return [...before, ...Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0), ...after];
}
