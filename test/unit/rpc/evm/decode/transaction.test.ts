// Signed transactions on real nodes, under all faults of the sandbox.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  commitmentToVersionedHash,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseAbi,
  parseEther,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import { spentBy } from "../../../../../src/rpc/run/cellRun.ts";
import { needsConsent } from "../../../../../src/rpc/run/write/writes.ts";
import type { Fault } from "../../../../serviceKit/faults.ts";
import { type NodeLog, openNodeLog } from "../../nodeLog.ts";
import { type Bench, openBench, projectOf } from "../../notebook.ts";

/** Anvil's public test accounts. */
const account = mnemonicToAccount("test test test test test test test test test test test junk", {
  addressIndex: 5,
});
const to = "0x00000000000000000000000000000000000000aa";

describe("a signed transaction", () => {
  let bench: Bench;
  let nodeLog: NodeLog;
  before(async () => {
    nodeLog = await openNodeLog();
    bench = await openBench({ nodes: true, nodeProgram: nodeLog.program }, "standard", { headersMs: 10_000 });
  });
  after(async () => {
    await bench.close();
    await nodeLog.close();
  });

  let nonce = 0;
  const signed = (chainId = 8453) =>
    account.signTransaction({
      to,
      value: parseEther("0.01"),
      nonce,
      gas: 21_000n,
      maxFeePerGas: 5_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      chainId,
      type: "eip1559",
    });
  const run = (text: string, on = "base-mainnet") => bench.run(projectOf([text], [on]));
  /** Number of requests with a transaction. */
  const arrivals = () =>
    bench.sandbox.requests.filter(({ bodyText }) => bodyText.includes("eth_sendRawTransaction")).length;
  /** Number of transactions that reached a node, by the node's own log. */
  const submissions = async () => {
    const mark = nodeLog.count("net_listening");
    await run("net_listening");
    return nodeLog.countOnce("eth_sendRawTransaction", "net_listening", mark + 1);
  };
  const outcomeOf = async (text: string, on?: string) => {
    const { rounds, problem } = await run(text, on);
    return { line: rounds[0]?.lines.at(-1), outcome: rounds[0]?.lines.at(-1)?.outcome, problem };
  };

  test("is shown before it is sent to a main network, and then mined", async () => {
    const raw = await signed();
    const { outcome } = await outcomeOf(`tx = send ${raw}\nwait $tx`);
    nonce++;
    assert.ok(outcome?.kind === "result");
    assert.equal((outcome.value as { status: string }).status, "0x1");
    const question = bench.questions.at(-1);
    const facts = new Map(question?.facts);
    assert.equal(facts.get("To")?.toLowerCase(), to);
    assert.equal(facts.get("Value"), "0.01 ETH");
    assert.match(facts.get("Fee") ?? "", /^at most 0\.000105 ETH /);
    assert.equal(facts.get("From"), account.address);
    assert.equal(facts.get("Nonce"), "0, the next one");
  });

  test("is shown with its function, and its nonce beside the next one; both requests are on the bill", async () => {
    bench.answerQuestions(false);
    const call = {
      to,
      gas: 60_000n,
      maxFeePerGas: 5_000_000_000n,
      chainId: 8453,
      type: "eip1559",
      data: encodeFunctionData({ abi: parseAbi(["function pay(address who, uint256 n)"]), args: [to, 5n] }),
    } as const;
    const factsOf = async (due: number) => {
      const raw = await account.signTransaction({ ...call, nonce: due });
      const { estimatedCredits, rounds } = await run(
        `@abi "function pay(address who, uint256 n)"\nsend ${raw}`,
      );
      assert.equal(estimatedCredits, 40);
      assert.equal(rounds[0]?.calls.length, 1);
      return new Map(bench.questions.at(-1)?.facts);
    };
    assert.match((await factsOf(0)).get("Nonce") ?? "", /^0, which is already used; the next one is 1$/);
    const facts = await factsOf(3);
    assert.match(facts.get("Nonce") ?? "", /^3; the next one is 1, so it waits for 2 others$/);
    assert.match(facts.get("Data") ?? "", /^pay\(who 0x0{38}[aA]{2}, n 5\)$/);
    bench.answerQuestions(true);
  });

  test("is not sent when declined, or when it is for another chain", async () => {
    const before = arrivals();
    bench.answerQuestions(false);
    const no = await outcomeOf(`send ${await signed()}`);
    bench.answerQuestions(true);
    assert.match((no.outcome as { reason: string }).reason, /you declined/);
    const foreign = await outcomeOf(`eth_sendRawTransaction ${await signed(1)}`);
    assert.match((foreign.outcome as { reason: string }).reason, /signed for chain 1 \(ethereum-mainnet\)/);
    const garbage = await outcomeOf("send 0x02f8");
    assert.match((garbage.outcome as { reason: string }).reason, /not a signed transaction/);
    const literal = await outcomeOf(
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_sendRawTransaction", params: [await signed(1)] }),
    );
    assert.equal(literal.outcome?.kind, "unsent");
    assert.equal(arrivals(), before);
  });

  test("is sent to a test network without a question", async () => {
    const before = bench.questions.length;
    const raw = await account.signTransaction({
      to,
      value: 1n,
      nonce: 0,
      gas: 21_000n,
      maxFeePerGas: 5_000_000_000n,
      chainId: 84_532,
      type: "eip1559",
    });
    assert.equal((await outcomeOf(`send ${raw}`, "base-sepolia")).outcome?.kind, "result");
    assert.equal(bench.questions.length, before);
  });

  const match = { method: "POST", path: "/crypto/rpc/base-mainnet" };
  const silent = { kind: "slow-headers", ms: 60_000, times: 1, match } as const;
  const faults: Readonly<Record<string, Fault>> = {
    "an answer that comes too late": silent,
    "cut before the answer": { kind: "drop", late: true, times: 1, match },
    "cut before it arrived": { kind: "drop", times: 1, match },
    "500 after the work": { kind: "status", status: 500, late: true, times: 1, match },
    "502 after the work": { kind: "status", status: 502, late: true, times: 1, match },
    "503 before the work": { kind: "status", status: 503, times: 1, match },
    "504 after the work": { kind: "status", status: 504, late: true, times: 1, match },
    "429 before the work": { kind: "status", status: 429, times: 1, match },
    "an edge's page": { kind: "html", status: 502, times: 1, match },
    "half an answer": { kind: "cut", bytes: 12, times: 1, match },
    "an answer that ends early": { kind: "truncate", bytes: 12, times: 1, match },
    "an edge's page after the work": { kind: "html", status: 524, late: true, times: 1, match },
    "429 after the work": { kind: "status", status: 429, late: true, times: 1, match },
    "503 after the work": { kind: "status", status: 503, late: true, times: 1, match },
    "401 before the work": { kind: "status", status: 401, times: 1, match },
    "402 before the work": { kind: "status", status: 402, times: 1, match },
    "sent elsewhere": { kind: "redirect", location: "http://127.0.0.1:9/", times: 1, match },
    "sent elsewhere after the work": {
      kind: "redirect",
      location: "/api/v1/models",
      late: true,
      times: 1,
      match,
    },
    "a slow answer": { kind: "drip", bytes: 20, ms: 1, times: 1, match },
    "no answer to the call": { kind: "edit", edit: () => [], times: 1, match },
    "neither result nor error": { kind: "edit", edit: () => ({ jsonrpc: "2.0", id: 1 }), times: 1, match },
    "an answer without its headers": {
      kind: "headers",
      headers: { "x-service-rpc-credits": "" },
      times: 1,
      match,
    },
    "an answer of another kind": { kind: "json", body: { hello: 1 }, times: 1, match },
  };
  for (const [name, fault] of Object.entries(faults)) {
    test(`has one request at a time, and reaches the node at most once: ${name}`, async () => {
      const raw = await signed();
      const before = arrivals();
      const onNode = await submissions();
      // The first request asks for the next nonce.
      bench.sandbox.setFaults([{ ...fault, after: 1 }]);
      const { outcome, line } = await outcomeOf(`send ${raw}`);
      bench.sandbox.setFaults([]);
      assert.equal(arrivals(), before + 1);
      assert.ok((await submissions()) <= onNode + 1);
      const known = await outcomeOf(`eth_getTransactionCount ${account.address} pending`);
      const count = known.outcome?.kind === "result" ? Number(known.outcome.value) : Number.NaN;
      // If the node has it, the run says so; otherwise it says that it may be looked up.
      if (count > nonce) {
        assert.equal(outcome?.kind, "result");
        assert.match(line?.note ?? "", /[Tt]he transaction is on the node|^$/);
      } else assert.notEqual(outcome?.kind, "result");
      nonce = count;
      // Running the cell again sends it again only if the node does not have it.
      const again = await outcomeOf(`send ${raw}`);
      assert.ok(arrivals() <= before + 2);
      if (outcome?.kind === "result") {
        assert.equal(arrivals(), before + 1);
        // Its hash is the result, so that lines such as wait go on.
        assert.deepEqual(again.outcome, outcome);
        assert.match(again.line?.note ?? "", /was sent before and is on the node. It was not sent again/);
      } else nonce++;
      assert.equal(await submissions(), onNode + 1);
    });
  }

  test("with blobs is read like others; its hash is that of the signed content", async () => {
    const blob: Hex = `0x${"00".repeat(131_072)}`;
    // Commitment and proof of the zero polynomial: the point at infinity.
    const nothing: Hex = `0xc0${"00".repeat(47)}`;
    const one = {
      to,
      value: parseEther("0.01"),
      nonce,
      gas: 21_000n,
      maxFeePerGas: 5_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      maxFeePerBlobGas: 1_000_000_000n,
      chainId: 8453,
      type: "eip4844",
      blobVersionedHashes: [commitmentToVersionedHash({ commitment: nothing })],
    } as const;
    const sidecars = [{ blob, commitment: nothing, proof: nothing }];
    const raw = await account.signTransaction({ ...one, sidecars });
    const bare = await account.signTransaction(one);
    for (const form of [raw, bare]) {
      const { hash, blobs, maxFee, value } = evm.readTransaction(form);
      assert.equal(hash, keccak256(bare));
      assert.deepEqual([blobs, value, maxFee], [1, "0.01", "0.000236072"]);
    }
    const { outcome, line } = await outcomeOf(`send ${raw}`);
    assert.deepEqual(outcome, { kind: "result", value: keccak256(bare) }, line?.note);
    nonce++;
  });

  test("a look-up is on the bill", async () => {
    bench.sandbox.setFaults([{ kind: "status", status: 500, late: true, times: 1, after: 1, match }]);
    const lost = await run(`send ${await signed()}`);
    bench.sandbox.setFaults([]);
    nonce++;
    // The nonce request before it, and the hash after it; the lost reply named no charge.
    assert.equal(spentBy(lost).credits, 40);
    assert.equal(lost.rounds[0]?.calls.length, 2);
  });
});

test("the user is asked wherever money may be real, whatever names a service gives its networks", () => {
  const asked = (network: string, chainId: number | undefined) => needsConsent(network, { chainId });
  assert.equal(asked("ethereum-mainnet", 1), true);
  assert.equal(asked("ethereum-sepolia", 11155111), false);
  assert.equal(asked("ethereum-sepolia", undefined), true);
  assert.equal(asked("own-testnet", 1), true);
  assert.equal(asked("own-testnet", 987654), true);
  assert.equal(asked("own-testnet", 11155111), false);
  assert.equal(asked("own", 11155111), true);
  assert.equal(asked("local", 1), false);
});
