// Amounts are in the unit of their token, and accounts have names: by a table, or by look-ups that the cell enables.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import {
  encodeAbiParameters,
  formatUnits,
  getAddress,
  type Hex,
  parseAbiParameters,
  stringToHex,
} from "viem";
import { createUndiciTransport } from "../../../../../src/api/transport/undici.ts";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import { diagnose } from "../../../../../src/rpc/language/check/diagnose/diagnose.ts";
import type { RpcOutput } from "../../../../../src/rpc/output/rpcOutput.ts";
import { withTokens } from "../../../../../src/rpc/run/expect/tokenAmounts.ts";
import { SentTransactions, Values } from "../../../../../src/rpc/run/expect/values.ts";
import { ensNamesIn, withAccounts } from "../../../../../src/rpc/run/lookUp/addresses.ts";
import { isFine, outputText, toOutput } from "../../../../../src/rpc/run/output.ts";
import { estimateCell } from "../../../../../src/rpc/run/plan/estimate.ts";
import { planCell } from "../../../../../src/rpc/run/plan/plan.ts";
import { planCellRun } from "../../../../../src/rpc/run/plan/runPlan.ts";
import { runCell } from "../../../../../src/rpc/run/runCell.ts";
import { createSender } from "../../../../../src/rpc/run/senders.ts";
import { type Bench, openBench, projectOf } from "../../notebook.ts";
import { contracts } from "../../randomCalls.ts";
import { openRefusingNode, type RefusingNode } from "../../refusingNode.ts";
import { deployMulticall, storeReply } from "../../storedReplies.ts";

const transport = createUndiciTransport();
let node: RefusingNode;
let bench: Bench;
let from: Hex;

const word = (value: bigint): Hex => encodeAbiParameters(parseAbiParameters("uint256"), [value]);
const textOf = (value: string): Hex => encodeAbiParameters(parseAbiParameters("string"), [value]);
const [token, fake, old, none] = [1, 2, 3, 4].map((at): Hex => `0x${String(at).repeat(40)}`) as [
  Hex,
  Hex,
  Hex,
  Hex,
];

async function store(to: Hex, replies: Readonly<Record<string, Hex>>): Promise<void> {
  for (const [calldata, reply] of Object.entries(replies)) await storeReply(node, to, calldata as Hex, reply);
}

before(async () => {
  node = await openRefusingNode();
  bench = await openBench();
  await deployMulticall(node);
  [from] = (await node.ask("eth_accounts")) as [Hex];
  const balance = evm.encodeCall("balanceOf(address)", [from]);
  await store(token, {
    "0x95d89b41": textOf("\u202eT\u0000ST "),
    "0x313ce567": word(3n),
    [balance]: word(12_500n),
  });
  await store(fake, { "0x95d89b41": textOf("usdc"), "0x313ce567": word(6n), [balance]: word(5n) });
  await store(old, {
    "0x95d89b41": stringToHex("MKR", { size: 32 }),
    "0x313ce567": word(0n),
    [balance]: word(7n),
  });
  await store(none, { [balance]: word(7n) });
  const { to, data } = evm.encodeReverse(from.toLowerCase());
  const reply = encodeAbiParameters(parseAbiParameters("string, address, address"), [
    "first.eth",
    from,
    from,
  ]);
  await storeReply(node, to as Hex, data as Hex, reply);
});
after(async () => {
  await node.close();
  await bench.close();
  await transport.close();
});

/** Runs a cell at the node, and returns its output and the number of requests. */
async function ran(text: string): Promise<{ readonly output: RpcOutput; readonly requests: number }> {
  const sender = createSender(
    () => assert.fail("Nothing goes to the service"),
    () => node.url,
    transport,
  );
  let requests = 0;
  const run = await runCell(
    {
      sender: {
        send(...request) {
          requests++;
          return sender.send(...request);
        },
      },
      loadEvm: async () => evm,
      values: new Values(),
      sentTransactions: new SentTransactions(),
      consent: async () => true,
      pause: async () => {},
      now: Date.now,
    },
    planCellRun(projectOf([text], ["local"]), 0),
    new AbortController().signal,
    () => {},
  );
  const output = toOutput(run, { runId: "1", evm, service: "The service", isSandbox: false });
  return {
    output: withAccounts(withTokens(output, run), evm, ensNamesIn(run)),
    requests,
  };
}

function amountOf({ lines }: RpcOutput, at: number): string | undefined {
  const outcome = lines[at]?.outcome;
  assert.ok(outcome?.kind === "result" && outcome.decoded?.kind === "values", JSON.stringify(outcome));
  return outcome.decoded.values[0]?.amount;
}

const balances = [token, fake, old, none]
  .map((one) => `call ${one} balanceOf(address)(uint256) FROM`)
  .join("\n");

describe("@lookup tokens", () => {
  test("shows amounts in the unit of each token, by one request for all", async () => {
    const { output, requests } = await ran(`@lookup tokens\n${balances.replaceAll("FROM", from)}`);
    assert.ok(isFine(output));
    assert.equal(requests, 2);
    assert.deepEqual(
      [0, 1, 2, 3].map((at) => amountOf(output, at)),
      ["12.5 T ST", "0.000005 of a token that calls itself usdc", "7 MKR", undefined],
    );
    assert.ok(outputText(output).includes("12.5 T ST (12500)"));
  });

  test("is not done unless the cell asks for it", async () => {
    const { output, requests } = await ran(balances.replaceAll("FROM", from));
    assert.equal(requests, 1);
    assert.equal(amountOf(output, 0), undefined);
  });

  test("covers the logs of transfers", async () => {
    const [coin, code] = contracts.coin;
    await node.ask("anvil_setCode", coin, code);
    const data = evm.encodeCall("transfer(address,uint256)", [from, "1500"]);
    const hash = await node.ask("eth_sendTransaction", { from, to: coin, data, gas: "0x30d40" });
    await node.ask("anvil_mine", "0x1");
    // The contract has neither symbol nor decimals, so its amounts stay as they are.
    const { output } = await ran(`@lookup tokens names\neth_getTransactionReceipt ${hash}`);
    assert.ok(isFine(output), JSON.stringify(output.problem));
    const outcome = output.lines[0]?.outcome;
    assert.ok(outcome?.kind === "result" && outcome.decoded?.kind === "events");
    assert.equal(outcome.decoded.events[0]?.values[2]?.amount, undefined);
    assert.equal(output.accounts?.find(({ address }) => address === getAddress(from))?.name, "first.eth");
  });

  test("reads any reply without a fault, and bounds its symbol", () => {
    const reply = fc.record({
      success: fc.boolean(),
      returnData: fc.oneof(
        fc.uint8Array({ maxLength: 200 }).map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`),
        fc.string({ unit: "binary", maxLength: 60 }).map((text) => textOf(text.toWellFormed())),
      ),
    });
    fc.assert(
      fc.property(reply, fc.bigInt({ min: 0n, max: 300n }), (symbol, decimals) => {
        const found = evm.decodeToken(symbol, { success: true, returnData: word(decimals) });
        if (!found) return;
        assert.ok([...found.symbol].length <= 13 && !/[\p{C}\p{M}]/u.test(found.symbol));
        assert.ok(found.decimals <= 77);
        evm.decodeReverse(symbol);
      }),
    );
  });
});

describe("@lookup names", () => {
  test("shows the names of addresses that lead back to them, by one request", async () => {
    const { output, requests } = await ran("@lookup names\neth_accounts");
    assert.ok(isFine(output));
    assert.equal(requests, 2);
    const named = output.accounts?.filter(({ name }) => name !== undefined);
    assert.deepEqual(named, [{ address: getAddress(from), name: "first.eth" }]);
  });

  test("asks once for an address in all rounds, and not without an address", async () => {
    assert.equal((await ran("@lookup names\n@every 1s\n@times 3\neth_accounts")).requests, 4);
    assert.equal((await ran("@lookup names tokens\neth_chainId")).requests, 1);
  });
});

describe("the price", () => {
  test("of a look-up is in the estimate, and none is spent without it", async () => {
    const credits = (text: string, on: string) => estimateCell(planCell(projectOf([text], [on]), 0)).credits;
    assert.equal(credits("@lookup tokens names\neth_chainId", "ethereum-mainnet"), 60);
    assert.equal(credits("@lookup tokens names\neth_chainId", "base-mainnet"), 40);
    assert.equal(credits("@network ethereum-mainnet base-mainnet\n@lookup names\neth_chainId", "x"), 60);
    assert.equal(credits("@every 2s\n@times 3\n@lookup names\neth_chainId", "ethereum-mainnet"), 120);
    assert.equal(credits("@lookup tokens\neth_chainId", "local"), 0);
    assert.match(
      diagnose(projectOf(["@lookup prices\neth_chainId"]), 0)
        .map(({ message }) => message)
        .join(),
      /tokens/,
    );
    const text = `@lookup tokens\ncall ${none} balanceOf(address)(uint256) ${from}`;
    const run = await bench.run(projectOf([text], ["ethereum-mainnet"]));
    assert.equal(run.problem, undefined);
    assert.ok((run.rounds[0]?.calls.length ?? 0) === 2);
  });
});

describe("a widely used token", () => {
  const usdc = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";

  test("has its unit without a request, exact for each amount", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 2n }), (amount) => {
        const text = shown(usdc, amount, false);
        assert.equal(text, `${formatUnits(amount, 6)} USDC`);
      }),
    );
    assert.equal(shown(usdc, 2n ** 256n - 1n, false), "unlimited USDC");
    assert.equal(shown(usdc, 5n, true), undefined);
  });

  test("is listed with a correct checksum, so that a mistyped digit is noticed", () => {
    const source = readFileSync("src/rpc/run/lookUp/knownTokens.ts", "utf8");
    const listed = source.match(/0x[0-9a-fA-F]{40}/g) ?? [];
    assert.ok(listed.length >= 30);
    for (const one of listed) assert.equal(one, getAddress(one));
  });

  /** The amount of a decoded balance of a token on Ethereum. */
  function shown(to: string, amount: bigint, isSandbox: boolean): string | undefined {
    const value = word(amount);
    const signature = "balanceOf(address)(uint256)";
    const decoded = { kind: "values", values: evm.decodeCallResult(signature, value) ?? [] } as const;
    const output = {
      ...(isSandbox ? { isPlayMoney: true } : {}),
      lines: [
        { network: "ethereum-mainnet", outcome: { kind: "result", view: "data", value, bytes: 0, decoded } },
      ],
    } as unknown as RpcOutput;
    const run = {
      lookedUp: { tokens: new Map(), names: new Map() },
      rounds: [{ lines: [{ decoding: { by: "call", signature, to } }] }],
    } as unknown as Parameters<typeof withTokens>[1];
    return amountOf(withTokens(output, run), 0);
  }
});
