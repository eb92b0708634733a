import type { Api } from "../../../src/api/call/client.ts";
import type { Table } from "../../../src/api/table.ts";
import { evm } from "../../../src/rpc/evm/evm.ts";
import { SentTransactions, Values } from "../../../src/rpc/run/expect/values.ts";
import { planCellRun } from "../../../src/rpc/run/plan/runPlan.ts";
import { runCell } from "../../../src/rpc/run/runCell.ts";
import { createServiceSender } from "../../../src/rpc/run/senders.ts";
import { projectOf } from "../rpc/notebook.ts";

/** Runs a cell of an RPC notebook over this client. */
export function runRpc(api: Api<Table>, cell: string): ReturnType<typeof runCell> {
  const deps = {
    sender: createServiceSender(async () => api),
    loadEvm: async () => evm,
    values: new Values(),
    sentTransactions: new SentTransactions(),
    consent: async () => true,
    pause: async () => {},
    now: Date.now,
  };
  const plan = planCellRun(projectOf([cell], ["ethereum-mainnet"]), 0);
  return runCell(deps, plan, new AbortController().signal, () => {});
}
