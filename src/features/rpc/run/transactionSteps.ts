import type { RawTransaction } from "../evm/evm.ts";
import { headLine } from "../plan/planCell.ts";
import type { Item } from "./lineItems.ts";
import { noAnswer } from "./outcome.ts";
import type { Round, RoundDeps, RoundTask } from "./round.ts";
import type { RpcItem } from "./sender.ts";
import { judgeTransaction, needsConsent } from "./transactionGuard.ts";

/** Reads what is to be sent, asks where money is real, and writes down what is held back. */
export async function mayLeave(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  items: readonly Item[],
  transactions: readonly Item[],
): Promise<boolean> {
  const { network } = task;
  const evm = await deps.loadEvm();
  for (const { params } of transactions) {
    const verdict = judgeTransaction(evm, params?.[0], network);
    const reason = verdict.go ? await objection(deps, task, round, verdict.transaction) : verdict.reason;
    if (reason === undefined) continue;
    for (const { at } of items)
      if (at !== headLine) round.lines[at] = { outcome: { kind: "unsent", reason } };
    return false;
  }
  return true;
}

async function objection(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  transaction: RawTransaction,
): Promise<string | undefined> {
  const { network } = task;
  const { hash } = transaction;
  if (deps.sentTransactions.has(network, hash)) {
    const found = await isOnNode(deps, task, round, hash, 1);
    if (found)
      return `This transaction was sent before, and the node has it: ${hash}. It was not sent again.`;
  }
  if (!needsConsent(network, transaction)) return undefined;
  const agreed = await deps.consent({ network, isMainnet: true, transaction });
  return agreed ? undefined : "It was not sent: you said no";
}

/** What a node says of a transaction that it has already differs from node to node: it is looked up, not guessed. */
export async function settleAnswers(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  transactions: readonly Item[],
): Promise<void> {
  const evm = await deps.loadEvm();
  for (const { at, params } of transactions) {
    const { hash } = evm.readTransaction(String(params?.[0]));
    deps.sentTransactions.add(task.network, hash);
    const state = round.lines[at];
    if (state?.outcome.kind !== "error") continue;
    const { code, message } = state.outcome;
    if (!(await isOnNode(deps, task, round, hash, code === noAnswer ? 3 : 1))) continue;
    const note = `The node has the transaction, whatever it said to it: ${message}.`;
    round.lines[at] = { ...state, outcome: { kind: "result", value: hash }, note };
  }
}

/** The answer to a transaction was lost: it is looked up, never sent again. */
export async function settle(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  item: Item,
  error: unknown,
): Promise<void> {
  const { at, params } = item;
  const { hash } = (await deps.loadEvm()).readTransaction(String(params?.[0]));
  deps.sentTransactions.add(task.network, hash);
  const found = await isOnNode(deps, task, round, hash, 3);
  const why = error instanceof Error ? error.message : String(error);
  round.lines[at] = found
    ? {
        outcome: { kind: "result", value: hash },
        note: `The answer was lost (${why}), but the node has the transaction. It was not sent again.`,
      }
    : {
        outcome: {
          kind: "error",
          code: noAnswer,
          message: `The answer was lost (${why}), and the node does not know ${hash} yet. It was not sent again: look it up before you do.`,
        },
      };
  task.onProgress();
}

const lookUpPauseMs = 2_000;

/** Whether the node knows a transaction; asks up to `tries` times, for it may still be on its way. What that cost is written down. */
async function isOnNode(
  { sender, pause }: RoundDeps,
  { network, signal }: RoundTask,
  round: Round,
  hash: string,
  tries: number,
): Promise<boolean> {
  const body: RpcItem = { jsonrpc: "2.0", id: 1, method: "eth_getTransactionByHash", params: [hash] };
  for (let attempt = 1; attempt <= tries; attempt++) {
    if (attempt > 1) await pause(lookUpPauseMs, signal);
    // The service may be gone for good: what counts is that the transaction was not seen.
    const sent = await sender.send(network, body, { signal, once: false }).catch(() => undefined);
    if (!sent) continue;
    const { answer, ...facts } = sent;
    round.calls.push({ network, items: 1, ...facts });
    if (!Array.isArray(answer) && "result" in answer && (answer.result ?? null) !== null) return true;
  }
  return false;
}
