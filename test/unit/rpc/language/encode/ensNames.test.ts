// ENS names stand where an address can: they are resolved before anything else is sent, for a price that is known before.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { encodeAbiParameters, getAddress, type Hex, namehash, parseAbiParameters } from "viem";
import { normalize } from "viem/ens";
import { createUndiciTransport } from "../../../../../src/api/transport/undici.ts";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import { diagnose } from "../../../../../src/rpc/language/check/diagnose/diagnose.ts";
import { readEnsName } from "../../../../../src/rpc/language/encode/ensNames.ts";
import type { Environments } from "../../../../../src/rpc/language/environment/environments.ts";
import type { CellRun } from "../../../../../src/rpc/run/cellRun.ts";
import { SentTransactions, Values } from "../../../../../src/rpc/run/expect/values.ts";
import { ensNamesIn, withAccounts } from "../../../../../src/rpc/run/lookUp/addresses.ts";
import { toOutput } from "../../../../../src/rpc/run/output.ts";
import { estimateCell } from "../../../../../src/rpc/run/plan/estimate.ts";
import { planCell } from "../../../../../src/rpc/run/plan/plan.ts";
import { planCellRun } from "../../../../../src/rpc/run/plan/runPlan.ts";
import { runCell } from "../../../../../src/rpc/run/runCell.ts";
import { createSender } from "../../../../../src/rpc/run/senders.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { type Bench, environmentsOf, openBench, projectOf } from "../../notebook.ts";
import { openRefusingNode, type RefusingNode } from "../../refusingNode.ts";
import { deployMulticall, storeReply } from "../../storedReplies.ts";

const transport = createUndiciTransport();
let node: RefusingNode;
let bench: Bench;

const owner = getAddress("0xd8da6bf26964af9d7eed9e03e53415d37aa96045");

/** The reply of the Universal Resolver with an address. */
function replyOf(address: Hex): Hex {
  const word = encodeAbiParameters(parseAbiParameters("address"), [address]);
  return encodeAbiParameters(parseAbiParameters("bytes, address"), [word, owner]);
}

async function register(name: string, address: Hex): Promise<void> {
  const { to, data } = evm.encodeResolve(name);
  await storeReply(node, to as Hex, data as Hex, replyOf(address));
}

before(async () => {
  node = await openRefusingNode();
  bench = await openBench();
  await deployMulticall(node);
  await register("vitalik.eth", owner);
  await register("nobody.eth", "0x0000000000000000000000000000000000000000");
});
after(async () => {
  await node.close();
  await bench.close();
  await transport.close();
});

/** Runs the first cell at the node, and returns the requests that it sent. */
async function ran(
  text: string,
  environments?: Environments,
): Promise<{ readonly run: CellRun; readonly sent: readonly string[] }> {
  const sent: string[] = [];
  const sender = createSender(
    () => assert.fail("Nothing goes to the service"),
    () => node.url,
    transport,
  );
  const run = await runCell(
    {
      sender: {
        send(network, body, options) {
          sent.push(
            [body]
              .flat()
              .map(({ method, params }) => `${method} ${JSON.stringify(params)}`)
              .join("\n"),
          );
          return sender.send(network, body, options);
        },
      },
      loadEvm: async () => evm,
      values: new Values(),
      sentTransactions: new SentTransactions(),
      consent: () => assert.fail("nothing asks"),
      pause: async () => {},
      now: Date.now,
    },
    planCellRun({ ...projectOf([text], ["local"]), ...(environments ? { environments } : {}) }, 0),
    new AbortController().signal,
    () => {},
  );
  return { run, sent };
}

describe("an ENS name", () => {
  test("is normalized like viem does it, as far as it is ASCII; other names are refused", () => {
    const letters = fc.string({ unit: fc.constantFrom(..."aZ09-_$.' !#/@~"), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.oneof(letters, fc.domain(), fc.string({ unit: "grapheme" })), (label) => {
        const text = `${label}.eth`;
        const read = readEnsName(text);
        assert.ok(read);
        if (!("name" in read)) return;
        assert.equal(read.name, normalize(text));
        assert.ok(evm.encodeResolve(read.name).data.includes(namehash(normalize(text)).slice(2)));
      }),
      { numRuns: randomCases(500) },
    );
    for (const valid of ["a.eth", "_a.eth", "a-b.eth", "__.eth", "A1.b.eth", "$.eth"])
      assert.deepEqual(readEnsName(valid), { name: normalize(valid) });
    for (const text of ["ab--c.eth", "a_b.eth", "a..eth", ".eth", "а.eth", `${"a".repeat(260)}.eth`])
      assert.ok("problem" in (readEnsName(text) ?? {}), text);
    for (const text of ["latest", "0x12", ""]) assert.equal(readEnsName(text), undefined);
  });

  test("is resolved once for all lines, also in constants, arguments and lists", async () => {
    const { run, sent } = await ran(
      [
        "me = vitalik.eth",
        "eth_getBalance $me latest",
        'eth_getTransactionCount "Vitalik.ETH" latest',
        "eth_getLogs { address: [vitalik.eth], fromBlock: latest, toBlock: latest }",
        `call ${owner} balanceOf(address)(uint256) vitalik.eth`,
        `call ${owner} setName(string) "vitalik.eth"`,
        "logs _ Transfer(address,address,uint256) _ vitalik.eth",
      ].join("\n"),
    );
    assert.equal(run.problem, undefined);
    assert.equal(sent.length, 2);
    assert.equal(sent[1]?.split(owner).length, 6, sent[1]);
    assert.ok(sent[1]?.includes(Buffer.from("vitalik.eth").toString("hex")), "the text stays a text");
    assert.ok(sent[1]?.split(owner.slice(2).toLowerCase()).length === 3, "an argument and a topic");
    const output = withAccounts(
      toOutput(run, { runId: "1", evm, service: "The service", isSandbox: false }),
      evm,
      ensNamesIn(run),
    );
    assert.equal(output.lines[0]?.note, `vitalik.eth is ${owner}`);
    assert.deepEqual(output.accounts, [{ address: owner, name: "vitalik.eth" }]);
  });

  test("in quotes is a text inside an object; a variable of an environment has no quotes", async () => {
    const variables = environmentsOf({ staging: "ADMIN=vitalik.eth" }, { chosen: "staging" });
    const { run, sent } = await ran(
      `eth_call { from: "vitalik.eth", to: {{ADMIN}}, data: 0x } latest`,
      variables,
    );
    assert.equal(run.problem, undefined);
    assert.ok(sent.at(-1)?.includes(`{"from":"vitalik.eth","to":"${owner}","data":"0x"}`), sent.at(-1));
  });

  test("is resolved once for all rounds of a polling cell", async () => {
    const { sent } = await ran("@every 1s\n@times 3\neth_getBalance vitalik.eth latest");
    assert.deepEqual(
      sent.map((one) => one.split(" ")[0]),
      ["eth_call", "eth_getBalance", "eth_getBalance", "eth_getBalance"],
    );
  });

  test("without an address stops the cell, and nothing else is sent", async () => {
    for (const name of ["nobody.eth", "unknown.eth"]) {
      const { run, sent } = await ran(`eth_blockNumber\neth_getBalance ${name} latest`);
      assert.match(
        String(run.problem),
        new RegExp(`${name} was not resolved on local: it has no address.*Nothing`),
      );
      assert.equal(sent.length, 1);
      assert.ok(run.rounds[0]?.lines.every(({ outcome }) => outcome.kind === "unsent"));
    }
  });

  test("is refused before anything is sent on networks without ENS, and if it is not valid", () => {
    const of = (text: string, on: string) =>
      diagnose(projectOf([text], [on]), 0, evm).flatMap(({ refuses, message }) => (refuses ? [message] : []));
    assert.match(
      of("eth_getBalance a.eth latest", "base-mainnet").join(),
      /a\.eth can't be resolved on base/,
    );
    assert.match(
      of("eth_getBalance ab--c.eth latest", "ethereum-mainnet").join(),
      /ab--c\.eth is not a valid/,
    );
    assert.match(of('eth_getBalance "ä.eth" latest', "ethereum-mainnet").join(), /characters other than a-z/);
    assert.deepEqual(of("eth_getBalance a.eth latest", "ethereum-mainnet"), []);
  });

  test("that is kept outside of the chain says so, and any reply is read without a fault", () => {
    assert.match(JSON.stringify(evm.decodeResolve({ success: false, returnData: "0x556f1830" })), /CCIP/);
    fc.assert(
      fc.property(fc.boolean(), fc.uint8Array({ maxLength: 200 }), (success, bytes) => {
        const returnData = `0x${Buffer.from(bytes).toString("hex")}`;
        const read = evm.decodeResolve({ success, returnData });
        assert.ok("reason" in read || read.address === getAddress(read.address));
        assert.ok(evm.decodeBatch(returnData, 1) === undefined);
      }),
    );
  });

  test("is part of the price before the run, once for 50 names and all rounds", async () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, at) => `eth_getBalance n${at}.eth latest`).join("\n");
    const credits = (text: string) =>
      estimateCell(planCell(projectOf([text], ["ethereum-mainnet"]), 0)).credits;
    assert.equal(credits(lines(1)), 40);
    assert.equal(credits(lines(50)), 50 * 20 + 20);
    assert.equal(credits(lines(51)), 51 * 20 + 40);
    assert.equal(credits(`@every 2s\n@times 5\n${lines(1)}`), 5 * 20 + 20);
    assert.deepEqual(planCell(projectOf([lines(2)]), 0).names, ["n0.eth", "n1.eth"]);
    const run = await bench.run(projectOf([lines(1)], ["ethereum-mainnet"]));
    assert.match(String(run.problem), /n0\.eth was not resolved/);
    assert.ok(run.rounds[0]?.calls.length === 1 && run.estimatedCredits === 40);
  });
});
