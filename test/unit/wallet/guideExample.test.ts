// The example of the guide is run as it stands there.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { verifyMessage } from "viem";
import { readSignIn, signInChallenge } from "../../../src/wallet/signIn.ts";
import { askWalletProgram } from "../../../src/wallet/walletProgram.ts";
import { testWallet, testWalletKey } from "../../contract/suite/signInKit.ts";
import { root } from "../../tools/paths.ts";

/** Writes the script and a key beside the project's modules, among which is viem. */
function writeExample(t: TestContext): readonly [script: string, key: string] {
  const page = readFileSync(join(root, "media/docs/24-wallet.md"), "utf8");
  const [, code = ""] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
  const folder = join(root, ".vscode-test", `wallet-${crypto.randomUUID()}`);
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(folder, { recursive: true });
  const paths = [join(folder, "sign.mjs"), join(folder, "key")] as const;
  writeFileSync(paths[0], code);
  writeFileSync(paths[1], `${testWalletKey}\n`, { mode: 0o600 });
  return paths;
}

test("the guide's script signs for its service, and its signature is a good sign-in", async (t) => {
  const [script, key] = writeExample(t);
  const challenge = signInChallenge("https://api.example.com/api/v1", testWallet.address, Date.now());
  const command = [process.execPath, script, "api.example.com", key];
  const answer = await askWalletProgram(command, challenge, { signal: undefined });
  const { address, message } = challenge;
  assert.ok(
    await verifyMessage({
      address: address as `0x${string}`,
      message,
      signature: answer.trim() as `0x${string}`,
    }),
  );
  assert.equal(typeof readSignIn(answer, challenge, { nowMs: Date.now(), isUsed: () => false }), "object");
});

test("the guide's script refuses another service, and says so without the key", async (t) => {
  const [script, key] = writeExample(t);
  const challenge = signInChallenge("https://evil.example/api/v1", testWallet.address, Date.now());
  const command = [process.execPath, script, "api.example.com", key];
  await assert.rejects(askWalletProgram(command, challenge, { signal: undefined }), (error: Error) => {
    assert.match(error.message, /exit code 1/);
    assert.equal(error.message.includes(testWalletKey.slice(2, 20)), false);
    return true;
  });
});
