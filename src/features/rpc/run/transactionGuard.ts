import { createHash } from "node:crypto";
import { exactJsonText } from "../../../shared/exactJson.ts";
import { isMainnet, localNetwork, networks } from "../../../shared/rpc/networks.ts";
import type { Evm, RawTransaction } from "../evm/evm.ts";
import { type Fact, parameterFacts, transactionFacts } from "./writeFacts.ts";

/** Something that changes a chain, which somebody is asked about. */
export interface WriteQuestion {
  readonly network: string;
  readonly method: string;
  readonly facts: readonly Fact[];
}

/** What is to be handed in, as far as it can be told before. */
export interface Write {
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
export type Verdict = { readonly write: Write } | { readonly reason: string };

/** A call of a method that changes a chain. */
export interface WritingCall {
  readonly method: string;
  readonly params: readonly unknown[] | undefined;
}

/** Methods whose first parameter is a signed transaction of an EVM chain. */
export function takesRawTransaction(method: string): boolean {
  return /^[a-z]+_sendRawTransaction/.test(method);
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
