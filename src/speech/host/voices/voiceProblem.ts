import { isApiError } from "../../../api/errors/errors.ts";
import type { PlayerProblem, SpeechChoice, SpeechModelCard } from "../../protocol/speechProtocol.ts";

/** The statuses of services that do not know a voice. */
const refusals: ReadonlySet<number> = new Set([400, 404, 410, 422]);

/** True if the service refused a request because of its voice: it names the field or the voice itself (spec E7). */
export function isVoiceRefusal(error: unknown, voice: string): boolean {
  if (voice === "" || !isApiError(error) || !refusals.has(error.details.status ?? 0)) return false;
  const { message, details } = error;
  const named = details.issues ?? [];
  if (named.some(({ field }) => field !== "" && field.split(".").at(-1) !== "voice")) return false;
  return [message, ...named.map((issue) => `${issue.field} ${issue.message}`)].some(
    (text) => text.includes(voice) || /\bvoice(_id|s)?\b/i.test(text),
  );
}

interface RefusedVoice {
  readonly service: string;
  readonly voice: string;
  /** The name that the user gave it; undefined for a voice of the service. */
  readonly name: string | undefined;
  readonly model: SpeechModelCard;
  readonly choice: SpeechChoice;
}

/** What the reader can do about a voice that the service does not have. */
export function voiceProblem({ service, voice, name, model, choice }: RefusedVoice): PlayerProblem {
  const other = otherVoice(model, voice);
  const sentence = `${service} does not have the voice “${name ?? voice}” for ${model.name} any more.`;
  const isChosen = choice.voice === voice;
  const label = other === "" ? "Use the Model's Own Voice" : `Use ${other}`;
  return {
    sentence: `${sentence} ${isChosen ? "Read on with another voice" : "Choose another one"}${name === undefined ? "" : ", or clone it again"}.`,
    actions: isChosen
      ? [
          { id: "otherVoice", label },
          { id: "retry", label: "Retry" },
        ]
      : [],
  };
}

/** The first voice of the model that was not refused; empty for the model's own. */
export function otherVoice({ voices }: SpeechModelCard, refused: string): string {
  return voices.find((voice) => voice !== refused) ?? "";
}
