import type { ClientEvent } from "../api/call/client.ts";
import { originOf } from "./connection/baseUrl.ts";
import type { Connection } from "./connection/connection.ts";

interface Pause {
  readonly failures: number;
  /** Unix milliseconds. */
  readonly untilMs: number;
}

const firstPauseMs = 30_000;
const longestPauseMs = 10 * 60_000;

/**
 * How long reads that nobody asked for stay away from an address to which no connection could be made. The pause doubles
 * with each failure after one, and ends with the first answer. What the user asks for is sent at once.
 */
export class ConnectPauses {
  readonly #now: () => number;
  readonly #pauses = new Map<string, Pause>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes each event of each client. */
  receive(connection: Connection, event: ClientEvent): void {
    if (event.type !== "exchange") return;
    const address = addressOf(connection);
    if (event.status !== undefined) this.#pauses.delete(address);
    else if (event.error?.kind === "network" && event.error.details.mayHaveArrived === false)
      this.#lengthen(address);
  }

  /** True if a read that nobody asked for should not be sent now. */
  isPaused(connection: Connection): boolean {
    return this.#now() < (this.#pauses.get(addressOf(connection))?.untilMs ?? 0);
  }

  /** The network may be another one now. */
  clear(): void {
    this.#pauses.clear();
  }

  /** Calls that fail during a pause, together with the first or by the user, are no reason for a longer one. */
  #lengthen(address: string): void {
    const { failures, untilMs } = this.#pauses.get(address) ?? { failures: 0, untilMs: 0 };
    const nowMs = this.#now();
    if (nowMs < untilMs) return;
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures, 10));
    this.#pauses.set(address, { failures: failures + 1, untilMs: nowMs + pauseMs });
  }
}

function addressOf({ id, baseUrl }: Connection): string {
  return originOf(baseUrl) ?? id;
}
