import type { Explanation } from "../../shared/errorActions.ts";
import type { GenerationOutcome } from "../../shared/studioState.ts";

export function said(kind: GenerationOutcome["kind"], text: string): GenerationOutcome {
  return { kind, text, picture: "", suggestion: "", actions: [] };
}

export function failed({ sentence, actions }: Explanation): GenerationOutcome {
  return { ...said("failed", sentence), actions };
}

export function storedAs(picture: string): GenerationOutcome {
  return { ...said("kept", `Saved as ${picture}.`), picture };
}
