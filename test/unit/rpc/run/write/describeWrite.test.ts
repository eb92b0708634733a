import assert from "node:assert/strict";
import { test } from "node:test";
import { parseGwei } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import { describeWrite } from "../../../../../src/rpc/run/write/describeWrite.ts";

const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
const signed = (members: object) =>
  account.signTransaction({
    type: "eip1559",
    chainId: 1,
    nonce: 7,
    gas: 21_000n,
    maxFeePerGas: parseGwei("2"),
    to: `0x${"22".repeat(20)}`,
    value: 10n ** 15n,
    ...members,
  });
const network = "ethereum-mainnet";
const method = "eth_sendRawTransaction";

test("a signed transaction is shown with sender, receiver, value, fee and call", async () => {
  const data = `0xa9059cbb${"0".repeat(24)}${"33".repeat(20)}${"5".padStart(64, "0")}` as const;
  const lines = describeWrite(evm, { network, method, params: [await signed({ data })] });
  const text = lines.join("\n");
  assert.match(
    text,
    new RegExp(`^Method: ${method}\nFrom: ${account.address}\nTo: 0x2{40}\nValue: 0\\.001 ETH`, "i"),
  );
  assert.match(text, /Nonce: 7\nFee: at most 0\.000042 ETH[\s\S]*selector 0xa9059cbb[\s\S]*Chain: 1\n/);
  assert.match(text, /Call: transfer\(.*0x3{40}.*5\)/);
});

test("what is signed for another chain, or can't be decoded, is refused with the reason", async () => {
  const describe = (write: object) => () => describeWrite(evm, { network, method, params: [], ...write });
  assert.throws(describe({ params: [await signed({ chainId: 5 })] }), /signed for chain 5 .* is chain 1/);
  for (const params of [[], ["0x"], ["0x02f8"], [{}], ["__proto__"]])
    assert.throws(describe({ params }), /not a signed transaction|consists of 0x/);
  for (const other of ["eth_sendUserOperation", "bor_sendSomething", "constructor"])
    assert.throws(describe({ method: other, params: [1] }), /can't be decoded/, other);
});
