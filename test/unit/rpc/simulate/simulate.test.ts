// A simulated transaction has the effects of its later receipt, whichever method the node offers.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { encodeErrorResult } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { evm } from "../../../../src/rpc/evm/evm.ts";
import type { RpcSimulation } from "../../../../src/rpc/output/rpcOutput.ts";
import { isFine } from "../../../../src/rpc/run/output.ts";
import { abi, type Call, contracts, createRandom, randomCall } from "../randomCalls.ts";
import { openRefusingNode, type RefusingNode } from "../refusingNode.ts";
import { senderTo, simulateCall, simulateLines } from "../simulated.ts";

const account = mnemonicToAccount("test test test test test test test test test test test junk");
let node: RefusingNode;
let accounts: readonly string[];

before(async () => {
  node = await openRefusingNode();
  accounts = (await node.ask("eth_accounts")) as string[];
  // With automatic mining the node may reply before the block exists.
  await node.ask("evm_setAutomine", false);
  for (const [address, code] of Object.values(contracts)) await node.ask("anvil_setCode", address, code);
});
after(async () => {
  await node.close();
});

function simulated(statement: string, signal = new AbortController().signal, url = node.url) {
  return simulateLines(statement, senderTo(url), { signal });
}

const simulatedCall = (call: Call) => simulateCall(call, senderTo(node.url));

interface Receipt {
  readonly status: string;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
  readonly blockNumber: string;
  readonly logs: readonly { address: string; topics: string[]; data: string }[];
}

/** Compares the storage of a simulation with the slots before and after the transaction. */
async function compareStorage({ storage = [], unknown }: RpcSimulation, block: bigint): Promise<number> {
  assert.equal(unknown.length, 1, unknown.join("; "));
  const word = (account: string, slot: string, number: bigint) =>
    node.ask("eth_getStorageAt", account, slot, `0x${number.toString(16)}`);
  for (const { account, slot, before, now } of storage)
    assert.deepEqual(
      [await word(account, slot, block - 1n), await word(account, slot, block)],
      [before, now],
    );
  return storage.length;
}

async function balances(): Promise<ReadonlyMap<string, bigint>> {
  const all = [...accounts, ...Object.values(contracts).map(([address]) => address)];
  const read = async (one: string) =>
    [one.toLowerCase(), BigInt((await node.ask("eth_getBalance", one, "latest")) as string)] as const;
  return new Map(await Promise.all(all.map(read)));
}

/** Compares a simulation with the receipt, as far as its method allows. */
function compare(found: RpcSimulation, receipt: Receipt, changes: ReadonlyMap<string, bigint>, call: Call) {
  assert.equal(found.status, receipt.status === "0x1" ? "success" : "reverted");
  if (found.isGasEstimate) assert.ok(BigInt(found.gasUsed ?? 0) >= BigInt(receipt.gasUsed));
  else if (found.gasUsed !== undefined || found.method !== "eth_call")
    assert.equal(found.gasUsed, String(BigInt(receipt.gasUsed)));
  if (found.status === "reverted") {
    assert.deepEqual(
      found.revert,
      evm.decodeRevert(call.data, ["error TooPoor(address who, uint256 missing)"]),
    );
    return;
  }
  if (found.method === "eth_call") return;
  const plain = (logs: readonly object[]) =>
    JSON.stringify(
      (logs as Receipt["logs"]).map(({ address, topics, data }) => [address.toLowerCase(), topics, data]),
    );
  assert.equal(plain(found.logs ?? []), plain(receipt.logs));
  const told = (found.balances ?? []).map(({ account, change }) => [account.toLowerCase(), BigInt(change)]);
  assert.deepEqual(new Map(told as [string, bigint][]), changes);
}

/** The methods of a simulation, each with those that the node must refuse for it. */
const methods = [
  ["eth_simulateV1", []],
  ["debug_traceCall", ["eth_simulateV1"]],
  ["eth_call", ["eth_simulateV1", "debug_traceCall"]],
] as const;

describe("a simulated transaction", () => {
  const count = Number(process.env.INFERENCE_SIMULATIONS ?? 200);

  test(`has the effects of its receipt by each method: ${count} random transactions`, async () => {
    const random = createRandom(16);
    let old = await balances();
    let slots = 0;
    for (let at = 0; at < count; at++) {
      const call = randomCall(random, accounts);
      const found: RpcSimulation[] = [];
      for (const [method, refused] of methods) {
        node.refused = refused;
        const simulation = await simulatedCall(call);
        assert.equal(simulation.method, method);
        found.push(simulation);
      }
      assert.deepEqual(await balances(), old, "A simulation changes nothing");
      const hash = await node.ask("eth_sendTransaction", call);
      await node.ask("evm_mine");
      const receipt = (await node.ask("eth_getTransactionReceipt", hash)) as Receipt;
      const now = await balances();
      const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
      const changes = [...now].flatMap(([account, balance]): [string, bigint][] => {
        const paid = account === call.from.toLowerCase() ? fee : 0n;
        const change = balance - (old.get(account) ?? 0n) + paid;
        return change === 0n ? [] : [[account, change]];
      });
      for (const one of found) compare(one, receipt, new Map(changes), call);
      for (const one of found.slice(0, receipt.status === "0x1" ? 2 : 0))
        slots += await compareStorage(one, BigInt(receipt.blockNumber));
      old = now;
    }
    assert.ok(slots > 0);
  });

  test("is decoded from its signed bytes, and sends none of them", async () => {
    node.refused = [];
    node.passed.length = 0;
    const data = encodeErrorResult({ abi, errorName: "TooPoor", args: [account.address, 5n] });
    const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n };
    const signed = {
      chainId: 31_337,
      nonce: 7,
      gas: 60_000n,
      ...fees,
      to: contracts.reverter[0],
      data,
    } as const;
    const output = await simulated(`tx = send ${await account.signTransaction(signed)}\nwait $tx`);
    const [line, waiting] = output.lines;
    assert.equal(line?.simulation?.revert?.name, "TooPoor");
    assert.deepEqual(line?.simulation?.facts[0], ["From", account.address]);
    const reason = "Simulated by eth_simulateV1, not sent: it reverts: TooPoor.";
    assert.ok(line?.outcome.kind === "unsent" && line.outcome.reason.startsWith(reason));
    assert.match(JSON.stringify(waiting?.outcome), /needs \$tx, which was simulated and not sent/);
    assert.equal(isFine(output), false);
    assert.deepEqual(node.passed, ["eth_simulateV1"]);
  });

  test("is refused if the balance is too small, with the node's words", async () => {
    for (const [method, refused] of methods) {
      node.refused = refused;
      const [from = "", to = ""] = accounts;
      const call = { from, to, value: `0x${"f".repeat(30)}`, data: "0x", gas: "0x5208" };
      const { status, message, method: by } = await simulatedCall(call);
      assert.deepEqual([status, by], ["refused", method]);
      assert.match(message ?? "", /insufficient funds/i);
    }
  });

  test("needs a method of the node, and an EVM transaction", async () => {
    node.refused = ["eth_simulateV1", "debug_traceCall", "eth_call"];
    const [from] = accounts;
    const { lines } = await simulated(`eth_sendTransaction { from: ${from}, to: ${from} }`);
    assert.match(
      JSON.stringify(lines[0]?.outcome),
      /The node can't simulate this transaction: eth_simulateV1: /,
    );
    const solana = await simulated('sendTransaction "AAAA"');
    assert.match(JSON.stringify(solana.lines[0]?.outcome), /only EVM transactions/);
  });

  test("ends when it is stopped", async () => {
    node.refused = [];
    const [from] = accounts;
    const stopped = AbortSignal.abort();
    const { lines, problem } = await simulated(`eth_sendTransaction { from: ${from}, to: ${from} }`, stopped);
    assert.ok(problem);
    assert.equal(lines[0]?.outcome.kind, "unsent");
  });

  test("is not made if the address of the node is not allowed, which the run says once", async () => {
    const [from] = accounts;
    const statement = `eth_sendTransaction { from: ${from}, to: ${from} }`;
    const { problem } = await simulated(statement, new AbortController().signal, "http://192.0.2.1:8545");
    assert.match(problem?.sentence ?? "", /must be an address of this machine/);
  });
});
