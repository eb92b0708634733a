// The profile for macOS: its text, which only that system can try.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SandboxPlan } from "../../../../../../../src/chat/host/tools/commands/sandbox/sandboxPlan.ts";
import {
  seatbeltProfile,
  seatbeltWords,
} from "../../../../../../../src/chat/host/tools/commands/sandbox/seatbelt.ts";

const plan: SandboxPlan = {
  network: false,
  repository: true,
  writable: ['/work/a "b\\c'],
  readOnly: ["/work/a/.git/hooks"],
  fixed: ["/work/a/.git"],
  shown: [],
  hidden: ["/storage/mcp"],
  temporary: "/private/tmp/own",
  folder: "/work/a",
  unset: ["KEY"],
  set: { XDG_CACHE_HOME: "/private/tmp/own/.cache" },
};

test("all is refused but what the plan allows, in an order in which the last rule decides", () => {
  const rules = seatbeltProfile(plan).split("\n");
  assert.deepEqual(rules.slice(0, 2), ["(version 1)", "(deny default)"]);
  const writes = rules.filter((rule) => rule.includes("file-write*") && !rule.includes("/dev/"));
  assert.deepEqual(writes, [
    '(allow file-write* (subpath "/work/a \\"b\\\\c"))',
    '(allow file-write* (subpath "/work/a/.git"))',
    '(allow file-write* (subpath "/private/tmp/own"))',
    '(deny file-write* (subpath "/work/a/.git/hooks"))',
  ]);
  assert.ok(rules.includes('(deny file-read* (subpath "/storage/mcp"))'));
  assert.ok(
    rules.includes('(deny file-write-unlink (literal "/work/a/.git") (literal "/work/a \\"b\\\\c"))'),
  );
});

test("a folder above what is only read is not moved away, changed there and moved back", () => {
  const nested = {
    ...plan,
    writable: ["/work/a"],
    fixed: [],
    readOnly: ["/work/a/b/c/.git", "/work/a/.vscode", "/elsewhere/x"],
  };
  assert.ok(
    seatbeltProfile(nested)
      .split("\n")
      .includes('(deny file-write-unlink (literal "/work/a") (literal "/work/a/b/c") (literal "/work/a/b"))'),
  );
});

test("it reads no environment of other processes, writes to no other terminal and reaches no service that starts programs", () => {
  for (const network of [false, true]) {
    const rules = seatbeltProfile({ ...plan, network }).split("\n");
    const prefixes = rules.flatMap((rule) =>
      [...rule.matchAll(/sysctl-name-prefix "([^"]+)"/g)].map(([, prefix = ""]) => prefix),
    );
    assert.ok(prefixes.length > 10);
    for (const name of ["kern.procargs2", "kern.procargs", "kern.proc.all", "kern.proc.uid.501"])
      assert.ok(!prefixes.some((prefix) => name.startsWith(prefix)), name);
    for (const name of ["hw.ncpu", "kern.osrelease", "kern.osversion", "kern.boottime", "kern.proc.pid.1"])
      assert.ok(
        prefixes.some((prefix) => name.startsWith(prefix)),
        name,
      );
    assert.ok(!rules.includes("(allow sysctl-read)"));
    const writesTerminals = rules.filter((rule) => /file-write/.test(rule) && /ttys/.test(rule));
    assert.deepEqual(writesTerminals, []);
    const text = rules.join("\n");
    // Nothing of these is allowed by a wider rule.
    assert.doesNotMatch(
      text,
      /\(allow (default|mach-\*|mach-register|file-link|file-mount|system\*|iokit|appleevent|lsopen|job-creation|process\*|process-info\*\))/,
    );
    assert.doesNotMatch(
      text,
      /mach-lookup\)|launchservices|coreservices|pasteboard|SecurityServer|securityd|lsd\.|tccd/i,
    );
    assert.doesNotMatch(text, /"\/private\/tmp"|"\/tmp"|"\/private\/var\/folders"|"\/var\/folders"/);
  }
});

test("the network is in it only if it is allowed", () => {
  assert.doesNotMatch(seatbeltProfile(plan), /network|system-socket/);
  assert.match(
    seatbeltProfile({ ...plan, network: true }),
    /\(allow network-outbound \(remote ip "\*:\*"\)\)/,
  );
});

test("the command gets neither the key nor the folder of temporary files of others", () => {
  const words = seatbeltWords(plan);
  assert.equal(words[0], "/usr/bin/sandbox-exec");
  assert.deepEqual(words.slice(3), [
    ...["/usr/bin/env", "-u", "KEY", "XDG_CACHE_HOME=/private/tmp/own/.cache", "TMPDIR=/private/tmp/own/"],
    ...["/bin/sh", "-c", 'cd "$0" && exec "$@"', "/work/a"],
  ]);
});
