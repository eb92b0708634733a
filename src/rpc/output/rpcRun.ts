// Cost and progress of the run of an RPC cell.

/** One HTTP request. */
export interface RpcCall {
  readonly network: string;
  readonly items: number;
  /** Milliseconds until the response was read, retries included. */
  readonly ms: number;
  /** As the header states them; undefined if it does not. */
  readonly credits?: number;
  readonly usd?: number;
  readonly requestId?: string;
  /** Answered from the idempotency cache, free of charge. */
  readonly replayed: boolean;
  /** Retries. */
  readonly resends: number;
  readonly status?: number;
}

export interface RpcTotal {
  /** Credits charged. Replays are free. */
  readonly credits: number;
  readonly usd: number;
  /** The estimate if every item has a result. */
  readonly estimatedCredits: number;
  readonly ms: number;
}

/** A cell with @every. Its lines are those of the latest round. */
export interface RpcPolling {
  readonly everyMs: number;
  /** The current round, and the maximum. */
  readonly round: number;
  readonly rounds: number;
  readonly budgetCredits?: number;
  readonly ended?: "rounds" | "budget" | "stopped" | "problem";
  /** The last 100 rounds, oldest first. */
  readonly history: readonly RpcRound[];
}

interface RpcRound {
  readonly atMs: number;
  readonly credits: number;
  /** One short text for each line of the run, in order. */
  readonly values: readonly string[];
}
