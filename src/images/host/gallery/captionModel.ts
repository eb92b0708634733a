import type { Model } from "../../../api/endpoints/models.ts";
import { chatAmount } from "../../../api/money/estimate.ts";
import { withoutMetadata } from "../../../api/withoutMetadata.ts";
import { defaultModelId, toModelCards } from "../../../session/modelCards.ts";
import { imageFormatOf } from "../../../shared/images/imageFormats.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";

/** A model that takes pictures. */
export interface CaptionModel {
  readonly model: Model;
  readonly name: string;
  /** The highest price of one description in USD; undefined if none is listed. */
  readonly usd: number | undefined;
}

/** Tokens that a picture and the question may have; services count pictures in different ways. */
const promptTokens = [300, 3_000] as const;
const mostAnswerTokens = 200;
const longestCaption = 300;

const question =
  "Describe what this picture shows, as the alternative text of a web page: one sentence of at most 25 words, in plain words. Begin with the subject. Answer with the sentence alone.";

/** A model on this machine, else the service's default of those that take pictures; undefined if none does. */
export function chooseCaptionModel(
  models: readonly Model[],
  connection: Parameters<typeof toModelCards>[1],
): CaptionModel | undefined {
  const able = models.filter(({ model_spec: spec }) => spec?.capabilities?.supportsVision === true);
  const id = defaultModelId(toModelCards(able, connection));
  const model = able.find((each) => each.id === id);
  if (!model) return undefined;
  const amount = chatAmount(model, { prompt: promptTokens, cached: 0, completion: [0, mostAnswerTokens] });
  return { model, name: model.model_spec?.name || model.id, usd: amount.usd?.[1] };
}

/** The question, with the picture itself. */
export function captionRequest(model: string, data: Uint8Array) {
  const type = imageFormatOf(data)?.mediaType ?? "image/png";
  const image_url = { url: `data:${type};base64,${Buffer.from(withoutMetadata(data)).toString("base64")}` };
  return {
    model,
    messages: [
      {
        role: "user" as const,
        content: [
          { type: "text" as const, text: question },
          { type: "image_url" as const, image_url },
        ],
      },
    ],
    max_completion_tokens: mostAnswerTokens,
    service_parameters: { include_venice_system_prompt: false },
  };
}

/** One line without quote marks around it, and without hidden characters. */
export function toCaption(answer: string): string {
  const line = visibleLine(answer.replace(/\s+/g, " ").trim()).replace(/^["“'](.*)["”']$/, "$1");
  return line.slice(0, longestCaption);
}
