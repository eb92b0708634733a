// Who signed a transaction, and what zkSync's own kind says.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { encodeFunctionData, type Hex, parseAbi, parseEther } from "viem";
import { mnemonicToAccount, privateKeyToAccount } from "viem/accounts";
import { serializeTransaction } from "viem/zksync";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import { checkWrite } from "../../../../../src/rpc/run/write/writes.ts";
import { randomCases } from "../../../../runner/cases.ts";

const account = mnemonicToAccount("test test test test test test test test test test test junk");
const to = "0x00000000000000000000000000000000000000aa";

test("a transaction of zkSync's own type is read; its hash is left to the chain", async () => {
  const one = {
    type: "eip712",
    chainId: 324,
    from: account.address,
    to,
    value: parseEther("0.5"),
    nonce: 3,
    gas: 100_000n,
    maxFeePerGas: 250_000_000n,
    maxPriorityFeePerGas: 0n,
    gasPerPubdata: 50_000n,
    data: encodeFunctionData({ abi: parseAbi(["function approve(address who, uint256 n)"]), args: [to, 5n] }),
  } as const;
  const raw = serializeTransaction({ ...one, customSignature: `0x${"ab".repeat(65)}` as Hex });
  const { hash, chainId, value, maxFee, nonce, data } = evm.readTransaction(raw);
  assert.deepEqual([hash, chainId, value, maxFee, nonce], [undefined, 324, "0.5", "0.000025", 3]);
  assert.equal(evm.decodeCalldata(data, [])?.name, "approve");
  assert.equal(evm.readSender(raw), account.address);
  const judged = (network: string) =>
    checkWrite(evm, { method: "eth_sendRawTransaction", params: [raw] }, network);
  const verdict = judged("zksync-mainnet");
  assert.ok("write" in verdict && verdict.write.needsConsent && verdict.write.hash === undefined);
  assert.match(verdict.write.key, /^[0-9a-f]{64}$/);
  assert.match(JSON.stringify(judged("base-mainnet")), /signed for chain 324 \(zksync-mainnet\)/);
  const unsigned = serializeTransaction({ ...one, customSignature: "0x" });
  assert.throws(() => evm.readTransaction(unsigned), /signed/);
});

test("the signer equals that of viem, for every type of transaction", async () => {
  const gas = { gas: 21_000n, nonce: 0, to, chainId: 1 } as const;
  const kinds = [
    { ...gas, type: "legacy", gasPrice: 5n },
    { gas: 21_000n, nonce: 0, to, type: "legacy", gasPrice: 5n },
    { ...gas, type: "eip2930", gasPrice: 5n, accessList: [{ address: to, storageKeys: [] }] },
    { ...gas, type: "eip1559", maxFeePerGas: 5n },
  ] as const;
  await fc.assert(
    fc.asyncProperty(
      fc.bigInt({ min: 1n, max: 2n ** 255n }),
      fc.constantFrom(...kinds),
      fc.nat(),
      async (key, kind, value) => {
        const signer = privateKeyToAccount(`0x${key.toString(16).padStart(64, "0")}`);
        const raw = await signer.signTransaction({ ...kind, value: BigInt(value) });
        assert.equal(evm.readSender(raw), signer.address);
      },
    ),
    { numRuns: randomCases(40) },
  );
  for (const raw of ["0x", "0x02f8", "hello"]) assert.equal(evm.readSender(raw), undefined);
});
