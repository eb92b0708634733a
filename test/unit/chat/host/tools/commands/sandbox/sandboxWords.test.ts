// What the user and the model read about the sandbox, and which approvals cover a call in it.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  accessOf,
  limitsText,
  sandboxHint,
} from "../../../../../../../src/chat/host/tools/commands/sandbox/sandboxWords.ts";

const none = { network: false, repository: false };

test("a line of Git's commands alone may write the repository, another one if it says so", () => {
  assert.deepEqual(accessOf({ command: "git add -A && git commit -m 'a b'" }), { ...none, repository: true });
  for (const command of ["git add . && npm test", "git $(x)", "./git2 x", "echo git"])
    assert.deepEqual(accessOf({ command }), none, command);
  assert.deepEqual(accessOf({ command: "npm ci", network: true }), { ...none, network: true });
  assert.deepEqual(accessOf({ command: "npm ci", network: "true", repository: 1, outside_sandbox: 1 }), none);
  assert.equal(accessOf({ command: "npm ci", network: true, outside_sandbox: true }), undefined);
});

test("the card says what a command may do, or what is missing", () => {
  const isOn = { isOn: true } as const;
  assert.equal(limitsText(isOn, none), "In a sandbox: writes only in the workspace, no network.");
  assert.equal(
    limitsText(isOn, { network: true, repository: true }),
    "In a sandbox: writes only in the workspace and its repository, with network.",
  );
  assert.equal(limitsText(isOn, undefined), "Without the sandbox: it can do all that you can.");
  const missing = { reason: "it is missing" };
  assert.equal(limitsText({ isOn: false, missing }, none), "Without a sandbox, because it is missing.");
  assert.equal(limitsText({ isOn: false }, none), undefined);
});

test("a failure that looks like the wall says so, and how to get through it", () => {
  const network = /without network.*network: true/;
  assert.match(sandboxHint("curl: (6) Could not resolve host: example.org", none), network);
  assert.match(sandboxHint("npm error code EAI_AGAIN", none), network);
  const file = sandboxHint("npm error EROFS: read-only file system, open '/home/a/.npmrc'", none);
  assert.match(
    file,
    /sandbox may have refused.*repository: true.*outside_sandbox: true, and the user is asked/,
  );
  assert.match(
    sandboxHint("could not lock config file .git/config: Device or resource busy", none),
    /outside/,
  );
  const online = { ...none, network: true };
  assert.match(sandboxHint("git@example.org: Permission denied (publickey).", online), /SSH agent.*outside/);
  assert.doesNotMatch(sandboxHint("EROFS", { ...none, repository: true }), /repository: true/);
  assert.equal(sandboxHint("Could not resolve host", { ...none, network: true }), "");
  assert.equal(sandboxHint("1 test failed", none), "");
});
