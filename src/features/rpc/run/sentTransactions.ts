/** The transactions that were handed in while this window was open. */
export interface SentTransactions {
  has(network: string, hash: string): boolean;
  add(network: string, hash: string): void;
}

export function createSentTransactions(): SentTransactions {
  const sent = new Set<string>();
  return {
    has: (network, hash) => sent.has(`${network} ${hash}`),
    add: (network, hash) => void sent.add(`${network} ${hash}`),
  };
}
