import { formatUsd } from "../../shared/formatUsd.ts";
import type { GenerationOutcome, Strokes } from "../../shared/studioState.ts";
import type { Making } from "./generateAndSave.ts";
import { said } from "./outcomes.ts";

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

export type KeepNote = (name: "strokes" | "request", value: unknown) => Promise<void>;

/** Unfinished work: strokes of a mask, a running request. Both are stored on disk from their start. */
export interface Unfinished {
  readonly strokes: Strokes | undefined;
  /** The message about a request that an earlier window lost; it stays after a change of the service. */
  readonly cut: GenerationOutcome | undefined;
  paint(strokes: Strokes): void;
  /** Resolves when it is stored on disk that money may be spent. */
  begin(making: Pick<Making, "prompt" | "costUsd" | "isPlayMoney">): Promise<void>;
  /** The response has arrived, or its loss was reported. */
  settle(): void;
  /** The window closes: running work stays on disk for the next one. */
  leave(): void;
  /** Restores the work of an earlier window; returns the message about a lost request. */
  restore(stored: StoredUnfinished): GenerationOutcome | undefined;
}

export function createUnfinished(saveNote: KeepNote, report: (error: unknown) => void): Unfinished {
  let strokes: Strokes | undefined;
  let isLeaving = false;
  let cut: GenerationOutcome | undefined;
  return {
    get strokes() {
      return strokes;
    },
    get cut() {
      return cut;
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
      cut = isSentRequest(stored.request) ? cutOutcome(stored.request) : undefined;
      return cut;
    },
  };
}

function cutOutcome({ prompt, usd, isPlayMoney }: SentRequest): GenerationOutcome {
  const words = prompt.length > 80 ? `${prompt.slice(0, 79)}…` : prompt;
  const sum = usd === null ? "" : `${formatUsd(usd, isPlayMoney)} `;
  const most = `may have charged ${sum}for it`;
  return said(
    "failed",
    `The window was closed or reloaded while “${words}” was being generated, so the picture was lost. The service ${most}: check Usage before you generate it again.`,
  );
}

function isSentRequest(value: unknown): value is SentRequest {
  if (typeof value !== "object" || value === null) return false;
  const { prompt, usd, isPlayMoney } = value as Partial<SentRequest>;
  if (typeof isPlayMoney !== "boolean") return false;
  return typeof prompt === "string" && (usd === null || typeof usd === "number");
}
