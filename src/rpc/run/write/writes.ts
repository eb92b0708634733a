import { createHash } from "node:crypto";
import { sha256 } from "../../../platform/sha256.ts";
import { messageOf } from "../../../shared/messageOf.ts";
import { isMainnet, localNetwork, networks } from "../../../shared/rpc/networks.ts";
import { exactJsonText } from "../../../shared/text/json/exactJson.ts";
import { plural } from "../../../shared/text/plural.ts";
import type { Evm, RawTransaction } from "../../evm/evm.ts";
import { hiddenText } from "../hideSecrets.ts";
import { asksForNonce, nonceMethod } from "../plan/estimate.ts";
import { headLine } from "../plan/plan.ts";
import { takesRawTransaction } from "../plan/runPlan.ts";
import { type Item, noAnswer, type Round, type RoundDeps, type RoundTask, stored } from "../round.ts";
import type { RpcItem } from "../senders.ts";
import { callText, type Fact, parameterFacts, transactionFacts } from "./writeFacts.ts";

/** A confirmed write. */
export interface ConfirmedWrite extends Write {
  readonly item: Item;
}

/** What is sent of a request with writes. */
interface ConfirmedRequest {
  readonly writes: readonly ConfirmedWrite[];
  /** Without the transactions that are on the node already, whose results are known. */
  readonly items: readonly Item[];
}

/** Checks writes and asks for confirmation. Returns undefined if one is not sent; its lines then have the reason. */
export async function confirmWrites(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  items: readonly Item[],
  writing: readonly Item[],
): Promise<ConfirmedRequest | undefined> {
  const evm = writing.some(({ method }) => takesRawTransaction(method)) ? await deps.loadEvm() : undefined;
  const agreed: ConfirmedWrite[] = [];
  const known = new Set<Item>();
  for (const item of writing) {
    const checked = checkWrite(evm, item, task.network);
    const hash = await hashOnNode(deps, task, round, checked);
    // Literal JSON is sent as it is, or not at all.
    if (hash !== undefined && (!task.plan.literal || items.length === 1)) {
      setHash(
        deps,
        task,
        round,
        item.at,
        hash,
        "The transaction was sent before and is on the node. It was not sent again.",
      );
      known.add(item);
      continue;
    }
    const reason = await objection(deps, task, round, item, checked, evm, hash);
    if ("write" in checked && reason === undefined) {
      agreed.push({ ...checked.write, item });
      continue;
    }
    const said = hiddenText(reason ?? "", task.plan.notebook.hide);
    for (const { at } of items)
      if (at !== headLine) round.lines[at] = { outcome: { kind: "unsent", reason: said } };
    return undefined;
  }
  return { writes: agreed, items: items.filter((item) => !known.has(item)) };
}

/** The hash of a transaction that was sent from this window and is on the node. */
async function hashOnNode(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  checked: CheckedWrite,
): Promise<string | undefined> {
  if ("reason" in checked) return undefined;
  const { key, hash } = checked.write;
  if (hash === undefined || !deps.sentTransactions.has(task.network, key)) return undefined;
  return (await isOnNode(deps, task, round, hash, 1)) ? hash : undefined;
}

/** The hash is the result of the line, so that lines such as `wait` go on with it. */
function setHash(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  at: number,
  hash: string,
  note: string,
): void {
  const outcome = stored(deps, task, at, { kind: "result", value: hash });
  round.lines[at] = { ...round.lines[at], outcome, note };
}

async function objection(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  { method, params, note }: Item,
  checked: CheckedWrite,
  evm: Evm | undefined,
  onNode: string | undefined,
): Promise<string | undefined> {
  if ("reason" in checked) return checked.reason;
  const { network } = task;
  const { key, facts, needsConsent, transaction } = checked.write;
  const wasSent = deps.sentTransactions.has(network, key);
  if (onNode !== undefined)
    return `This transaction was already sent and is on the node: ${onNode}. It was not sent again.`;
  if (!needsConsent) return undefined;
  const before = wasSent
    ? [["Before", "the same transaction was already sent from this window"] as const]
    : [];
  const named = note === undefined ? [] : [["Name", note] as const];
  const all =
    transaction && evm
      ? await factsOfSender(deps, task, round, { method, raw: String(params?.[0]), transaction, facts, evm })
      : facts;
  const agreed = await deps.consent({ network, method, facts: [...all, ...named, ...before] });
  task.signal.throwIfAborted();
  return agreed ? undefined : "It was not sent, because you declined";
}

interface ShownTransaction {
  readonly method: string;
  readonly raw: string;
  readonly transaction: RawTransaction;
  readonly facts: readonly Fact[];
  readonly evm: Evm;
}

/** The facts of a transaction: its sender, its call, and how its nonce compares with the next one. */
async function factsOfSender(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  { method, raw, transaction, facts, evm }: ShownTransaction,
): Promise<readonly Fact[]> {
  const from = evm.readSender(raw);
  const isAsked = from !== undefined && asksForNonce(method, task.network);
  const next = isAsked ? await nextNonce(deps, task, round, from) : undefined;
  const called = evm.decodeCalldata(transaction.data, task.plan.notebook.functions);
  const reported = facts.map((fact): Fact => {
    const [name] = fact;
    if (name === "Nonce" && isAsked) return [name, nonceText(transaction.nonce, next)];
    if (name !== "Data" || !called) return fact;
    return [name, called.likely === undefined ? callText(called) : `${callText(called)}, ${fact[1]}`];
  });
  return [["From", from ?? "unknown, because the signature is invalid"], ...reported];
}

function nonceText(nonce: number, next: number | undefined): string {
  if (next === undefined) return `${nonce}; the next one is unknown`;
  if (nonce === next) return `${nonce}, the next one`;
  if (nonce < next) return `${nonce}, which is already used; the next one is ${next}`;
  const missing = nonce - next;
  return `${nonce}; the next one is ${next}, so it waits for ${plural(missing, "other")}`;
}

/** The next nonce of an account, including pending transactions. */
async function nextNonce(
  { sender }: RoundDeps,
  { network, signal }: RoundTask,
  round: Round,
  from: string,
): Promise<number | undefined> {
  const body: RpcItem = { jsonrpc: "2.0", id: 1, method: nonceMethod, params: [from, "pending"] };
  // If the nonce is unavailable, the transaction is confirmed without it.
  const sent = await sender.send(network, body, { signal, once: false }).catch(() => undefined);
  signal.throwIfAborted();
  if (!sent) return undefined;
  const { answer, ...facts } = sent;
  round.calls.push({ network, items: 1, ...facts });
  const result = !Array.isArray(answer) && "result" in answer ? answer.result : undefined;
  return typeof result === "string" && /^0x[0-9a-f]{1,12}$/i.test(result) ? Number(result) : undefined;
}

/** Nodes report a known transaction with different errors, so it is looked up by its hash. */
export async function settleAnswers(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  writes: readonly ConfirmedWrite[],
): Promise<void> {
  for (const { item, key, hash } of writes) {
    deps.sentTransactions.add(task.network, key);
    const state = round.lines[item.at];
    if (hash === undefined || state?.outcome.kind !== "error") continue;
    const { code, message } = state.outcome;
    if (!(await isOnNode(deps, task, round, hash, code === noAnswer ? 3 : 1))) continue;
    const note = `The transaction is on the node, although the node reported an error: ${message}.`;
    setHash(deps, task, round, item.at, hash, note);
  }
}

/** Settles a write whose response was lost: looks it up by its hash if possible, and never resends it. */
export async function settle(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  { item, key, hash }: ConfirmedWrite,
  error: unknown,
): Promise<void> {
  deps.sentTransactions.add(task.network, key);
  const why = messageOf(error);
  const found = hash !== undefined && (await isOnNode(deps, task, round, hash, 3));
  const notFound =
    hash === undefined ? "the node may still have accepted it" : `the node does not have ${hash} yet`;
  if (found) {
    const note = `The response was lost (${why}), but the transaction is on the node. It was not sent again.`;
    setHash(deps, task, round, item.at, hash, note);
  } else {
    const message = `The response was lost (${why}), and ${notFound}. It was not sent again. Look it up before you send it again.`;
    round.lines[item.at] = { outcome: { kind: "error", code: noAnswer, message } };
  }
  task.onProgress();
}

const lookUpPauseMs = 2_000;

/** True if the node knows a transaction. Tries up to `tries` times, because it may still propagate. Records the costs. */
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
    // A failed lookup counts as not found.
    const sent = await sender.send(network, body, { signal, once: false }).catch(() => undefined);
    if (!sent) continue;
    const { answer, ...facts } = sent;
    round.calls.push({ network, items: 1, ...facts });
    if (!Array.isArray(answer) && "result" in answer && (answer.result ?? null) !== null) return true;
  }
  return false;
}

/** A write before it is sent. */
interface Write {
  /** Identifies the write: equal bytes have equal keys. */
  readonly key: string;
  /** The transaction hash; undefined if only the chain knows it. */
  readonly hash: string | undefined;
  readonly needsConsent: boolean;
  /** The decoded transaction of an EVM chain. */
  readonly transaction?: RawTransaction;
  readonly facts: readonly Fact[];
}

/** A checked write, or the reason that it is not sent. */
type CheckedWrite = { readonly write: Write } | { readonly reason: string };

/** A call of a method that changes a chain. */
interface WritingCall {
  readonly method: string;
  readonly params: readonly unknown[] | undefined;
}

/** Decodes a write and refuses transactions for another chain. */
export function checkWrite(evm: Evm | undefined, call: WritingCall, network: string): CheckedWrite {
  const { method, params = [] } = call;
  if (evm && takesRawTransaction(method)) {
    const read = readRaw(evm, params[0]);
    if ("transaction" in read) return checkTransaction(read.transaction, String(params[0]), network);
    // zkSync has its own transaction type.
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
  if (typeof raw !== "string") return { reason: "A signed transaction consists of 0x and hex digits" };
  try {
    return { transaction: evm.readTransaction(raw) };
  } catch (error) {
    return { reason: messageOf(error) };
  }
}

function checkTransaction(transaction: RawTransaction, raw: string, network: string): CheckedWrite {
  const expected = networks.find(({ slug }) => slug === network)?.chainId;
  const { chainId, hash } = transaction;
  if (expected !== undefined && chainId !== undefined && chainId !== expected) {
    const meant = networks.find((one) => one.chainId === chainId)?.slug ?? "another chain";
    return {
      reason: `This transaction is signed for chain ${chainId} (${meant}), but ${network} is chain ${expected}. It was not sent.`,
    };
  }
  const facts = transactionFacts(transaction, network);
  return {
    write: {
      key: hash ?? sha256(raw),
      hash,
      transaction,
      needsConsent: needsConsent(network, transaction),
      facts,
    },
  };
}

/**
 * True if the money is real or may be. A service can name its networks freely, so the chain id of the transaction must be
 * that of a known test network, too.
 */
export function needsConsent(network: string, { chainId }: Pick<RawTransaction, "chainId">): boolean {
  const isTest = networks.some(
    (one) => chainId !== undefined && one.chainId === chainId && !isMainnet(one.slug),
  );
  return network !== localNetwork && (isMainnet(network) || !isTest);
}
