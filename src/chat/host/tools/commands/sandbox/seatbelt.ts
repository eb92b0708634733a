import type { SandboxPlan } from "./sandboxPlan.ts";

export const seatbeltPlace = "/usr/bin/sandbox-exec";

/**
 * The words before a command that runs in the sandbox of macOS. What the profile does not name is refused: writing elsewhere,
 * the network, other processes, and services by which other programs could be made to run something.
 */
export function seatbeltWords(plan: SandboxPlan): readonly [string, ...string[]] {
  const { folder, unset, set, temporary } = plan;
  return [
    seatbeltPlace,
    ...["-p", seatbeltProfile(plan), "/usr/bin/env"],
    ...unset.flatMap((name) => ["-u", name]),
    ...Object.entries({ ...set, TMPDIR: `${temporary}/` }).map(([name, value]) => `${name}=${value}`),
    ...["/bin/sh", "-c", 'cd "$0" && exec "$@"', folder],
  ];
}

/** The last rule that fits decides. */
export function seatbeltProfile(plan: SandboxPlan): string {
  const { writable, readOnly, fixed, hidden, temporary, network } = plan;
  const subpaths = (places: readonly string[]) =>
    places.map((place) => `(subpath ${quoted(place)})`).join(" ");
  const literals = (places: readonly string[]) =>
    places.map((place) => `(literal ${quoted(place)})`).join(" ");
  const rule = (words: string, places: string) => (places === "" ? [] : [`(${words} ${places})`]);
  // What is inside another place comes after it.
  const writes = [
    ...[...writable, ...fixed, temporary].map((place) => ["allow", place] as const),
    ...readOnly.map((place) => ["deny", place] as const),
  ].toSorted(([, one], [, other]) => one.length - other.length);
  return [
    "(version 1)",
    "(deny default)",
    "(allow process-exec)",
    "(allow process-fork)",
    "(allow signal (target same-sandbox))",
    "(allow process-info* (target same-sandbox))",
    "(allow sysctl-read)",
    "(allow file-read*)",
    ...rule("deny file-read*", subpaths(hidden)),
    '(allow file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (regex #"^/dev/ttys[0-9]+$"))',
    ...writes.flatMap(([word, place]) => rule(`${word} file-write*`, subpaths([place]))),
    // A folder with a place that is only read is neither moved nor removed.
    ...rule("deny file-write-unlink", literals([...fixed, ...writable])),
    "(allow pseudo-tty)",
    '(allow file-read* file-write* file-ioctl (literal "/dev/ptmx"))',
    "(allow ipc-posix-sem)",
    "(allow ipc-posix-shm)",
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.notification_center") (global-name "com.apple.logd"))',
    ...(network ? networkRules : []),
  ].join("\n");
}

const networkRules = [
  "(allow system-socket)",
  '(allow network-outbound (remote ip "*:*"))',
  '(allow network-inbound (local ip "*:*"))',
  '(allow network-bind (local ip "*:*"))',
  '(allow network-outbound (literal "/private/var/run/mDNSResponder"))',
  '(allow mach-lookup (global-name "com.apple.SystemConfiguration.configd") (global-name "com.apple.SystemConfiguration.DNSConfiguration") (global-name "com.apple.trustd.agent") (global-name "com.apple.trustd") (global-name "com.apple.dnssd.service"))',
];

/** A text of the profile language. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, (character) => `\\${character}`)}"`;
}
