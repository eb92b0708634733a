import { isMainnet, localNetwork, networks } from "../../../shared/rpc/networks.ts";
import type { Evm, RawTransaction } from "../evm/evm.ts";

/** A transaction that somebody is asked about. */
export interface TransactionQuestion {
  readonly network: string;
  readonly isMainnet: boolean;
  readonly transaction: RawTransaction;
}

/** What stands before a signed transaction on its way to a node. */
export type Verdict =
  | { readonly go: true; readonly transaction: RawTransaction }
  | { readonly go: false; readonly reason: string };

/** Reads what is to be sent, and turns away what is meant for another chain. */
export function judgeTransaction(evm: Evm, raw: unknown, network: string): Verdict {
  if (typeof raw !== "string") return { go: false, reason: "A signed transaction is 0x and hex digits" };
  let transaction: RawTransaction;
  try {
    transaction = evm.readTransaction(raw);
  } catch (error) {
    return { go: false, reason: error instanceof Error ? error.message : String(error) };
  }
  const due = networks.find(({ slug }) => slug === network)?.chainId;
  const { chainId } = transaction;
  if (due !== undefined && chainId !== undefined && chainId !== due) {
    const meant = networks.find((one) => one.chainId === chainId)?.slug ?? "another chain";
    return {
      go: false,
      reason: `This transaction is signed for chain ${chainId} (${meant}), and ${network} is chain ${due}. It was not sent.`,
    };
  }
  return { go: true, transaction };
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
