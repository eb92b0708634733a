// Addresses are shown with their checksum, and the node's value is unchanged.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { getAddress, type Hex } from "viem";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import type { Json, RpcOutput } from "../../../../../src/rpc/output/rpcOutput.ts";
import {
  addressText,
  fieldText,
  jsonText,
  type Writing,
} from "../../../../../src/rpc/renderer/data/fields/fieldText.ts";
import { accountsIn } from "../../../../../src/rpc/renderer/data/readOutput.ts";
import { toCsv } from "../../../../../src/rpc/renderer/data/tableRows.ts";
import type { CellRun } from "../../../../../src/rpc/run/cellRun.ts";
import { hasAddresses, withAccounts } from "../../../../../src/rpc/run/lookUp/addresses.ts";

function outputOf(value: Json, network = "ethereum-mainnet"): RpcOutput {
  return {
    version: 1,
    runId: "1",
    atMs: 0,
    done: true,
    networks: [{ slug: network, isMainnet: true, coin: "ETH" }],
    lines: [
      {
        key: "1",
        network,
        line: 0,
        source: "",
        method: "",
        outcome: { kind: "result", view: "any", value, bytes: 0 },
      },
    ],
    calls: [],
    total: { credits: 0, usd: 0, estimatedCredits: 0, ms: 0 },
  };
}

function runOf(value: Json, network = "ethereum-mainnet"): CellRun {
  return { rounds: [{ network, lines: [{ outcome: { kind: "result", value } }] }] } as unknown as CellRun;
}

const addresses = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`);

describe("an address in a result", () => {
  test("is shown with the checksum that viem computes, at any place", () => {
    fc.assert(
      fc.property(addresses, fc.constantFrom("miner", "0", "__proto__", "constructor"), (address, name) => {
        const value: Json = [
          { [name]: address, logs: [{ address: address.toUpperCase().replace("X", "x") }], other: null },
        ];
        const output = withAccounts(outputOf(value), evm);
        const accounts = accountsIn(output);
        const writing: Writing = { radix: "decimal", coin: "ETH", atMs: 0, accounts };
        assert.equal(addressText(address, writing), getAddress(address));
        assert.equal(fieldText(name, address, writing).text, getAddress(address));
        assert.equal(jsonText(address, writing), JSON.stringify(getAddress(address)));
        const csv = toCsv([address], [{ name, read: (one) => one }], writing);
        assert.ok(csv.includes(getAddress(address)), csv);
        assert.deepEqual(output.lines, outputOf(value).lines);
        assert.ok(hasAddresses(runOf(value)));
      }),
    );
  });

  test("is not a hash, bytes, a quantity or an address of another kind of chain", () => {
    const address = `0x${"ab".repeat(20)}`;
    for (const value of [`0x${"ab".repeat(32)}`, `0x${"ab".repeat(19)}`, `${address}zz`, "0x1", null, 5]) {
      assert.equal(withAccounts(outputOf(value), evm).accounts, undefined);
      assert.equal(hasAddresses(runOf(value)), false);
    }
    assert.equal(withAccounts(outputOf(address, "starknet-mainnet"), evm).accounts, undefined);
    assert.equal(hasAddresses(runOf(address, "solana-mainnet")), false);
  });

  test("has its checksum among the first 2,000, in any number of them", () => {
    const many = Array.from({ length: 20_000 }, (_, at) => `0x${at.toString(16).padStart(40, "a")}`);
    assert.equal(withAccounts(outputOf(many), evm).accounts?.length, 2_000);
    let deep: Json = `0x${"ab".repeat(20)}`;
    for (let level = 0; level < 20_000; level++) deep = [deep];
    assert.equal(withAccounts(outputOf(deep), evm).accounts?.length, 1);
  });
});
