import { formatUsd } from "../../shared/formatUsd.ts";
import type { Outcome, Strokes } from "../../shared/studioState.ts";
import { said } from "./outcomes.ts";

/** A request that was sent, as it is kept until its answer has come. */
export interface SentRequest {
  readonly prompt: string;
  /** Null where the listing names no price. */
  readonly usd: number | null;
}

/** What was begun and is not done, as an earlier window left it. */
export interface KeptUnfinished {
  readonly strokes: Strokes | undefined;
  readonly request: unknown;
}

export type KeepNote = (name: "strokes" | "request", value: unknown) => Promise<void>;

/** What was begun in the studio and is not done: strokes of a mask, a request on its way. On the disk from its first moment. */
export interface Unfinished {
  readonly strokes: Strokes | undefined;
  paint(strokes: Strokes): void;
  /** Resolves once it is known on the disk that money may be spent. */
  begin(request: SentRequest): Promise<void>;
  /** Its answer is there, or what became of it was read. */
  settle(): void;
  /** The window goes: what is under way by now stays on the disk, to be told of by the next one. */
  leave(): void;
  /** Takes up what an earlier window left; the outcome of a request that was cut. */
  restore(kept: KeptUnfinished): Outcome | undefined;
}

export function createUnfinished(keepNote: KeepNote, report: (error: unknown) => void): Unfinished {
  let strokes: Strokes | undefined;
  let isLeaving = false;
  return {
    get strokes() {
      return strokes;
    },
    paint(next) {
      strokes = next;
      keepNote("strokes", next).catch(report);
    },
    begin: (request) => keepNote("request", request).catch(report),
    settle() {
      if (!isLeaving) keepNote("request", undefined).catch(report);
    },
    leave() {
      isLeaving = true;
    },
    restore(kept) {
      strokes ??= kept.strokes;
      return isSentRequest(kept.request) ? cutOutcome(kept.request) : undefined;
    },
  };
}

function cutOutcome({ prompt, usd }: SentRequest): Outcome {
  const words = prompt.length > 80 ? `${prompt.slice(0, 79)}…` : prompt;
  const most = usd === null ? "may have charged for it" : `may have charged ${formatUsd(usd)} for it`;
  return said(
    "failed",
    `The window was closed or loaded anew while “${words}” was being made, and the picture did not arrive. The service ${most}: look at Usage before you make it again.`,
  );
}

function isSentRequest(value: unknown): value is SentRequest {
  if (typeof value !== "object" || value === null) return false;
  const { prompt, usd } = value as Partial<SentRequest>;
  return typeof prompt === "string" && (usd === null || typeof usd === "number");
}
