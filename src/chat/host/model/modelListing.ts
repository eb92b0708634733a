import { explain } from "../../../platform/errorMessage.ts";
import { defaultModelId, toModelCard } from "../../../session/modelCards.ts";
import type { Session } from "../../../session/session.ts";
import type { Models } from "../../../shared/chat/chatModels.ts";
import type { StatePatch } from "../../protocol/chatOps.ts";

export interface ModelListingDeps {
  readonly session: Pick<Session, "active" | "client">;
  /** The model last chosen for each connection, by connection id. */
  readonly remembered: {
    get(connectionId: string): string | undefined;
    set(connectionId: string, modelId: string): void;
  };
  readonly onChange: (patch: StatePatch) => void;
}

/** The models of the active connection, and the selected one. */
export interface ModelListing {
  /** Reloads the listing; a running load is discarded. */
  load(): Promise<void>;
  pick(modelId: string): void;
  dispose(): void;
}

export function createModelListing({ session, remembered, onChange }: ModelListingDeps): ModelListing {
  let loading: AbortController | undefined;
  let shownFor: string | undefined;

  const show = (models: Models) => {
    const cards = models.status === "ready" ? models.cards : [];
    const stored = session.active && remembered.get(session.active.id);
    const isListed = cards.some(({ id }) => id === stored);
    // The remembered model can be used before the listing is loaded.
    const modelId = isListed || models.status !== "ready" ? stored : defaultModelId(cards);
    onChange({ models, modelId: modelId ?? null });
  };
  return {
    async load() {
      loading?.abort();
      const mine = new AbortController();
      loading = mine;
      const { active } = session;
      onChange({ service: active ? { name: active.name, kind: active.kind } : null });
      // Models of the same service stay visible during a reload.
      if (shownFor !== active?.id) show({ status: "loading" });
      try {
        const { api } = await session.client({ kind: "chat" });
        const { data } = await api.models.list({}, { signal: mine.signal });
        if (mine.signal.aborted) return;
        shownFor = active?.id;
        const isPlayMoney = active?.kind === "sandbox";
        const cards = data.map(toModelCard).map((card) => (isPlayMoney ? { ...card, isPlayMoney } : card));
        show({ status: "ready", cards });
      } catch (error) {
        if (mine.signal.aborted) return;
        shownFor = undefined;
        const context = { service: active?.name ?? "The service", ...(active ? { kind: active.kind } : {}) };
        show({ status: "failed", problem: explain(error, context) });
      }
    },
    pick(modelId) {
      if (session.active) remembered.set(session.active.id, modelId);
      onChange({ modelId });
    },
    dispose() {
      loading?.abort();
    },
  };
}
