import type { ChainCall } from "./chain.ts";

/** What is kept of an eth_sendRawTransaction; the signed payload is not (spec E3, billing rule 6). */
export interface SentTransaction {
  readonly transactionHash: string;
  readonly network: string;
  readonly requestId: string;
  readonly callerId: string;
}

export interface TransactionLog {
  record(calls: readonly ChainCall[], sender: Omit<SentTransaction, "transactionHash">): Promise<void>;
  all(): readonly SentTransaction[];
}

export function createTransactionLog(): TransactionLog {
  const sent: SentTransaction[] = [];
  return {
    async record(calls, sender) {
      const payloads = calls.flatMap(({ method, params: [payload] }) =>
        method === "eth_sendRawTransaction" && isHex(payload) ? [payload] : [],
      );
      if (payloads.length === 0) return;
      const { keccak256 } = await import("./evm/crypto.ts");
      for (const payload of payloads) sent.push({ transactionHash: keccak256(payload), ...sender });
    },
    all: () => sent,
  };
}

function isHex(value: unknown): value is `0x${string}` {
  return typeof value === "string" && /^0x([0-9a-f]{2})+$/i.test(value);
}
