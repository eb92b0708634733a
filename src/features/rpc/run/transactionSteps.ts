import type { Evm, RawTransaction } from "../evm/evm.ts";
import { functionsIn } from "../language/declarations.ts";
import { asksForNonce, headLine, nonceMethod } from "../plan/plan.ts";
import type { Item } from "./lineItems.ts";
import { noAnswer } from "./outcome.ts";
import type { Round, RoundDeps, RoundTask } from "./round.ts";
import type { RpcItem } from "./sender.ts";
import { judgeWrite, takesRawTransaction, type Verdict, type Write } from "./transactionGuard.ts";
import { callText, type Fact } from "./writeFacts.ts";

/** An item that changes the chain, read and agreed to. */
export interface AgreedWrite extends Write {
  readonly item: Item;
}

/** Reads what is to be handed in, and asks where it has to; undefined where it is held back, and why is written down. */
export async function agreeToWrites(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  items: readonly Item[],
  writing: readonly Item[],
): Promise<readonly AgreedWrite[] | undefined> {
  const evm = writing.some(({ method }) => takesRawTransaction(method)) ? await deps.loadEvm() : undefined;
  const agreed: AgreedWrite[] = [];
  for (const item of writing) {
    const verdict = judgeWrite(evm, item, task.network);
    const reason = await objection(deps, task, round, item, verdict, evm);
    if ("write" in verdict && reason === undefined) {
      agreed.push({ ...verdict.write, item });
      continue;
    }
    for (const { at } of items)
      if (at !== headLine) round.lines[at] = { outcome: { kind: "unsent", reason: reason ?? "" } };
    return undefined;
  }
  return agreed;
}

async function objection(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  { method, params }: Item,
  verdict: Verdict,
  evm: Evm | undefined,
): Promise<string | undefined> {
  if ("reason" in verdict) return verdict.reason;
  const { network } = task;
  const { key, hash, facts, needsConsent, transaction } = verdict.write;
  const wasSent = deps.sentTransactions.has(network, key);
  if (wasSent && hash !== undefined && (await isOnNode(deps, task, round, hash, 1)))
    return `This transaction was sent before, and the node has it: ${hash}. It was not sent again.`;
  if (!needsConsent) return undefined;
  const before = wasSent ? [["Before", "the same was sent while this window was open"] as const] : [];
  const all =
    transaction && evm
      ? await factsOfSender(deps, task, round, { method, raw: String(params?.[0]), transaction, facts, evm })
      : facts;
  const agreed = await deps.consent({ network, method, facts: [...all, ...before] });
  task.signal.throwIfAborted();
  return agreed ? undefined : "It was not sent: you said no";
}

interface ShownTransaction {
  readonly method: string;
  readonly raw: string;
  readonly transaction: RawTransaction;
  readonly facts: readonly Fact[];
  readonly evm: Evm;
}

/** Describes a transaction: its sender, its call, and how its nonce compares with the next one. */
async function factsOfSender(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  { method, raw, transaction, facts, evm }: ShownTransaction,
): Promise<readonly Fact[]> {
  const from = evm.readSender(raw);
  const isAsked = from !== undefined && asksForNonce(method, task.network);
  const next = isAsked ? await nextNonce(deps, task, round, from) : undefined;
  const called = evm.decodeCalldata(transaction.data, functionsIn(task.project));
  const told = facts.map((fact): Fact => {
    const [name] = fact;
    if (name === "Nonce" && isAsked) return [name, nonceText(transaction.nonce, next)];
    return name === "Data" && called ? [name, callText(called)] : fact;
  });
  return [["From", from ?? "not readable from its signature"], ...told];
}

function nonceText(nonce: number, next: number | undefined): string {
  if (next === undefined) return `${nonce}; the node did not say which is next`;
  if (nonce === next) return `${nonce}, the next one`;
  if (nonce < next) return `${nonce}, which is used already: the next one is ${next}`;
  const missing = nonce - next;
  return `${nonce}; the next one is ${next}, so it waits for ${missing} other${missing === 1 ? "" : "s"}`;
}

/** The nonce that an account's next transaction is due to have, those on their way counted in. */
async function nextNonce(
  { sender }: RoundDeps,
  { network, signal }: RoundTask,
  round: Round,
  from: string,
): Promise<number | undefined> {
  const body: RpcItem = { jsonrpc: "2.0", id: 1, method: nonceMethod, params: [from, "pending"] };
  // A node that does not say is no reason to hold the transaction back.
  const sent = await sender.send(network, body, { signal, once: false }).catch(() => undefined);
  signal.throwIfAborted();
  if (!sent) return undefined;
  const { answer, ...facts } = sent;
  round.calls.push({ network, items: 1, ...facts });
  const result = !Array.isArray(answer) && "result" in answer ? answer.result : undefined;
  return typeof result === "string" && /^0x[0-9a-f]{1,12}$/i.test(result) ? Number(result) : undefined;
}

/** What a node says of a transaction that it has already differs from node to node: it is looked up, not guessed. */
export async function settleAnswers(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  writes: readonly AgreedWrite[],
): Promise<void> {
  for (const { item, key, hash } of writes) {
    deps.sentTransactions.add(task.network, key);
    const state = round.lines[item.at];
    if (hash === undefined || state?.outcome.kind !== "error") continue;
    const { code, message } = state.outcome;
    if (!(await isOnNode(deps, task, round, hash, code === noAnswer ? 3 : 1))) continue;
    const note = `The node has the transaction, whatever it said to it: ${message}.`;
    round.lines[item.at] = { ...state, outcome: { kind: "result", value: hash }, note };
  }
}

/** The answer to a write was lost: it is looked up where that can be, and never sent again. */
export async function settle(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  { item, key, hash }: AgreedWrite,
  error: unknown,
): Promise<void> {
  deps.sentTransactions.add(task.network, key);
  const why = error instanceof Error ? error.message : String(error);
  const found = hash !== undefined && (await isOnNode(deps, task, round, hash, 3));
  const unseen =
    hash === undefined ? "it may have been taken all the same" : `the node does not know ${hash} yet`;
  round.lines[item.at] = found
    ? {
        outcome: { kind: "result", value: hash },
        note: `The answer was lost (${why}), but the node has the transaction. It was not sent again.`,
      }
    : {
        outcome: {
          kind: "error",
          code: noAnswer,
          message: `The answer was lost (${why}), and ${unseen}. It was not sent again: look it up before you do.`,
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
