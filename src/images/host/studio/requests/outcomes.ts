import type { Explanation } from "../../../../shared/errorActions.ts";
import type { GenerationOutcome } from "../../../protocol/studioState.ts";

export function notice(kind: GenerationOutcome["kind"], text: string): GenerationOutcome {
  return { kind, text, picture: "", suggestion: "", fields: {}, actions: [] };
}

export function failure({ sentence, actions, topUp }: Explanation): GenerationOutcome {
  return { ...notice("failed", sentence), actions, ...(topUp ? { topUp } : {}) };
}

export function savedAs(picture: string): GenerationOutcome {
  return { ...notice("kept", `Saved as ${picture}.`), picture };
}
