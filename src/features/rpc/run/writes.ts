import { createHash } from "node:crypto";
import { exactJsonText } from "../../../shared/exactJson.ts";
import { isMainnet, localNetwork, networks } from "../../../shared/rpc/networks.ts";
import type { Evm, RawTransaction } from "../evm/evm.ts";
import { functionsIn } from "../language/declarations.ts";
import { asksForNonce, headLine, nonceMethod } from "../plan/plan.ts";
import {
  type Item,
  noAnswer,
  type Round,
  type RoundDeps,
  type RoundTask,
  takesRawTransaction,
} from "./round.ts";
import type { RpcItem } from "./senders.ts";
import { callText, type Fact, parameterFacts, transactionFacts } from "./writeFacts.ts";

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
  const reported = facts.map((fact): Fact => {
    const [name] = fact;
    if (name === "Nonce" && isAsked) return [name, nonceText(transaction.nonce, next)];
    return name === "Data" && called ? [name, callText(called)] : fact;
  });
  return [["From", from ?? "not readable from its signature"], ...reported];
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

/** What is to be handed in, as far as it can be told before. */
interface Write {
  /** Tells it from others; the same bytes have the same. */
  readonly key: string;
  /** As the chain will know it; undefined where only the chain can tell. */
  readonly hash: string | undefined;
  readonly needsConsent: boolean;
  /** The decoded transaction, where it is one of an EVM chain. */
  readonly transaction?: RawTransaction;
  readonly facts: readonly Fact[];
}

/** What stands before a write on its way to a node. */
type Verdict = { readonly write: Write } | { readonly reason: string };

/** A call of a method that changes a chain. */
interface WritingCall {
  readonly method: string;
  readonly params: readonly unknown[] | undefined;
}

/** Reads what is to be sent, and turns away what is meant for another chain. */
export function judgeWrite(evm: Evm | undefined, call: WritingCall, network: string): Verdict {
  const { method, params = [] } = call;
  if (evm && takesRawTransaction(method)) {
    const read = readRaw(evm, params[0]);
    if ("transaction" in read) return judgeTransaction(read.transaction, String(params[0]), network);
    // zkSync has a kind of transaction of its own.
    if (method === "eth_sendRawTransaction") return read;
  }
  const list = Array.isArray(params) ? params : [params];
  const key = createHash("sha256")
    .update(exactJsonText([method, params]))
    .digest("hex");
  const facts = parameterFacts(method, list);
  return { write: { key, hash: undefined, needsConsent: network !== localNetwork, facts } };
}

function readRaw(
  evm: Evm,
  raw: unknown,
): { readonly transaction: RawTransaction } | { readonly reason: string } {
  if (typeof raw !== "string") return { reason: "A signed transaction is 0x and hex digits" };
  try {
    return { transaction: evm.readTransaction(raw) };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

function judgeTransaction(transaction: RawTransaction, raw: string, network: string): Verdict {
  const due = networks.find(({ slug }) => slug === network)?.chainId;
  const { chainId, hash } = transaction;
  if (due !== undefined && chainId !== undefined && chainId !== due) {
    const meant = networks.find((one) => one.chainId === chainId)?.slug ?? "another chain";
    return {
      reason: `This transaction is signed for chain ${chainId} (${meant}), and ${network} is chain ${due}. It was not sent.`,
    };
  }
  const facts = transactionFacts(transaction, network);
  return {
    write: {
      key: hash ?? createHash("sha256").update(raw).digest("hex"),
      hash,
      transaction,
      needsConsent: needsConsent(network, transaction),
      facts,
    },
  };
}

/**
 * Whether somebody has to say yes: money is real, or nobody can tell whether it is. A service may call its networks what
 * it likes, so it is the chain that the transaction is signed for that has to be a known test chain, too.
 */
export function needsConsent(network: string, { chainId }: Pick<RawTransaction, "chainId">): boolean {
  const isTest = networks.some(
    (one) => chainId !== undefined && one.chainId === chainId && !isMainnet(one.slug),
  );
  return network !== localNetwork && (isMainnet(network) || !isTest);
}
