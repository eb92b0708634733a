import { formatUsd } from "../../../../shared/money/formatUsd.ts";
import type { GenerationOutcome, Strokes } from "../../../protocol/studioState.ts";
import { notice } from "./outcomes.ts";

interface PaidRequest {
  readonly prompt: string;
  /** Undefined if no price is listed. */
  readonly costUsd: number | undefined;
  readonly isPlayMoney: boolean;
}

/** A sent request, stored until its response arrives. */
interface SentRequest {
  readonly prompt: string;
  /** Null if no price is listed. */
  readonly usd: number | null;
  readonly isPlayMoney: boolean;
}

/** Unfinished work of an earlier window. */
export interface StoredUnfinished {
  readonly strokes: Strokes | undefined;
  readonly request: unknown;
}

export type SaveNote = (name: "strokes" | "request", value: unknown) => Promise<void>;

/** Unfinished work: strokes of a mask, a running request. Both are stored on disk from their start. */
export class Unfinished {
  readonly #saveNote: SaveNote;
  readonly #report: (error: unknown) => void;
  #strokes: Strokes | undefined;
  #isLeaving = false;
  #lost: GenerationOutcome | undefined;

  constructor(saveNote: SaveNote, report: (error: unknown) => void) {
    this.#saveNote = saveNote;
    this.#report = report;
  }

  get strokes(): Strokes | undefined {
    return this.#strokes;
  }

  /** The message about a request that an earlier window lost; it stays after a change of the service. */
  get lost(): GenerationOutcome | undefined {
    return this.#lost;
  }

  paint(next: Strokes): void {
    this.#strokes = next;
    this.#saveNote("strokes", next).catch(this.#report);
  }

  /** Resolves when it is stored on disk that money may be spent. */
  async begin({ prompt, costUsd, isPlayMoney }: PaidRequest): Promise<void> {
    const request: SentRequest = { prompt, usd: costUsd ?? null, isPlayMoney };
    await this.#saveNote("request", request).catch(this.#report);
  }

  /** The response has arrived, or its loss was reported. */
  settle(): void {
    if (!this.#isLeaving) this.#saveNote("request", undefined).catch(this.#report);
  }

  /** The window closes: running work stays on disk for the next one. */
  leave(): void {
    this.#isLeaving = true;
  }

  /** Restores the work of an earlier window; returns the message about a lost request. */
  restore(stored: StoredUnfinished): GenerationOutcome | undefined {
    this.#strokes ??= stored.strokes;
    this.#lost = isSentRequest(stored.request) ? lostOutcome(stored.request) : undefined;
    return this.#lost;
  }
}

function lostOutcome({ prompt, usd, isPlayMoney }: SentRequest): GenerationOutcome {
  const shown = prompt.length > 80 ? `${prompt.slice(0, 79)}…` : prompt;
  const sum = usd === null ? "" : `${formatUsd(usd, isPlayMoney)} `;
  return notice(
    "failed",
    `The window was closed or reloaded while “${shown}” was being generated, so the picture was lost. The service may have charged ${sum}for it: check Usage before you generate it again.`,
  );
}

function isSentRequest(value: unknown): value is SentRequest {
  if (typeof value !== "object" || value === null) return false;
  const { prompt, usd, isPlayMoney } = value as Partial<SentRequest>;
  if (typeof isPlayMoney !== "boolean") return false;
  return typeof prompt === "string" && (usd === null || typeof usd === "number");
}
