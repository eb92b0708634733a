import type { ClientEvent } from "../../../api/call/client.ts";
import type { LimitWindow } from "../../../api/call/limits.ts";

/** The limits in the last reply for a model. */
export interface SeenLimits {
  readonly requests?: LimitWindow;
  readonly tokens?: LimitWindow;
  /** Unix time in milliseconds. */
  readonly atMs: number;
}

/** The limits in reply headers, by model and of the chain proxy. */
export interface LimitWatch {
  receive(connectionId: string, event: ClientEvent): void;
  ofModel(connectionId: string, model: string): SeenLimits | undefined;
  /** The last limits of the chain proxy. */
  ofChain(connectionId: string): SeenLimits | undefined;
}

export function createLimitWatch(now: () => number): LimitWatch {
  const models = new Map<string, SeenLimits>();
  const chain = new Map<string, SeenLimits>();
  const nameOf = (connectionId: string, model: string) => `${connectionId} ${model}`;
  return {
    receive(connectionId, event) {
      if (event.type !== "exchange") return;
      const { limits, model, endpoint } = event;
      if (!limits.requests && !limits.tokens) return;
      const seen = { ...limits, atMs: now() };
      if (model) models.set(nameOf(connectionId, model), seen);
      if (endpoint.startsWith("rpc.")) chain.set(connectionId, seen);
    },
    ofModel: (connectionId, model) => models.get(nameOf(connectionId, model)),
    ofChain: (connectionId) => chain.get(connectionId),
  };
}
