// What calls of commands ask for in the sandbox, and which approvals they need.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CommandRuns } from "../../../../../../src/chat/host/tools/commands/commandRuns.ts";
import "../../../../vscodeDouble.ts";

const { createCommandTools, isAllowedCall } = await import(
  "../../../../../../src/chat/host/tools/commands/commandTools.ts"
);
const { CommandSandbox } = await import(
  "../../../../../../src/chat/host/tools/commands/sandbox/commandSandbox.ts"
);

const unused = (): never => assert.fail("no command runs here");
const unusedRuns: Omit<CommandRuns, "dispose"> = {
  ...{ run: unused, start: unused, startTask: unused, read: unused, stop: unused, forget: unused },
  ...{ list: [], onDidChange: unused, warm() {} },
};

test("an approval without network, or without the repository, is not one with it, and the card says which", async (t) => {
  // A program that takes any words stands for bubblewrap.
  const deps = {
    workspaceFolders: () => [],
    writableFolders: () => [],
    hidden: [],
    programs: ["/usr/bin/true"],
  };
  const sandbox = new CommandSandbox({ ...deps, isWanted: () => true });
  t.after(() => sandbox.dispose());
  const command = createCommandTools({ ...unusedRuns, sandbox, dispose() {} })[0] ?? assert.fail();
  await command.prepare?.({ command: "npm ci" });
  const online = { command: "npm ci", network: true };
  assert.deepEqual(command.scopes?.({ command: "npm ci" }), ["npm ci"]);
  assert.deepEqual(command.scopes?.(online), ["npm ci (with network)"]);
  assert.deepEqual(command.scopes?.({ ...online, background: true, repository: true }), [
    "npm ci (in the background, with network, writes the repository)",
  ]);
  assert.equal(command.question?.({ command: "npm ci" }), undefined);
  assert.equal(command.question?.(online), "It asks because it may use the network.");
  assert.equal(command.limits?.(online), "In a sandbox: writes only in the workspace, with network.");
  assert.equal(isAllowedCall(command, online), false);
  assert.deepEqual([command.network?.({ command: "npm ci" }), command.network?.(online)], [false, true]);
  const outside = { command: "npm ci", outside_sandbox: true };
  assert.deepEqual(command.scopes?.({ ...outside, network: true }), ["npm ci (without the sandbox)"]);
  assert.equal(command.question?.(outside), "It asks because it runs without the sandbox.");
  assert.equal(command.limits?.(outside), "Without the sandbox: it can do all that you can.");
  assert.deepEqual([command.network?.(outside), isAllowedCall(command, outside)], [undefined, false]);
});
