import type { ClientEvent } from "../../api/client.ts";
import type { LimitWindow } from "../../api/limits.ts";
import { hourMs } from "../../shared/days.ts";

/** What the last reply for a model said of its limits. */
export interface SeenLimits {
  readonly requests?: LimitWindow;
  readonly tokens?: LimitWindow;
  /** Unix milliseconds. */
  readonly atMs: number;
}

/** What replies tell in passing: what is left of each model's limits, and the chain credits of the last 24 hours. */
export interface LimitWatch {
  hear(connectionId: string, event: ClientEvent): void;
  ofModel(connectionId: string, model: string): SeenLimits | undefined;
  /** Credits that this window spent in the rolling 24 hours, and what the proxy said last. */
  rpc(connectionId: string): { readonly credits: number; readonly seen: SeenLimits | undefined };
}

const dayOfCreditsMs = 24 * hourMs;

export function createLimitWatch(now: () => number): LimitWatch {
  const models = new Map<string, SeenLimits>();
  const chain = new Map<string, SeenLimits>();
  let spent: { readonly connectionId: string; readonly atMs: number; readonly credits: number }[] = [];
  const nameOf = (connectionId: string, model: string) => `${connectionId} ${model}`;
  return {
    hear(connectionId, event) {
      const atMs = now();
      if (event.type === "exchange") {
        const { limits, model, endpoint } = event;
        if (!limits.requests && !limits.tokens) return;
        const seen = { ...limits, atMs };
        if (model) models.set(nameOf(connectionId, model), seen);
        if (endpoint.startsWith("rpc.")) chain.set(connectionId, seen);
      }
      if (event.type !== "charged" || event.fact.by !== "credits" || event.fact.replayed) return;
      spent = spent.filter((one) => atMs - one.atMs < dayOfCreditsMs);
      spent.push({ connectionId, atMs, credits: event.fact.credits ?? 0 });
    },
    ofModel: (connectionId, model) => models.get(nameOf(connectionId, model)),
    rpc(connectionId) {
      const mine = spent.filter(
        (one) => one.connectionId === connectionId && now() - one.atMs < dayOfCreditsMs,
      );
      return { credits: mine.reduce((sum, { credits }) => sum + credits, 0), seen: chain.get(connectionId) };
    },
  };
}
