import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { isBelow } from "../../../../../platform/files/bounded/placeInside.ts";
import type { SandboxPlan } from "./sandboxPlan.ts";
import { isFolder, type PlannedFolder } from "./shownFolders.ts";

/** Where bubblewrap is: not in the search path, which may name folders of the workspace. */
export const bubblewrapPlaces = ["/usr/bin/bwrap", "/bin/bwrap", "/run/current-system/sw/bin/bwrap"];

/** It makes no name spaces, in which it could have capabilities. Versions before 0.8 don't know it. */
export const noNameSpaces = "--disable-userns";

/** Files of `/run` that name servers are looked up with, and on NixOS the programs. */
const keptInRun = [
  "/run/systemd/resolve/stub-resolv.conf",
  "/run/systemd/resolve/resolv.conf",
  "/run/resolvconf/resolv.conf",
  "/run/NetworkManager/resolv.conf",
  "/run/NetworkManager/no-stub-resolv.conf",
  "/run/current-system",
];

/**
 * The words before a command that runs in a sandbox. All files are read-only but those of the plan; `/tmp` is that of the
 * plan; `/run` and all sockets of other programs are covered; processes, the network and shared memory are its own. It has no
 * capabilities, and gets none by setuid programs. A session of its own can't type into the terminal.
 */
export function bubblewrapWords(
  program: readonly [string, ...string[]],
  plan: SandboxPlan,
  sockets = readFileSync("/proc/net/unix", "utf8"),
): readonly [string, ...string[]] {
  const { writable, readOnly, fixed, shown, hidden, temporary, folder, network, unset, set } = plan;
  const twice = (option: string, places: readonly string[]) =>
    places.map((place) => [option, place, place] as const);
  // What is inside another place comes after it.
  const binds = [...twice("--bind", [...writable, ...fixed]), ...twice("--ro-bind", readOnly)].toSorted(
    ([, one], [, other]) => one.length - other.length,
  );
  return [
    ...program,
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts"],
    ...(network ? [] : ["--unshare-net"]),
    ...["--unshare-cgroup-try", "--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...["--tmpfs", "/run", ...twice("--ro-bind-try", keptInRun).flat()],
    ...["--bind", temporary, "/tmp"],
    ...(isFolder("/var/tmp") ? ["--bind", temporary, "/var/tmp"] : []),
    // A link is covered where it leads.
    ...hidden.filter(isFolder).flatMap((place) => ["--tmpfs", place]),
    ...binds.flat(),
    ...shown.flatMap(({ from, at, caches }) => [
      ...["--ro-bind", from, at],
      ...caches.flatMap((name) => ["--tmpfs", join(at, name)]),
    ]),
    ...socketPaths(sockets, writable, shown).flatMap((place) => ["--ro-bind", "/dev/null", place]),
    ...unset.flatMap((name) => ["--unsetenv", name]),
    ...Object.entries(set).flatMap(([name, value]) => ["--setenv", name, value]),
    ...["--chdir", folder, "--"],
    ...(shown.length === 0 ? [] : checkedWords(shown)),
  ];
}

/** Refuses to run a command that would see another folder than the one that was looked at. */
const check =
  'while [ "$1" != -- ]; do if [ "$(command -p stat -c %d:%i "$1")" != "$2" ]; then echo "$1 was replaced, so the command was not run: try again." >&2; exit 126; fi; shift 2; done; shift; exec "$@"';

function checkedWords(shown: readonly PlannedFolder[]): readonly string[] {
  return ["/bin/sh", "-c", check, "sh", ...shown.flatMap(({ at, id }) => [at, id]), "--"];
}

/** Folders whose contents the sandbox does not show. */
const covered = ["/run/", "/tmp/", "/var/tmp/", "/dev/", "/proc/"];

/** The sockets of other programs that listen now, and could be reached by their paths. */
function socketPaths(
  text: string,
  own: readonly string[],
  shown: readonly PlannedFolder[],
): readonly string[] {
  const paths = text.split("\n").flatMap((line) => {
    const path = /^\S+ \S+ \S+ \S+ \S+ \S+ +\d+ (\/.+)$/.exec(line)?.[1];
    return path === undefined ? [] : realSocket(path);
  });
  const isOwn = (path: string) => own.some((place) => path.startsWith(`${place}/`));
  const there = [...new Set(paths)];
  return [
    ...there.filter((path) => isOwn(path) || !covered.some((one) => path.startsWith(one))),
    ...shown.flatMap((folder) => there.flatMap((path) => shownAt(folder, path))),
  ];
}

/** Where a shown folder has a socket; none if it does not have it, or it is in one of its caches, which are empty. */
function shownAt({ from, at, caches }: PlannedFolder, path: string): readonly string[] {
  const place = relative(from, path);
  return isBelow(place) && !caches.some((name) => place.startsWith(`${name}/`)) ? [join(at, place)] : [];
}

/** The path of a socket behind the links to its folder; none if it is gone. */
function realSocket(path: string): readonly string[] {
  try {
    const real = join(realpathSync(dirname(path)), path.slice(dirname(path).length));
    return isAbsolute(real) && lstatSync(real).isSocket() ? [real] : [];
  } catch {
    return [];
  }
}
