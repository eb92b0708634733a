// Where the sandbox does not work, and with which programs it does.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { bubblewrapPlaces } from "../../../../../../../src/chat/host/tools/commands/sandbox/bubblewrap.ts";
import {
  CommandSandbox,
  type MissingSandbox,
} from "../../../../../../../src/chat/host/tools/commands/sandbox/commandSandbox.ts";
import { limitsText } from "../../../../../../../src/chat/host/tools/commands/sandbox/sandboxWords.ts";

const folder = mkdtempSync(join(tmpdir(), "command-sandbox-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const none = { network: false, repository: false };

/** A program that stands for that of the system. */
function script(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o700);
  return path;
}

function open(programs: readonly string[]) {
  const told: MissingSandbox[] = [];
  const sandbox = new CommandSandbox({
    isWanted: () => true,
    workspaceFolders: () => [],
    writableFolders: () => [],
    hidden: [],
    onMissing: (missing) => told.push(missing),
    programs,
  });
  return { sandbox, told };
}

test("without its program the card says what is missing, and the user is told once how to get it", async (t) => {
  const { sandbox, told } = open([join(folder, "missing")]);
  t.after(() => sandbox.dispose());
  assert.equal(limitsText(sandbox.state, none), undefined); // not known yet
  const states = [await sandbox.ready(), await sandbox.ready()];
  const isLinux = process.platform === "linux";
  assert.match(
    limitsText(states[1] ?? assert.fail(), none) ?? "",
    isLinux
      ? /^Without a sandbox, because bubblewrap is not installed\.$/
      : /^Without a sandbox, because .+\.$/,
  );
  assert.equal(told.length, 1);
  if (isLinux) assert.match(told[0]?.nextStep ?? "", /apt-get install bubblewrap.*reload the window/);
});

test("a program that the system does not let work is told with what it says", async (t) => {
  const refusing = script("refusing", "echo 'setting up uid map: Permission denied' >&2; exit 1");
  const { sandbox, told } = open([refusing]);
  t.after(() => sandbox.dispose());
  assert.equal((await sandbox.ready()).isOn, false);
  const [missing] = told;
  if (process.platform === "linux" || process.platform === "darwin")
    assert.deepEqual(missing, {
      reason: `${refusing} does not work here`,
      nextStep: missing?.nextStep,
    });
  assert.match(
    missing?.nextStep ?? "",
    /^It says: setting up uid map: Permission denied\. Your system keeps/,
  );
});

test("an older bubblewrap, which does not know each option, is used without it", async (t) => {
  const older = script("older", 'case " $* " in *" --disable-userns "*) exit 1 ;; esac');
  const { sandbox, told } = open([older]);
  t.after(() => sandbox.dispose());
  const isTried = process.platform === "linux" || process.platform === "darwin";
  assert.deepEqual([await sandbox.ready(), told.length], isTried ? [{ isOn: true }, 0] : [sandbox.state, 1]);
  if (isTried) assert.ok(!sandbox.wrap(folder, none).words.includes("--disable-userns"));
});

test("switched off, it runs nothing and nothing is missing", async () => {
  const sandbox = new CommandSandbox({
    isWanted: () => false,
    workspaceFolders: () => [],
    writableFolders: () => [],
    hidden: [],
    onMissing: () => assert.fail(),
  });
  assert.deepEqual([await sandbox.ready(), sandbox.state], [{ isOn: false }, { isOn: false }]);
  assert.equal(limitsText(sandbox.state, none), undefined);
});

test("each way in which a system refuses it is told with the step that helps", async (t) => {
  const said: readonly (readonly [string, RegExp])[] = [
    ["bwrap: setting up uid map: Permission denied", /AppArmor.*bwrap-userns-restrict/],
    ["bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", /AppArmor/],
    [
      "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)",
      /sysctl -w user\.max_user_namespaces/,
    ],
    [
      "bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.",
      /unprivileged_userns_clone/,
    ],
    ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", /systempaths=unconfined/],
    ["bwrap: Can't read /proc/sys/kernel/overflowuid: No such file or directory", /systempaths=unconfined/],
    ["bwrap: unexpected capabilities but not setuid, old file caps config?", /Install bubblewrap again/],
  ];
  for (const [line, step] of said) {
    const { sandbox, told } = open([script("fails", `echo "${line}" >&2; exit 1`)]);
    t.after(() => sandbox.dispose());
    assert.equal((await sandbox.ready()).isOn, false);
    if (process.platform !== "linux") continue;
    assert.ok(told[0]?.nextStep?.startsWith(`It says: ${line.slice(0, 200)}`), told[0]?.nextStep);
    assert.match(told[0]?.nextStep ?? "", step);
    assert.equal(limitsText(sandbox.state, none), `Without a sandbox, because ${told[0]?.reason}.`);
  }
});

test("whether it works is found out once, however many ask at the same time", async (t) => {
  const count = join(folder, "count");
  const counting = script("counting", `echo x >>'${count}'; echo no >&2; exit 1`);
  const { sandbox, told } = open([counting]);
  t.after(() => sandbox.dispose());
  await Promise.all(Array.from({ length: 20 }, () => sandbox.ready()));
  await sandbox.ready();
  if (process.platform !== "linux") return;
  assert.equal(
    readFileSync(count, "utf8"),
    "x\nx\n",
    "once with each option, and once without the newer one",
  );
  assert.equal(told.length, 1);
});

test("on a system without user namespaces the real program says so, and nothing waits", async (t) => {
  const real = bubblewrapPlaces.find((place) => existsSync(place));
  const limited = "echo 0 >/proc/sys/user/max_user_namespaces";
  const canTry = real && spawnSync("unshare", ["-Ur", "sh", "-c", limited]).status === 0;
  if (!canTry) return;
  const without = script("without", `exec unshare -Ur sh -c '${limited}; exec "$@"' sh ${real} "$@"`);
  const { sandbox, told } = open([without]);
  t.after(() => sandbox.dispose());
  assert.equal((await sandbox.ready()).isOn, false);
  assert.match(told[0]?.nextStep ?? "", /namespace.*sysctl -w user\.max_user_namespaces/);
});
