import assert from "node:assert/strict";
import { createUndiciTransport } from "../../../src/api/transport/undici.ts";
import { evm } from "../../../src/rpc/evm/evm.ts";
import type { Simulating } from "../../../src/rpc/fork/forks.ts";
import type { RpcOutput, RpcSimulation } from "../../../src/rpc/output/rpcOutput.ts";
import { SentTransactions, Values } from "../../../src/rpc/run/expect/values.ts";
import { toOutput } from "../../../src/rpc/run/output.ts";
import { planCellRun } from "../../../src/rpc/run/plan/runPlan.ts";
import { type CellDeps, runCell } from "../../../src/rpc/run/runCell.ts";
import { createSender, type Sender } from "../../../src/rpc/run/senders.ts";
import { projectOf } from "./notebook.ts";
import type { Call } from "./randomCalls.ts";

const transport = createUndiciTransport();

/** Sends to the node at this address. */
export function senderTo(url: string): Sender {
  return createSender(
    () => assert.fail("Nothing goes to the service"),
    () => url,
    transport,
  );
}

function simulationDeps(sender: Sender, simulating: Simulating): CellDeps {
  return {
    sender,
    loadEvm: async () => evm,
    values: new Values(),
    sentTransactions: new SentTransactions(),
    consent: () => assert.fail("A simulation asks nothing"),
    pause: async () => {},
    now: Date.now,
    simulating,
  };
}

/** Simulates a cell of the network `local` with these lines. */
export async function simulateLines(
  lines: string,
  sender: Sender,
  { simulating = { unoffered: new Set<string>() }, signal = new AbortController().signal } = {} as {
    readonly simulating?: Simulating;
    readonly signal?: AbortSignal;
  },
): Promise<RpcOutput> {
  const project = projectOf([`@network local\n@abi "error TooPoor(address who, uint256 missing)"\n${lines}`]);
  const run = await runCell(simulationDeps(sender, simulating), planCellRun(project, 0), signal, () => {});
  return toOutput(run, { runId: "1", evm, service: "The service", isSandbox: false });
}

/** The simulation of one call. */
export async function simulateCall(
  call: Partial<Call>,
  sender: Sender,
  simulating?: Simulating,
): Promise<RpcSimulation> {
  const { lines, problem } = await simulateLines(
    `eth_sendTransaction ${JSON.stringify(call)}`,
    sender,
    simulating ? { simulating } : {},
  );
  assert.equal(problem, undefined);
  const simulation = lines[0]?.simulation;
  assert.ok(simulation, JSON.stringify(lines[0]?.outcome));
  return simulation;
}
