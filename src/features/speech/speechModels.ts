import { ApiError } from "../../api/errors.ts";
import type { Session } from "../../session/session.ts";
import type { SpeechChoice, SpeechModelCard } from "../../shared/speechProtocol.ts";
import type { Choices } from "./voices/choices.ts";
import type { ClonedVoices } from "./voices/clonedVoices.ts";
import { firstChoice, firstModel, fitted, toSpeechModel } from "./voices/speechModel.ts";

/** The speech models of the connection in use, and how they are asked. */
export interface SpeechModels {
  readonly cards: readonly SpeechModelCard[];
  readonly choice: SpeechChoice;
  readonly model: SpeechModelCard;
}

export interface SpeechModelsDeps {
  readonly session: Session;
  readonly choices: Choices;
  readonly voices: ClonedVoices;
}

/** Reads the listing. Throws ApiError; `not-found` where the service speaks not at all. */
export async function loadSpeechModels({
  session,
  choices,
  voices,
}: SpeechModelsDeps): Promise<SpeechModels> {
  const { api, connection } = await session.client();
  const { data } = await api.models.list({ type: "tts" });
  const listed = data.filter(({ model_spec: spec }) => !spec?.offline);
  const cards = listed.map(toSpeechModel);
  const last = choices.lastModel(connection.id);
  const model = cards.find(({ id }) => id === last) ?? firstModel(listed);
  if (!model)
    throw new ApiError("not-found", "the service lists no speech models", { mayHaveArrived: false });
  return { cards, model, choice: choiceFor(model, connection.id, { choices, voices }) };
}

/** As it was chosen last with this model, held to what the model has now. */
export function choiceFor(
  model: SpeechModelCard,
  connectionId: string,
  { choices, voices }: Pick<SpeechModelsDeps, "choices" | "voices">,
): SpeechChoice {
  const handles = voices.of(connectionId, model.id).map(({ handle }) => handle);
  return fitted(choices.get(connectionId, model.id) ?? firstChoice(model), model, handles);
}
