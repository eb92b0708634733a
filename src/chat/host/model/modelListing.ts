import { explain } from "../../../platform/errors/errorMessage.ts";
import type { ChosenModels } from "../../../session/chosenModels.ts";
import { defaultModelId, toModelCards } from "../../../session/modelCards.ts";
import type { Session } from "../../../session/session.ts";
import type { Models } from "../../../shared/chat/chatModels.ts";
import type { ModelNames } from "../../../shared/chat/modelNames.ts";
import type { Explanation } from "../../../shared/errorActions.ts";
import type { StatePatch } from "../../protocol/chatOps.ts";

export interface ModelListingDeps {
  readonly session: Pick<Session, "active" | "client">;
  /** The model last chosen for each connection. */
  readonly remembered: ChosenModels;
  readonly onChange: (patch: StatePatch) => void;
}

/** The models of the active connection, what their other names stand for, and the selected one. */
export class ModelListing {
  readonly #deps: ModelListingDeps;
  #loading: AbortController | undefined;
  #shownFor: string | undefined;
  #models: Models = { status: "loading" };
  #names: ModelNames = { status: "unread" };

  constructor(deps: ModelListingDeps) {
    this.#deps = deps;
  }

  /** Reloads the listing; a running load is discarded. */
  async load(): Promise<void> {
    this.#loading?.abort();
    const mine = new AbortController();
    this.#loading = mine;
    const { session, onChange } = this.#deps;
    const { active } = session;
    onChange({ service: active ? { name: active.name, kind: active.kind } : null });
    // Models of the same service stay visible during a reload. What names stand for is said by each service.
    if (this.#shownFor !== active?.id) {
      this.#showNames({ status: "unread" });
      this.#show({ status: "loading" });
    }
    try {
      const { api } = await session.client({ kind: "chat" });
      const { data } = await api.models.list({}, { signal: mine.signal });
      if (mine.signal.aborted) return;
      this.#shownFor = active?.id;
      this.#show({ status: "ready", cards: toModelCards(data, { kind: active?.kind ?? "live" }) });
    } catch (error) {
      if (mine.signal.aborted) return;
      this.#shownFor = undefined;
      this.#show({ status: "failed", problem: this.#explain(error) });
    }
  }

  /** Selects a model by its id, or a name that the user has typed. */
  pick(modelId: string): void {
    const { session, remembered, onChange } = this.#deps;
    const isTyped = !this.#isListed(modelId);
    if (session.active) remembered.set(session.active.id, modelId, isTyped);
    onChange({ modelId });
    if (isTyped) void this.readNames();
  }

  /** Reads what the service says of names that are no ids, unless that is known. A failure is shown and can be repeated. */
  async readNames(): Promise<void> {
    if (this.#names.status === "ready" || this.#names.status === "loading") return;
    const loading: ModelNames = { status: "loading" };
    this.#showNames(loading);
    const read = await this.#readNames();
    // After a switch of the connection the names are those of another service.
    if (this.#names === loading) this.#showNames(read);
  }

  dispose(): void {
    this.#loading?.abort();
    this.#names = { status: "unread" };
  }

  async #readNames(): Promise<ModelNames> {
    try {
      const { prices } = await this.#deps.session.client({ kind: "chat" });
      return { status: "ready", lists: await prices.names() };
    } catch (error) {
      return { status: "failed", problem: this.#explain(error) };
    }
  }

  #explain(error: unknown): Explanation {
    const { active } = this.#deps.session;
    return explain(error, {
      service: active?.name ?? "The service",
      ...(active ? { kind: active.kind } : {}),
    });
  }

  #isListed(modelId: string | undefined): boolean {
    return this.#models.status === "ready" && this.#models.cards.some(({ id }) => id === modelId);
  }

  #showNames(names: ModelNames): void {
    this.#names = names;
    this.#deps.onChange({ names });
  }

  #show(models: Models): void {
    const { session, remembered, onChange } = this.#deps;
    this.#models = models;
    const cards = models.status === "ready" ? models.cards : [];
    const stored = session.active && remembered.get(session.active.id);
    const isTyped = session.active !== undefined && remembered.isTyped(session.active.id);
    // The remembered model can be used before the listing is loaded. A typed name need not be listed.
    const keepsStored = models.status !== "ready" || this.#isListed(stored) || isTyped;
    onChange({ models, modelId: (keepsStored ? stored : defaultModelId(cards)) ?? null });
    if (isTyped && models.status === "ready" && !this.#isListed(stored)) void this.readNames();
  }
}
