import { formatUsd } from "../../../shared/money/formatUsd.ts";
import type { GenerationOutcome, Strokes } from "../../protocol/studioState.ts";
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
export interface Unfinished {
  readonly strokes: Strokes | undefined;
  /** The message about a request that an earlier window lost; it stays after a change of the service. */
  readonly lost: GenerationOutcome | undefined;
  paint(strokes: Strokes): void;
  /** Resolves when it is stored on disk that money may be spent. */
  begin(request: PaidRequest): Promise<void>;
  /** The response has arrived, or its loss was reported. */
  settle(): void;
  /** The window closes: running work stays on disk for the next one. */
  leave(): void;
  /** Restores the work of an earlier window; returns the message about a lost request. */
  restore(stored: StoredUnfinished): GenerationOutcome | undefined;
}

export function createUnfinished(saveNote: SaveNote, report: (error: unknown) => void): Unfinished {
  let strokes: Strokes | undefined;
  let isLeaving = false;
  let lost: GenerationOutcome | undefined;
  return {
    get strokes() {
      return strokes;
    },
    get lost() {
      return lost;
    },
    paint(next) {
      strokes = next;
      saveNote("strokes", next).catch(report);
    },
    async begin({ prompt, costUsd = null, isPlayMoney }) {
      const request: SentRequest = { prompt, usd: costUsd, isPlayMoney };
      await saveNote("request", request).catch(report);
    },
    settle() {
      if (!isLeaving) saveNote("request", undefined).catch(report);
    },
    leave() {
      isLeaving = true;
    },
    restore(stored) {
      strokes ??= stored.strokes;
      lost = isSentRequest(stored.request) ? lostOutcome(stored.request) : undefined;
      return lost;
    },
  };
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
