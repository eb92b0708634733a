// Signed transactions before real nodes, under all that the sandbox can do to a request.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { parseEther } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { spentBy } from "../../../src/features/rpc/run/runCell.ts";
import type { Fault } from "../../../src/sandbox/main.ts";
import { type Bench, openBench, projectOf } from "./notebook.ts";

/** The accounts that anvil gives its coins to, known to everybody. */
const account = mnemonicToAccount("test test test test test test test test test test test junk", {
  addressIndex: 5,
});
const to = "0x00000000000000000000000000000000000000aa";

describe("a signed transaction", () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench({ nodes: true });
  });
  after(() => bench.close());

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
  /** How often a transaction was on its way to the node. */
  const arrivals = () =>
    bench.sandbox.requests.filter(({ bodyText }) => bodyText.includes("eth_sendRawTransaction")).length;
  const outcomeOf = async (text: string, on?: string) => {
    const { rounds, problem } = await run(text, on);
    return { line: rounds[0]?.lines.at(-1), outcome: rounds[0]?.lines.at(-1)?.outcome, problem };
  };

  test("is shown before it leaves for a main network, and then mined", async () => {
    const raw = await signed();
    const { outcome } = await outcomeOf(`tx = send ${raw}\nwait $tx`);
    nonce++;
    assert.ok(outcome?.kind === "result");
    assert.equal((outcome.value as { status: string }).status, "0x1");
    const question = bench.questions.at(-1);
    assert.equal(question?.transaction.to?.toLowerCase(), to);
    assert.equal(question?.transaction.value, "0.01");
    assert.equal(question?.transaction.maxFee, "0.000105");
  });

  test("stays here when the answer is no, or when it is for another chain", async () => {
    const before = arrivals();
    bench.answerQuestions(false);
    const no = await outcomeOf(`send ${await signed()}`);
    bench.answerQuestions(true);
    assert.match((no.outcome as { reason: string }).reason, /you said no/);
    const foreign = await outcomeOf(`eth_sendRawTransaction ${await signed(1)}`);
    assert.match((foreign.outcome as { reason: string }).reason, /signed for chain 1 \(ethereum-mainnet\)/);
    const garbage = await outcomeOf("send 0x02f8");
    assert.match((garbage.outcome as { reason: string }).reason, /no signed transaction/);
    const literal = await outcomeOf(
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_sendRawTransaction", params: [await signed(1)] }),
    );
    assert.equal(literal.outcome?.kind, "unsent");
    assert.equal(arrivals(), before);
  });

  test("goes to a test network without a question", async () => {
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
  const faults: Readonly<Record<string, Fault>> = {
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
    "an answer of another kind": { kind: "json", body: { hello: 1 }, times: 1, match },
  };
  for (const [name, fault] of Object.entries(faults)) {
    test(`is on its way once: ${name}`, async () => {
      const raw = await signed();
      const before = arrivals();
      bench.sandbox.setFaults([fault]);
      const { outcome, line } = await outcomeOf(`send ${raw}`);
      bench.sandbox.setFaults([]);
      assert.equal(arrivals(), before + 1);
      const known = await outcomeOf(`eth_getTransactionCount ${account.address} pending`);
      const count = known.outcome?.kind === "result" ? Number(known.outcome.value) : Number.NaN;
      // Where the node has it, the run says so; where it has not, it says that it may be looked up.
      if (count > nonce) {
        assert.equal(outcome?.kind, "result");
        assert.match(line?.note ?? "", /the node has the transaction|^$/);
      } else assert.notEqual(outcome?.kind, "result");
      nonce = count;
      // Running the cell again sends it again only where the node has not got it.
      const again = await outcomeOf(`send ${raw}`);
      assert.ok(arrivals() <= before + 2);
      if (outcome?.kind === "result") {
        assert.equal(arrivals(), before + 1);
        assert.match((again.outcome as { reason: string }).reason, /was sent before/);
      } else nonce++;
    });
  }

  test("a look-up is on the bill", async () => {
    bench.sandbox.setFaults([{ kind: "status", status: 500, late: true, times: 1, match }]);
    const lost = await run(`send ${await signed()}`);
    bench.sandbox.setFaults([]);
    nonce++;
    assert.equal(spentBy(lost).credits, 20);
    assert.equal(lost.rounds[0]?.calls.length, 1);
  });
});
