import { ApiError, isApiError } from "../api/errors/errors.ts";
import type { Connection } from "../session/connection/connection.ts";
import type { Client } from "../session/session.ts";
import type { ModelCard } from "../shared/chat/chatModels.ts";
import { textIn } from "../shared/stringIn.ts";
import { untilAborted } from "../shared/untilAborted.ts";
import { type CompletionModels, completionModels, toCompletionRequest } from "./completionModel.ts";
import { cleanCompletion } from "./context/cleanCompletion.ts";
import { CompletionCache } from "./context/completionCache.ts";
import { type CursorContext, shapeAt } from "./context/cursorContext.ts";
import { Excerpts, type Neighbour } from "./context/excerpts.ts";
import { type Consent, covers } from "./limits/consents.ts";
import type { HourCap } from "./limits/hourCap.ts";

/** A place in a document where a completion is wanted. */
interface CompletionRequest {
  readonly at: CursorContext;
  /** True if the user asked for it by a command. */
  readonly isExplicit: boolean;
  readonly tabSize: number | undefined;
  readonly neighbours: () => readonly Neighbour[];
}

export interface CompletionSettings {
  /** Empty for the most suitable. */
  readonly model: string;
  readonly debounceMs: number;
  /** 0 for none. */
  readonly hourUsd: number;
}

/** The state that the status bar shows. */
export type CompletionState =
  | { readonly kind: "ready" }
  | { readonly kind: "busy" }
  /** The user has not allowed that code is sent to this service, or to a model that costs money there. */
  | { readonly kind: "asks" }
  /** The cost cap is reached. `Infinity`: one completion may cost more than the cap. */
  | { readonly kind: "capped"; readonly untilMs: number }
  /** No request before this time, unless the user asks for one. */
  | { readonly kind: "failed"; readonly error: unknown; readonly untilMs: number };

export interface CompletionDeps {
  /** A client whose calls the ledger records as completions. */
  readonly client: () => Promise<Client>;
  readonly settings: () => CompletionSettings;
  /** The consent of the user to sending code to a service; undefined without one. */
  readonly consentTo: (connection: Connection) => Consent | undefined;
  /** The service that is asked next; undefined if none is connected. */
  readonly active: () => Connection | undefined;
  readonly cap: HourCap;
  readonly onState: (state: CompletionState) => void;
  readonly now: () => number;
  /** Resolves after this time. Rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface Completed {
  /** The text to insert. */
  readonly text: string;
  /** False for the rest of one that was given before. */
  readonly isNew: boolean;
}

export interface CompletionController {
  /** Undefined if there is nothing to insert, or the signal was aborted. Never throws. */
  complete(request: CompletionRequest, signal: AbortSignal): Promise<Completed | undefined>;
  readonly state: CompletionState;
  /** Forgets failures, cached texts and the cap: settings or the connection have changed. */
  reset(): void;
  dispose(): void;
}

const firstPauseMs = 15_000;
const longestPauseMs = 10 * 60_000;

/** The state that is shown. Each failure after another one makes the pause longer. */
class ShownState {
  readonly #deps: Pick<CompletionDeps, "active" | "consentTo" | "now" | "onState">;
  #state: CompletionState;
  #failures = 0;

  constructor(deps: Pick<CompletionDeps, "active" | "consentTo" | "now" | "onState">) {
    this.#deps = deps;
    this.#state = this.idle();
  }

  get now(): CompletionState {
    return this.#state;
  }

  idle(): CompletionState {
    const active = this.#deps.active();
    return { kind: active && !this.#deps.consentTo(active) ? "asks" : "ready" };
  }

  isPaused(): boolean {
    const state = this.#state;
    return (state.kind === "failed" || state.kind === "capped") && this.#deps.now() < state.untilMs;
  }

  show(state: CompletionState): void {
    this.#state = state;
    this.#deps.onState(state);
  }

  succeed(): void {
    this.#failures = 0;
    this.show({ kind: "ready" });
  }

  fail(error: unknown): void {
    this.#failures += 1;
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(this.#failures - 1, 10));
    const retryAtMs = isApiError(error) ? (error.details.retryAtMs ?? 0) : 0;
    this.show({ kind: "failed", error, untilMs: Math.max(this.#deps.now() + pauseMs, retryAtMs) });
  }

  reset(): void {
    this.#failures = 0;
    this.show(this.idle());
  }
}

/** At most one request is in progress. A new place aborts the request of the one before. */
export function createCompletionController(deps: CompletionDeps): CompletionController {
  const state = new ShownState(deps);
  const cache = new CompletionCache();
  const excerpts = new Excerpts();
  let current: AbortController | undefined;
  const ask = async (request: CompletionRequest, shape: "one" | "several", signal: AbortSignal) => {
    const answer = await requestText(deps, excerpts, { ...request, shape }, signal, () =>
      state.show({ kind: "busy" }),
    );
    if (answer.text === undefined) {
      if (answer.needsConsent) state.show({ kind: "asks" });
      else if (answer.untilMs !== undefined) state.show({ kind: "capped", untilMs: answer.untilMs });
      return undefined;
    }
    cache.add(request.at, answer.text);
    state.succeed();
    return answer.text;
  };
  const askAfterDelay = async (
    asked: CompletionRequest,
    shape: "one" | "several",
    signal: AbortSignal,
  ): Promise<Completed | undefined> => {
    if (!asked.isExplicit) await deps.wait(deps.settings().debounceMs, signal);
    if (signal.aborted) return undefined;
    const text = await ask(asked, shape, signal);
    return signal.aborted || !text ? undefined : { text, isNew: true };
  };
  /** Aborts the request before. */
  const request = async (
    asked: CompletionRequest,
    shape: "one" | "several",
    cancelled: AbortSignal,
  ): Promise<Completed | undefined> => {
    const mine = new AbortController();
    current?.abort();
    current = mine;
    const signal = AbortSignal.any([cancelled, mine.signal]);
    try {
      return await askAfterDelay(asked, shape, signal);
    } catch (error) {
      if (!signal.aborted) state.fail(error);
      else if (current === mine && state.now.kind === "busy") state.show(state.idle());
      return undefined;
    } finally {
      if (current === mine) current = undefined;
    }
  };
  return {
    async complete(asked, cancelled) {
      const shape = shapeAt(asked.at);
      if (shape === "none") return undefined;
      const known = cache.find(asked.at);
      if (known !== undefined) return known === "" ? undefined : { text: known, isNew: false };
      return state.isPaused() && !asked.isExplicit ? undefined : request(asked, shape, cancelled);
    },
    get state() {
      return state.now;
    },
    reset() {
      current?.abort();
      cache.clear();
      deps.cap.forget();
      state.reset();
    },
    dispose() {
      current?.abort();
      cache.clear();
    },
  };
}

/** The text, or why nothing was sent: the user has to be asked, or the cost cap; neither if the signal was aborted. */
interface Requested {
  readonly text?: string;
  readonly needsConsent?: true;
  readonly untilMs?: number;
}

async function requestText(
  deps: CompletionDeps,
  excerpts: Excerpts,
  request: CompletionRequest & { readonly shape: "one" | "several" },
  signal: AbortSignal,
  onSend: () => void,
): Promise<Requested> {
  const { at, shape, tabSize } = request;
  const client = await deps.client();
  // Before anything is requested. The connection may have been switched since the last key.
  if (!deps.consentTo(client.connection)) return { needsConsent: true };
  const models = await untilAborted(completionModels(client), signal);
  const { model, hourUsd } = deps.settings();
  const card = await untilAborted(models.choose(model), signal);
  if (!covers(deps.consentTo(client.connection), card)) return { needsConsent: true };
  const body = toCompletionRequest(card, {
    ...at,
    lines: shape,
    excerpts: excerpts.of(request.neighbours(), at.languageId, at.before),
  });
  const mostUsd = boundOf(models, card, body, hourUsd);
  const untilMs = await deps.cap.blockedUntil(client.connection, { model: card.id, mostUsd }, hourUsd);
  if (signal.aborted) return {};
  if (untilMs !== undefined) return { untilMs };
  onSend();
  // Never sent twice: the user has typed on, or asks once more.
  const reply = await client.api.chat.complete(body, { signal, once: true }).finally(deps.cap.forget);
  const [choice] = reply.choices;
  return { text: cleanCompletion(textIn(choice?.message.content), { ...at, shape, tabSize }) };
}

/** Without a price nothing bounds the cost, so a cap refuses the model. */
function boundOf(
  models: CompletionModels,
  card: ModelCard,
  body: Parameters<CompletionModels["mostUsd"]>[0],
  hourUsd: number,
): number {
  const most = models.mostUsd(body);
  if (most !== undefined || hourUsd === 0) return most ?? 0;
  const reason = `the service lists no price for ${card.name}, so the limit of inference.completions.hourUsd can't be kept`;
  const about = { endpoint: "chat.complete", source: "unpriced", mayHaveArrived: false } as const;
  throw new ApiError("payment-required", reason, about);
}
