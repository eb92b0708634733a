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
