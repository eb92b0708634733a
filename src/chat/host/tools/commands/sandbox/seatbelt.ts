import { dirname } from "node:path";
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
    sysctlRule,
    "(allow file-read*)",
    ...rule("deny file-read*", subpaths(hidden)),
    // Other terminals of the user are not written; one that is open already can be asked what it is.
    '(allow file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty"))',
    '(allow file-ioctl (regex #"^/dev/ttys[0-9]+$"))',
    ...writes.flatMap(([word, place]) => rule(`${word} file-write*`, subpaths([place]))),
    // A folder with a place that is only read is neither moved nor removed: rules are about paths.
    ...rule("deny file-write-unlink", literals(unmoved(plan))),
    "(allow pseudo-tty)",
    '(allow file-read* file-write* file-ioctl (literal "/dev/ptmx"))',
    "(allow ipc-posix-sem)",
    "(allow ipc-posix-shm)",
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.notification_center") (global-name "com.apple.logd"))',
    ...(network ? networkRules : []),
  ].join("\n");
}

/** Folders of the plan, and those on the way to what is only read. */
function unmoved({ writable, fixed, readOnly }: SandboxPlan): readonly string[] {
  const above = readOnly.flatMap((place) => {
    const root = writable.find((folder) => place.startsWith(`${folder}/`));
    const folders: string[] = [];
    for (let at = dirname(place); root !== undefined && at.length > root.length; at = dirname(at))
      folders.push(at);
    return folders;
  });
  return [...new Set([...fixed, ...writable, ...above])];
}

/** Facts of the machine. `kern.procargs2` is left out: it tells the environment of other processes, and so a key in it. */
const sysctlRule = `(allow sysctl-read ${[
  ...[
    "hw.",
    "machdep.cpu.",
    "machdep.ptrauth_enabled",
    "vm.",
    "user.",
    "sysctl.",
    "security.mac.lockdown_mode",
  ],
  ...["kern.proc.pid.", "kern.proc.pgrp.", "kern.os", "kern.boot", "kern.num", "kern.max", "kern.sched"],
  ...["kern.argmax", "kern.hostname", "kern.version", "kern.ngroups", "kern.clockrate", "kern.usrstack"],
  ...["kern.stack_size", "kern.secure_kernel", "kern.posix", "kern.ipc.maxsockbuf", "kern.ipc.somaxconn"],
  ...[
    "kern.iossupportversion",
    "kern.wq_",
    "kern.tcsm_",
    "kern.hv_",
    "kern.monotonic",
    "kern.uuid",
    "kern.safeboot",
  ],
]
  .map((name) => `(sysctl-name-prefix "${name}")`)
  .join(" ")})`;

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
