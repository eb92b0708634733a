// Through the service: a method that it refuses is followed by the next one, and every request is on the bill.

import assert from "node:assert/strict";
import { test } from "node:test";
import { mnemonicToAccount } from "viem/accounts";
import { evm } from "../../../../src/rpc/evm/evm.ts";
import { refusalOf } from "../../../../src/rpc/language/check/diagnose/diagnose.ts";
import { failureOf, isFine, toOutput } from "../../../../src/rpc/run/output.ts";
import { estimateSimulation } from "../../../../src/rpc/run/plan/estimate.ts";
import { planCell } from "../../../../src/rpc/run/plan/plan.ts";
import { planCellRun } from "../../../../src/rpc/run/plan/runPlan.ts";
import { runCell } from "../../../../src/rpc/run/runCell.ts";
import { isSimulated } from "../../../../src/rpc/simulate/simulate.ts";
import { openBench, projectOf } from "../notebook.ts";

const account = mnemonicToAccount("test test test test test test test test test test test junk");
const transaction = {
  chainId: 11_155_111,
  nonce: 0,
  gas: 60_000n,
  maxFeePerGas: 10n ** 10n,
  value: 5n,
} as const;

test("a method that the service refuses can be simulated, but not sent", async () => {
  const bench = await openBench({ nodes: true });
  try {
    const project = projectOf([
      `@network ethereum-sepolia\neth_sendTransaction { from: ${account.address}, to: ${account.address}, value: 5 }`,
    ]);
    assert.match(refusalOf(project, 0, evm) ?? "", /eth_sendTransaction .* would be refused/);
    assert.equal(
      refusalOf(project, 0, evm, (method) => !isSimulated(method)),
      undefined,
    );
    const deps = { ...bench.deps, simulating: { unoffered: new Set<string>() } };
    const run = await runCell(deps, planCellRun(project, 0), new AbortController().signal, () => {});
    const output = toOutput(run, { runId: "1", evm, service: "The sandbox", isSandbox: true });
    assert.equal(output.lines[0]?.simulation?.status, "success", JSON.stringify(output.lines[0]?.outcome));
    assert.ok(bench.sandbox.requests.every(({ bodyText }) => !bodyText.includes("eth_sendTransaction")));
  } finally {
    await bench.close();
  }
});

test("a simulation over the service sends no transaction, asks nothing, and costs at most its estimate", async () => {
  const bench = await openBench({ nodes: true });
  try {
    const raw = await account.signTransaction({ ...transaction, to: account.address });
    const project = projectOf([`@network ethereum-sepolia\nsend ${raw}`]);
    const deps = { ...bench.deps, simulating: { unoffered: new Set<string>() } };
    const run = await runCell(deps, planCellRun(project, 0), new AbortController().signal, () => {});
    const output = toOutput(run, { runId: "1", evm, service: "The sandbox", isSandbox: true });
    assert.equal(output.problem, undefined);
    const [line] = output.lines;
    assert.equal(line?.simulation?.method, "debug_traceCall", JSON.stringify(line?.outcome));
    assert.equal(line?.simulation?.status, "success");
    assert.deepEqual(bench.questions, []);
    const { credits } = estimateSimulation(planCell(project, 0), false);
    assert.ok(output.total.credits > 0 && output.total.credits <= credits, `${output.total.credits}`);
  } finally {
    await bench.close();
  }
});

test("lines that need a simulated transaction are left out, and the cell is not failed by them", async () => {
  const bench = await openBench({ nodes: true });
  try {
    const raw = await account.signTransaction({ ...transaction, to: account.address });
    const text = `@network ethereum-sepolia\ntx = send ${raw}\nrec = wait $tx\neth_getBlockByHash $rec.blockHash false\nexpect $rec.status == 1`;
    const deps = { ...bench.deps, simulating: { unoffered: new Set<string>() } };
    const plan = planCellRun(projectOf([text]), 0);
    const run = await runCell(deps, plan, new AbortController().signal, () => {});
    const output = toOutput(run, { runId: "1", evm, service: "The sandbox", isSandbox: true });
    assert.deepEqual(
      output.lines.map(({ outcome, isLeftOut }) => [
        isLeftOut,
        (outcome as { reason: string }).reason.slice(0, 24),
      ]),
      [
        [undefined, "Simulated by debug_trace"],
        [true, "Left out: it needs $tx, "],
        [true, "Left out: it needs $rec,"],
      ],
    );
    assert.ok(isFine(output), failureOf(output));
  } finally {
    await bench.close();
  }
});
