import type { Explanation } from "../../shared/errorActions.ts";
import type { Outcome } from "../../shared/studioState.ts";

export function said(kind: Outcome["kind"], text: string): Outcome {
  return { kind, text, picture: "", suggestion: "", actions: [] };
}

export function failed({ sentence, actions }: Explanation): Outcome {
  return { ...said("failed", sentence), actions };
}

export function keptAs(picture: string): Outcome {
  return { ...said("kept", `Kept as ${picture}.`), picture };
}
