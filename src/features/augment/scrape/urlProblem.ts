/** Why an address is not sent: it is none, it is not public, or its site is known to turn robots away. */
export interface UrlProblem {
  readonly kind: "invalid" | "private" | "blocked";
  readonly sentence: string;
}

/** Sites that are refused at once (spec E4: social networks and forums are given as examples). */
const blockedSites = new Set([
  "bsky.app",
  "discord.com",
  "facebook.com",
  "instagram.com",
  "linkedin.com",
  "pinterest.com",
  "quora.com",
  "reddit.com",
  "snapchat.com",
  "threads.com",
  "threads.net",
  "tiktok.com",
  "tumblr.com",
  "twitter.com",
  "weibo.com",
  "x.com",
]);
/** Ends of names that are never public. */
const privateEnds =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid)$/;

/**
 * Why a page may not be asked for; undefined for one that may. Nothing is looked up. `allowsThisMachine`: the service
 * runs on this machine itself and reaches its pages.
 */
export function urlProblem(text: string, { allowsThisMachine = false } = {}): UrlProblem | undefined {
  const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  if (!URL.canParse(text)) return { kind: "invalid", sentence: `“${shown}” is no web address.` };
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return { kind: "invalid", sentence: `“${shown}” is neither http nor https.` };
  if (url.username !== "" || url.password !== "") {
    const sentence = `The address at ${url.hostname} holds a user name or a password, which would be sent along. Take it out.`;
    return { kind: "private", sentence };
  }
  const host = url.hostname.replace(/^\[|\]$|\.$/g, "");
  if (isThisMachine(host) && allowsThisMachine) return undefined;
  if (isPrivateHost(host))
    return { kind: "private", sentence: `${host} is not public: the service reads public pages only.` };
  if (isBlocked(host))
    return { kind: "blocked", sentence: `${host} turns robots away, so the service refuses its pages.` };
  return undefined;
}

/** Whether a host is the machine that asks. */
export function isThisMachine(host: string): boolean {
  return /^127\.|^::1$|(^|\.)localhost$/.test(host);
}

function isBlocked(host: string): boolean {
  const labels = host.split(".");
  return labels.some((_, index) => blockedSites.has(labels.slice(index).join(".")));
}

function isPrivateHost(host: string): boolean {
  const four = ipv4Of(host);
  if (four) return isPrivateIpv4(four);
  if (host.includes(":")) return isPrivateIpv6(groupsOf(host));
  return !host.includes(".") || privateEnds.test(host);
}

/** `URL` has written every spelling of an IPv4 address, octal and hexadecimal too, as four numbers. */
function ipv4Of(host: string): readonly number[] | undefined {
  return /^\d+\.\d+\.\d+\.\d+$/.test(host) ? host.split(".").map(Number) : undefined;
}

/** Networks that no route of the public internet leads to (RFC 6890). */
function isPrivateIpv4([a = 0, b = 0, c = 0]: readonly number[]): boolean {
  if ([0, 10, 127].includes(a) || a >= 224) return true;
  if (a === 100) return b >= 64 && b < 128;
  if (a === 169) return b === 254;
  if (a === 172) return b >= 16 && b < 32;
  if (a === 192) return b === 168 || (b === 0 && (c === 0 || c === 2));
  if (a === 198) return b === 18 || b === 19 || (b === 51 && c === 100);
  return a === 203 && b === 0 && c === 113;
}

/** Global addresses are those of 2000::/3; the ones that carry an IPv4 address are as public as that. */
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

/** The eight groups of an address as `URL` writes it: no dotted end, one `::` at most. */
function groupsOf(host: string): readonly number[] {
  const [head = "", tail] = host.split("::");
  const numbers = (part: string) =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  const [before, after] = [numbers(head), numbers(tail ?? "")];
  return [...before, ...Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0), ...after];
}
