import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { verifyMessage } from "viem";
import { parseSiweMessage, validateSiweMessage } from "viem/siwe";
import { readSignIn, signInChallenge, walletAddressProblem } from "../../../src/wallet/signIn.ts";
import { signIn as signWithViem, testWallet } from "../../contract/suite/signInKit.ts";

const nowMs = Date.parse("2026-11-26T12:00:00.000Z");
const root = "https://api.example.com:8443/api/v1";
const { address } = testWallet;
const challenge = () => signInChallenge(root, address, nowMs);
const unused = { nowMs, isUsed: () => false };
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");

describe("a challenge", () => {
  test("is an EIP-4361 text that viem reads, for the address of the connection", async () => {
    const { message, nonce } = challenge();
    const read = parseSiweMessage(message);
    assert.ok(
      validateSiweMessage({
        message: read,
        address,
        domain: "api.example.com:8443",
        nonce,
        time: new Date(nowMs),
      }),
    );
    assert.equal(read.chainId, 8453);
    assert.equal(read.uri, "https://api.example.com:8443");
    assert.equal(read.expirationTime?.getTime(), nowMs + 300_000);
  });

  test("has another nonce each time", () => {
    assert.notEqual(challenge().nonce, challenge().nonce);
  });
});

describe("an answer of a wallet", () => {
  test("may be the signature alone, which becomes a header that viem verifies", async () => {
    const asked = challenge();
    const signature = await testWallet.signMessage({ message: asked.message });
    const read = readSignIn(` ${signature}\n`, asked, unused);
    assert.ok(typeof read === "object");
    const sent = JSON.parse(Buffer.from(read.header, "base64").toString()) as {
      message: string;
      signature: `0x${string}`;
    };
    assert.ok(await verifyMessage({ address, ...sent }));
    assert.equal(read.nonce, asked.nonce);
  });

  test("may be a whole header with a message of its own", async () => {
    const header = await signWithViem({ baseUrl: root, now: () => nowMs }, { nonce: "abcdefgh12345678" });
    const read = readSignIn(header, challenge(), unused);
    assert.deepEqual(read, { header, nonce: "abcdefgh12345678" });
  });

  const own = { baseUrl: root, now: () => nowMs };
  const refusals: readonly (readonly [string, string | Promise<string>, RegExp])[] = [
    ["another service", signWithViem(own, { domain: "evil.example" }), /another service/],
    ["another wallet", signWithViem(own, { address: `0x${"2".repeat(40)}` }), /another wallet/],
    ["an old time", signWithViem(own, { issuedAt: new Date(nowMs - 300_000).toISOString() }), /expired/],
    [
      "an end that is near",
      signWithViem(own, { expirationTime: new Date(nowMs + 5_000).toISOString() }),
      /expired/,
    ],
    ["no time", signWithViem(own, { issuedAt: "never" }), /no nonce or no time/],
    ["words", "please sign", /neither/],
    ["a private key", `0x${"a".repeat(64)}`, /no address/],
    ["a header with a line break", "abc\r\nX-Evil: 1", /neither/],
    ["100 KB", "A".repeat(100_000), /neither/],
    ["base64 of another object", encoded({ a: 1 }), /no address/],
    ["wrong types", encoded({ address: 1, message: {}, signature: [] }), /no address/],
    ["an endless message", encoded({ address, message: "x".repeat(5000), signature: "0x" }), /no address/],
  ];
  for (const [name, answer, problem] of refusals)
    test(`is refused with ${name}, without being quoted`, async () => {
      const text = await answer;
      const read = readSignIn(text, challenge(), unused);
      assert.ok(typeof read === "string");
      assert.match(read, problem);
      assert.equal(read.includes(text.slice(0, 12)), false);
    });

  test("is refused if its nonce was used", async () => {
    const header = await signWithViem(own);
    assert.match(String(readSignIn(header, challenge(), { nowMs, isUsed: () => true })), /used before/);
  });
});

test("an address needs its checksum, because it is part of the text that is signed", () => {
  assert.equal(walletAddressProblem(address), undefined);
  assert.equal(walletAddressProblem(`0x${"1".repeat(40)}`), undefined);
  assert.match(walletAddressProblem(address.toLowerCase()) ?? "", /checksum/);
  for (const wrong of ["", "vitalik.eth", address.slice(0, 41), ` ${address}`, `${address}0`])
    assert.match(walletAddressProblem(wrong) ?? "", /40 hex digits/);
});
