import { formatUsd } from "../../shared/formatUsd.ts";
import type { GenerationOutcome, Strokes } from "../../shared/studioState.ts";
import type { Making } from "./generateAndSave.ts";
import { said } from "./outcomes.ts";

/** A request that was sent, as it is kept until its answer has come. */
interface SentRequest {
  readonly prompt: string;
  /** Null where the listing names no price. */
  readonly usd: number | null;
  readonly isPlayMoney: boolean;
}

/** Unfinished work of an earlier window. */
export interface StoredUnfinished {
  readonly strokes: Strokes | undefined;
  readonly request: unknown;
}

export type KeepNote = (name: "strokes" | "request", value: unknown) => Promise<void>;

/** Unfinished work in the studio: strokes of a mask, a request under way. It is on the disk from its start. */
export interface Unfinished {
  readonly strokes: Strokes | undefined;
  /** What was told of a request that an earlier window cut; it holds whichever service is chosen by now. */
  readonly cut: GenerationOutcome | undefined;
  paint(strokes: Strokes): void;
  /** Resolves once it is known on the disk that money may be spent. */
  begin(making: Pick<Making, "prompt" | "costUsd" | "isPlayMoney">): Promise<void>;
  /** Its answer is there, or what became of it was read. */
  settle(): void;
  /** The window goes: what is under way by now stays on the disk, to be told of by the next one. */
  leave(): void;
  /** Takes up what an earlier window left; the outcome of a request that was cut. */
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
    `The window was closed or loaded anew while “${words}” was being made, and the picture did not arrive. The service ${most}: look at Usage before you make it again.`,
  );
}

function isSentRequest(value: unknown): value is SentRequest {
  if (typeof value !== "object" || value === null) return false;
  const { prompt, usd, isPlayMoney } = value as Partial<SentRequest>;
  if (typeof isPlayMoney !== "boolean") return false;
  return typeof prompt === "string" && (usd === null || typeof usd === "number");
}
