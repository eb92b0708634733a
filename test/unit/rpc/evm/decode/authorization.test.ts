// Authorizations of EIP-7702: who signed them, in the question before a send and in results of a real node.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { getAddress, type Hex, toHex, zeroAddress } from "viem";
import { mnemonicToAccount, privateKeyToAccount } from "viem/accounts";
import { recoverAuthorizationAddress } from "viem/utils";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import type { Json, RpcOutput } from "../../../../../src/rpc/output/rpcOutput.ts";
import { toOutcome } from "../../../../../src/rpc/run/expect/outcome.ts";
import { toOutput } from "../../../../../src/rpc/run/output.ts";
import { decodeReply } from "../../../../../src/rpc/run/reply/decodeReply.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { type Bench, openBench, projectOf } from "../../notebook.ts";

/** Anvil's public test accounts. */
function accountAt(addressIndex: number) {
  const phrase = "test test test test test test test test test test test junk";
  const { privateKey } = mnemonicToAccount(phrase, { addressIndex }).getHdKey();
  assert.ok(privateKey);
  return privateKeyToAccount(toHex(privateKey));
}
const [sender, authority] = [accountAt(6), accountAt(8)];
const contract = getAddress(`0x${"ab".repeat(20)}`);

/** An authorization as a node writes it. */
async function authorized(contractAddress: Hex, chainId: number, nonce: number, by = authority) {
  const { r, s, yParity, address } = await by.signAuthorization({ contractAddress, chainId, nonce });
  return { chainId: toHex(chainId), address, nonce: toHex(nonce), yParity: toHex(yParity ?? 0), r, s };
}

async function signed(chainId: number, nonce: number, contracts: readonly Hex[], on = chainId) {
  const authorizationList = await Promise.all(
    contracts.map((contractAddress, at) =>
      authority.signAuthorization({ contractAddress, chainId: on, nonce: at }),
    ),
  );
  const fees = { gas: 500_000n, maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
  return sender.signTransaction({
    ...({ type: "eip7702", chainId, nonce, to: contract, ...fees } as const),
    authorizationList,
  });
}

let bench: Bench;
before(async () => {
  bench = await openBench({ nodes: true }, "standard", { headersMs: 10_000 });
});
after(() => bench.close());

test("the account is that of viem, in the forms of nodes and of viem", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.bigInt({ min: 1n, max: 2n ** 255n }),
      fc.nat(),
      fc.nat(),
      fc.constantFrom(contract, zeroAddress),
      async (key, chainId, nonce, contractAddress) => {
        const signer = privateKeyToAccount(`0x${key.toString(16).padStart(64, "0")}`);
        const authorization = await signer.signAuthorization({ contractAddress, chainId, nonce });
        const expected = {
          chainId: String(chainId),
          delegate: contractAddress,
          nonce: String(nonce),
          authority: await recoverAuthorizationAddress({ authorization }),
        };
        assert.equal(expected.authority, signer.address);
        assert.deepEqual(evm.readAuthorization(authorization), expected);
        const ofNode = await authorized(contractAddress, chainId, nonce, signer);
        assert.deepEqual(evm.readAuthorization(ofNode), expected);
      },
    ),
    { numRuns: randomCases(40) },
  );
});

test("a signature that chains skip is not valid, and fields of other types are read as nothing", async () => {
  const good = await authorized(contract, 1, 0);
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const mirrored = toHex(order - BigInt(good.s));
  const flipped = good.yParity === "0x0" ? "0x1" : "0x0";
  const zero = `0x${"0".repeat(64)}`;
  for (const change of [
    // The mirrored signature is of the same account, but EIP-2 forbids it.
    { s: mirrored, yParity: flipped },
    { yParity: "0x2" },
    { yParity: "0x1b" },
    { r: zero },
    { s: zero },
    { r: toHex(order) },
    { r: `0x${"f".repeat(100_000)}` },
    { r: [] },
    { yParity: null },
  ])
    assert.deepEqual(evm.readAuthorization({ ...good, ...change }), {
      chainId: "1",
      delegate: contract,
      nonce: "0",
      authority: undefined,
    });
  for (const change of [
    { address: "0xab" },
    { address: [good.address] },
    { address: undefined },
    { chainId: "1" },
    { chainId: `0x1${"0".repeat(64)}` },
    { chainId: 1.5 },
    { nonce: toHex(2n ** 64n) },
    { nonce: -1 },
    { nonce: {} },
  ])
    assert.equal(evm.readAuthorization({ ...good, ...change }), undefined, JSON.stringify(change));
  for (const value of [null, "0x", 5, [good], undefined])
    assert.equal(evm.readAuthorization(value), undefined);
});

const asked = () => new Map(bench.questions.at(-1)?.facts);

test("each is a line of the question before a send; the output names its account, alone and in the block", async () => {
  const raw = await signed(8453, 0, [contract, zeroAddress]);
  const lines = [
    "tx = send $raw",
    "mined = wait $tx",
    "eth_getTransactionByHash $tx",
    "eth_getBlockByNumber $mined.blockNumber true",
  ];
  const run = await bench.run(projectOf([[`raw = ${raw}`, ...lines].join("\n")], ["base-mainnet"]));
  assert.equal(
    asked().get("Authorization 1"),
    `${authority.address} delegates to ${contract}, on chain 8453, nonce 0`,
  );
  assert.equal(
    asked().get("Authorization 2"),
    `${authority.address} ends its delegation, on chain 8453, nonce 1`,
  );
  const output: RpcOutput = toOutput(run, { runId: "1", evm, service: "S", isSandbox: true });
  const results = output.lines.map(({ outcome }) =>
    outcome.kind === "result" ? outcome.authorities : outcome,
  );
  const both = [authority.address, authority.address];
  assert.deepEqual(results.slice(-2), [both, both]);
  // The result itself stays as the node sent it.
  const { outcome } = output.lines.at(-2) ?? assert.fail();
  assert.ok(outcome.kind === "result");
  assert.doesNotMatch(JSON.stringify(outcome.value), new RegExp(authority.address.slice(2), "i"));
});

test("the question names five, and says how many more there are, which accounts a signature does not name, and every chain", async () => {
  bench.answerQuestions(false);
  const send = async (raw: string) => void (await bench.run(projectOf([`send ${raw}`], ["base-mainnet"])));
  await send(await signed(8453, 9, Array(1_000).fill(contract), 0));
  assert.match(asked().get("Authorization 5") ?? "", / delegates to 0x[aAbB]{40}, on every chain, nonce 4$/);
  assert.equal(asked().has("Authorization 6"), false);
  assert.equal(asked().get("More"), "995 authorizations");
  const [first] = await Promise.all([
    authority.signAuthorization({ contractAddress: contract, chainId: 1, nonce: 0 }),
  ]);
  const broken = await sender.signTransaction({
    ...({ type: "eip7702", chainId: 8453, nonce: 9, to: contract, gas: 100_000n, maxFeePerGas: 1n } as const),
    authorizationList: [{ ...first, r: toHex(1, { size: 32 }), s: toHex(2n ** 255n, { size: 32 }) }],
  });
  await send(broken);
  assert.equal(
    asked().get("Authorization 1"),
    `the signature is not valid; delegates to ${contract}, on chain 1, nonce 0`,
  );
  bench.answerQuestions(true);
});

test("hostile lists are bounded: wrong types are skipped, and the first 50 accounts are recovered once", async () => {
  const good = await authorized(contract, 1, 0);
  const hints = { method: "eth_getTransactionByHash", decoding: undefined, declared: [], functions: [] };
  const authoritiesIn = (value: Json, maxBytes = 10_000_000) => {
    const outcome = toOutcome({ kind: "result", value }, hints, evm, maxBytes);
    return outcome.kind === "result" ? outcome.authorities : undefined;
  };
  const many = Array.from({ length: 10_000 }, (_, at) => ({ ...good, nonce: toHex(at) }));
  let recovered = 0;
  const counting = {
    ...evm,
    readAuthorization: (value: unknown) => {
      recovered += 1;
      return evm.readAuthorization(value);
    },
  };
  const value = { authorizationList: many };
  for (const maxBytes of [10_000_000, 100_000, 2_000]) {
    const outcome = toOutcome({ kind: "result", value }, hints, counting, maxBytes);
    assert.ok(outcome.kind === "result");
    const { authorities = [] } = outcome;
    assert.equal(authorities[0], authority.address);
    assert.ok(authorities.length <= 50);
  }
  assert.equal(recovered, 50);
  assert.equal(authoritiesIn({ authorizationList: "many" }), undefined);
  assert.equal(authoritiesIn({ authorizationList: [1, null, "x", [good]] }), undefined);
  assert.deepEqual(authoritiesIn({ authorizationList: [null, {}, good, { ...good, nonce: [] }] }), [
    null,
    authority.address,
    null,
  ]);
  const block = { transactions: ["0xab", null, { authorizationList: 7 }, { authorizationList: [good] }] };
  assert.deepEqual(authoritiesIn(block), [authority.address]);
});

test("an agent reads the accounts beside the raw reply", async () => {
  const good = await authorized(contract, 1, 0);
  const call = { network: "ethereum-mainnet", method: "eth_getTransactionByHash", params: [] };
  const decoded = decodeReply(evm, call, { result: { authorizationList: [good, { ...good, r: "0x0" }, 5] } });
  assert.equal(decoded["result.authorizationList[0].authority"], authority.address);
  for (const at of [1, 2])
    assert.equal(decoded[`result.authorizationList[${at}].authority`], "the signature is not valid");
  const many = decodeReply(evm, call, { result: { authorizationList: Array(10_000).fill(good) } });
  assert.equal(Object.keys(many).filter((path) => path.endsWith(".authority")).length, 20);
});
