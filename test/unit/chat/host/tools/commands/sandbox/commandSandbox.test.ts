// Where the sandbox does not work, and with which programs it does.
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
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
      nextStep: "It says: setting up uid map: Permission denied.",
    });
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
