import type { ClientEvent } from "../../../api/call/client.ts";
import type { LimitWindow } from "../../../api/call/limits/limits.ts";

/** The limits in the last reply for a model. */
export interface SeenLimits {
  readonly requests?: LimitWindow;
  readonly tokens?: LimitWindow;
  /** Unix time in milliseconds. */
  readonly atMs: number;
}

/** The limits in reply headers, by model and of the chain proxy. */
export class LimitWatch {
  readonly #now: () => number;
  readonly #models = new Map<string, SeenLimits>();
  readonly #chain = new Map<string, SeenLimits>();

  constructor(now: () => number) {
    this.#now = now;
  }

  receive(connectionId: string, event: ClientEvent): void {
    if (event.type !== "exchange") return;
    const { limits, model, endpoint } = event;
    if (!limits.requests && !limits.tokens) return;
    const seen = { ...limits, atMs: this.#now() };
    if (model) this.#models.set(this.#nameOf(connectionId, model), seen);
    if (endpoint.startsWith("rpc.")) this.#chain.set(connectionId, seen);
  }

  ofModel(connectionId: string, model: string): SeenLimits | undefined {
    return this.#models.get(this.#nameOf(connectionId, model));
  }

  /** The last limits of the chain proxy. */
  ofChain(connectionId: string): SeenLimits | undefined {
    return this.#chain.get(connectionId);
  }

  #nameOf(connectionId: string, model: string): string {
    return `${connectionId} ${model}`;
  }
}
