import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { describe, test } from "node:test";
import { type ApiError, isApiError } from "../../../src/api/errors/errors.ts";
import { allProcesses } from "../../../src/platform/process/processes.ts";
import { environment } from "../../../src/shared/names/ids.ts";
import { signInChallenge } from "../../../src/wallet/signIn.ts";
import { askWalletProgram, withoutSecrets } from "../../../src/wallet/walletProgram.ts";
import { testWallet } from "../../contract/suite/signInKit.ts";

const challenge = signInChallenge("https://api.example.com/api/v1", testWallet.address, Date.now());
/** A wallet's program in JavaScript. */
const script = (code: string) => [process.execPath, "-e", code];
const run = (command: readonly string[], options: { signal?: AbortSignal; timeoutMs?: number } = {}) =>
  askWalletProgram(command, challenge, { signal: undefined, ...options });

async function failureOf(command: readonly string[], options = {}): Promise<ApiError> {
  const error = await run(command, options).then(assert.fail, (thrown: unknown) => thrown);
  assert.ok(isApiError(error), String(error));
  assert.equal(error.details.mayHaveArrived, false);
  return error;
}

/** Empty for a process that has ended, and where the system does not tell. */
function commandLine(id: number): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, "latin1");
  } catch {
    return "";
  }
}

describe("a wallet's program", () => {
  test("gets the challenge as one line of JSON, and its output is the answer", async () => {
    const echo = script("process.stdin.on('data', (line) => process.stdout.write(line))");
    const got = await run(echo);
    assert.equal(got.indexOf("\n"), got.length - 1);
    assert.deepEqual(JSON.parse(got), { version: 1, ...challenge });
  });

  test("runs in the home folder, without a shell and without the API key", async (t) => {
    process.env[environment.key] = "key-canary";
    t.after(() => delete process.env[environment.key]);
    const tell = script("console.log(JSON.stringify([process.cwd(), process.argv.slice(1), process.env]))");
    const [cwd, args, env] = JSON.parse(await run([...tell, "$HOME; echo hi", "`id`"]));
    assert.equal(cwd, homedir());
    assert.deepEqual(args, ["$HOME; echo hi", "`id`"]);
    assert.equal(JSON.stringify(env).includes("key-canary"), false);
  });

  test("need not read its input", async () => {
    assert.equal(await run(script("console.log('0x12')")), "0x12\n");
  });

  test("that hangs is ended after its time, with what it has started", async () => {
    const mark = `hanging-${crypto.randomUUID()}`;
    const hang = script(
      `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)', '${mark}'], { stdio: 'inherit' }); setInterval(() => {}, 1e6)`,
    );
    const error = await failureOf(hang, { timeoutMs: 500 });
    assert.equal(error.kind, "not-signed");
    assert.match(error.message, /did not answer/);
    const left = allProcesses().filter(({ id, isZombie }) => !isZombie && commandLine(id).includes(mark));
    assert.deepEqual(left, []);
  });

  test("ends when its call is cancelled", async () => {
    const stop = new AbortController();
    const hang = script("console.log('ready'); setInterval(() => {}, 1e6)");
    const waiting = failureOf(hang, { signal: stop.signal });
    stop.abort();
    assert.equal((await waiting).kind, "cancelled");
    assert.equal((await failureOf(hang, { signal: stop.signal })).kind, "cancelled");
  });

  test("that prints without end is ended, and nothing of it is kept", async () => {
    const flood = script(
      "const b = Buffer.alloc(1e6, 65); const write = () => process.stdout.write(b, write); write()",
    );
    const error = await failureOf(flood);
    assert.match(error.message, /printed more than 64 KB/);
    assert.equal(error.message.includes("AAAA"), false);
  });

  test("that prints 100 MB of errors and fails tells the end of them", async () => {
    const flood = script(
      "let n = 0; const b = Buffer.alloc(1e6, 46); const write = () => (n++ < 100 ? process.stderr.write(b, write) : process.stderr.write(' the device is locked', () => process.exit(3))); write()",
    );
    const { message } = await failureOf(flood);
    assert.match(message, /exit code 3/);
    assert.ok(message.length < 500);
  });

  test("that fails tells its error on one line, without keys and control characters", async () => {
    const key = `0x${"ab".repeat(32)}`;
    const fail = script(
      `process.stderr.write("bad\\u001b[31m key ${key}\\nthe device is locked"); process.exit(1)`,
    );
    const { message } = await failureOf(fail);
    assert.match(message, /exit code 1: bad⟨U\+001B⟩\[31m key \*\*\* the device is locked$/);
  });

  test("that is missing is named", async () => {
    assert.match(
      (await failureOf(["no-such-wallet-program"])).message,
      /no-such-wallet-program was not found/,
    );
    assert.match((await failureOf([])).message, /no program is set/);
  });
});

describe("the error output of a wallet's program", () => {
  const words = "legal winner thank year wave sausage worth useful legal winner thank yellow";
  const secrets = [
    `0x${"1f".repeat(32)}`,
    "1F".repeat(32),
    words,
    words.replaceAll(" ", "\n"),
    Buffer.from(crypto.getRandomValues(new Uint8Array(48))).toString("base64"),
    "PRIVATE_KEY=hunter2",
    'mnemonic: "hunter2"',
    "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi",
  ];
  for (const secret of secrets)
    test(`hides ${secret.slice(0, 12)}…`, () => {
      const said = withoutSecrets(`Error: can't use ${secret} here`);
      assert.match(said, /\*\*\*/);
      for (const part of secret
        .split(/[\s"=:]+/)
        .filter((one) => one.length > 6 && !/key|mnemonic/i.test(one)))
        assert.equal(said.includes(part), false, said);
    });

  test("keeps ordinary words and paths", () => {
    const said =
      "Error: cannot open /home/me/projects/wallet/sign.mjs: the device is locked, unlock it and try again";
    assert.equal(withoutSecrets(said), said);
  });
});
