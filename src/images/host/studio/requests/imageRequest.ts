import { type Upload, uploadFromBytes } from "../../../../api/call/body/upload.ts";
import { withoutMetadata } from "../../../../api/withoutMetadata.ts";
import { togetherProblem } from "../../../../shared/images/imageBounds.ts";
import { optionalMember } from "../../../../shared/members.ts";
import type { ImageRequest } from "../../../../tools/requestPicture.ts";
import { type Layer, maxResolution, type StudioDraft, type Way } from "../../../protocol/studioState.ts";
import { chosen, type Offer } from "../models/modelOffer.ts";

/** A picture of a request, with its content. */
export interface LayerFile extends Layer {
  /** Of an address the preview, which is not sent; empty without one. */
  readonly data: Uint8Array;
  readonly mediaType: string;
}

type Input<Mode extends Way> = Extract<ImageRequest, { mode: Mode }>["input"];

const modeLabels: Readonly<Record<Way, string>> = {
  generate: "make pictures",
  edit: "edit a picture",
  combine: "combine pictures",
};

/** Error sentence if this can't be sent, with rule and value; undefined if it can. */
export function requestProblem(
  offer: Offer,
  draft: StudioDraft,
  layers: readonly Layer[],
): string | undefined {
  const { model, controls, mode, mostLayers } = offer;
  const length = draft.prompt.length;
  if (!model && layers.length > mostLayers) {
    return `The models of this service take at most ${mostLayers} ${mostLayers === 1 ? "picture" : "pictures"} at once, the mask included; there are ${layers.length}. Remove some.`;
  }
  if (!model) return `The service lists no model that can ${modeLabels[mode]}.`;
  if (draft.prompt.trim() === "") return "Enter a prompt that describes the picture.";
  if (length > controls.promptLimit) {
    const most = controls.promptLimit.toLocaleString("en-US");
    return `A prompt for ${model.id} has at most ${most} characters; this one has ${length.toLocaleString("en-US")}.`;
  }
  const { resolution = "" } = chosen(controls, draft);
  if (resolution.length > maxResolution)
    return `A resolution has 1 to ${maxResolution} characters; “${resolution.slice(0, 40)}” has ${resolution.length}.`;
  const bad = layers.find(({ problem }) => problem !== "");
  if (bad) return `${bad.name}: ${bad.problem}`;
  const waiting = layers.find(({ pixels }) => pixels === "redraw");
  if (waiting) return `${waiting.name} is being converted.`;
  if (layers[0]?.isMask) return "The first picture is the one to edit, so it can't be a mask.";
  return togetherProblem(layers.map(({ bytes, url }) => (url === "" ? bytes : 0)));
}

/** The request of a valid draft. */
export function toImageRequest(offer: Offer, draft: StudioDraft, layers: readonly LayerFile[]): ImageRequest {
  const { prompt, blursAdult } = draft;
  const { size, ratio, resolution, quality } = chosen(offer.controls, draft);
  const id = offer.model?.id;
  const format = draft.format === "" ? {} : { output_format: draft.format };
  if (offer.mode === "generate") {
    const moderation = blursAdult ? "auto" : "low";
    const own = { ...optionalMember("model", id), ...optionalMember("size", size) };
    return { mode: "generate", input: { prompt, moderation, ...own, ...format } as Input<"generate"> };
  }
  const shared = {
    prompt,
    safe_mode: blursAdult,
    ...optionalMember("aspect_ratio", ratio),
    ...optionalMember("resolution", resolution),
    ...optionalMember("quality", quality),
    ...(offer.controls.takesEnhancing && draft.enhances ? { enhance_prompt: true } : {}),
    ...format,
  };
  const [first, ...others] = layers.map(toInput);
  if (!first) throw new Error("an edit needs a picture");
  if (offer.mode === "edit") {
    return {
      mode: "edit",
      input: { ...shared, ...optionalMember("model", id), image: first } as Input<"edit">,
    };
  }
  const combined = { ...shared, ...optionalMember("modelId", id), images: [first, ...others] };
  return { mode: "combine", input: combined as Input<"combine"> };
}

/** The parameters as sent, for the metadata of the picture. */
export function choicesOf({ input }: ImageRequest): Readonly<Record<string, string | boolean>> {
  const own = new Set(["prompt", "model", "modelId", "image", "images"]);
  const rest = Object.entries(input).filter(([name, value]) => !own.has(name) && value !== undefined);
  return Object.fromEntries(rest) as Record<string, string | boolean>;
}

function toInput({ name, mediaType, data, url }: LayerFile): Upload | string {
  return url === "" ? uploadFromBytes(name, mediaType, withoutMetadata(data)) : url;
}
