// The secrets of new keys are shown once, so the list of them outlives whatever fails.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Account } from "../../../../../../src/account/host/accountOf.ts";
import type { AccountTools } from "../../../../../../src/account/host/keys/addAdmin.ts";
import { temporaryFolder } from "../../../../temporaryFolder.ts";
import { replace } from "../../../../vscodeDouble.ts";

const { showSecretsOnce } = await import("../../../../../../src/account/host/keys/bulk/showSecrets.ts");
const { showSecretOnce } = await import("../../../../../../src/account/host/keys/secret.ts");

interface Item {
  readonly label: string;
}

/** A user who chooses these items in turn. A file that is saved has this path. */
function user(t: TestContext, choices: readonly string[], path = "") {
  const left = [...choices];
  const warnings: string[] = [];
  const copied: string[] = [];
  const pick = async (items: readonly Item[]) => {
    const choice = left.shift();
    return items.find(({ label }) => label.startsWith(choice ?? "?")) ?? assert.fail(`no ${choice}`);
  };
  const warn = async (message: string) => void warnings.push(message);
  const showSaveDialog = async () => ({ scheme: "file", fsPath: path });
  replace("window", { showQuickPick: pick, showWarningMessage: warn, showSaveDialog }, t);
  const tools = {
    clipboard: { copy: async (text: string) => void copied.push(text) },
    temporary: { beside: (file: string) => `${file}.new` },
    session: { clientOf: () => Promise.reject(new Error("no connection")) },
  } as unknown as AccountTools;
  return { tools, warnings, copied, left };
}

test("a file that can't be written loses no secret: it is said, and the list stays", async (t) => {
  const made = [{ id: "1", name: "worker", secret: "s-1" }];
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  const path = join(file, "keys.csv");
  const { tools, warnings, copied, left } = user(t, ["Save to a File", "Copy All", "Done"], path);
  await showSecretsOnce(made, tools);
  assert.match(warnings.at(-1) ?? "", /^Nothing was saved/);
  assert.deepEqual(copied, ["worker\ts-1\n"]);
  assert.deepEqual(left, []);
});

test("a secret that begins like a formula is in no CSV, where a mark would make it another one", async (t) => {
  const made = [{ id: "1", name: "worker", secret: "-s1" }];
  const folder = temporaryFolder();
  const csv = user(t, ["Save to a File", "Copy All", "Done"], join(folder, "keys.csv"));
  await showSecretsOnce(made, csv.tools);
  assert.match(csv.warnings.at(-1) ?? "", /begins like a formula/);
  assert.equal(existsSync(join(folder, "keys.csv")), false);
  const env = user(t, ["Save to a File", "Done"], join(folder, "keys.env"));
  await showSecretsOnce(made, env.tools);
  assert.equal(readFileSync(join(folder, "keys.env"), "utf8"), "WORKER=-s1\n");
});

test("a connection that can't be stored loses no secret", async (t) => {
  const { tools, warnings, copied, left } = user(t, ["Save as a Connection", "s-1", "Done"]);
  const account = {
    admin: { name: "Live", kind: "live", baseUrl: "https://live.example" },
  } as unknown as Account;
  await showSecretOnce({ secret: "s-1", name: "worker" }, account, tools);
  assert.match(warnings.at(-1) ?? "", /^Nothing was saved/);
  assert.deepEqual(copied, ["s-1"]);
  assert.deepEqual(left, []);
});

test("a key of a sandbox is not offered as a connection, which would be dead after a reload", async (t) => {
  const secret = `sandbox-inference-${"a".repeat(32)}`;
  const shown: string[][] = [];
  const showQuickPick = async (items: readonly Item[]) => {
    shown.push(items.map(({ label }) => label));
    return items.find(({ label }) => label === "Done");
  };
  replace("window", { showQuickPick, showWarningMessage: async () => "Close Without Saving" }, t);
  for (const [admin, isOffered] of [
    [{ name: "Sandbox", kind: "sandbox", baseUrl: "" }, false],
    [{ name: "Other window", kind: "environment", baseUrl: "http://127.0.0.1:4000/api/v1" }, false],
    [{ name: "Live", kind: "live", baseUrl: "https://live.example" }, true],
  ] as const) {
    await showSecretOnce({ secret, name: "ci" }, { admin } as unknown as Account, {} as AccountTools);
    assert.equal(shown.at(-1)?.includes("Save as a Connection"), isOffered, admin.name);
  }
});
