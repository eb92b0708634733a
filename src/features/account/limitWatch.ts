import type { ClientEvent } from "../../api/client.ts";
import type { LimitWindow } from "../../api/limits.ts";

/** What the last reply for a model said of its limits. */
export interface SeenLimits {
  readonly requests?: LimitWindow;
  readonly tokens?: LimitWindow;
  /** Unix milliseconds. */
  readonly atMs: number;
}

/** The limits that replies tell in passing: of each model, and of the chain proxy. */
export interface LimitWatch {
  receive(connectionId: string, event: ClientEvent): void;
  ofModel(connectionId: string, model: string): SeenLimits | undefined;
  /** What the chain proxy said last. */
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
