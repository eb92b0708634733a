import type { Dialect } from "../../../../api/dialect/dialect.ts";
import { memberProblem } from "../../../../api/endpoint.ts";
import type { Model } from "../../../../api/endpoints/models.ts";
import { isDefaultModel } from "../../../../api/endpoints/models.ts";
import type { imageAmount } from "../../../../api/money/estimate.ts";
import { maxLayers, usualLayers } from "../../../../shared/images/imageBounds.ts";
import { isMembers, membersOf } from "../../../../shared/members.ts";
import { stringsIn } from "../../../../shared/stringIn.ts";
import type { StudioControls, StudioDraft, Way } from "../../../protocol/studioState.ts";

/** The models for the current mode, the selected one, and its options. */
export interface Offer {
  readonly mode: Way;
  readonly models: readonly Model[];
  readonly model: Model | undefined;
  readonly controls: StudioControls;
  /** The highest number of pictures that a model combines. */
  readonly mostLayers: number;
}

/** spec E11, E5 and E13: the longest prompt of any model. */
const promptLimits: Readonly<Record<Way, number>> = { generate: 1500, edit: 32_768, combine: 32_768 };
const sizes = [
  "256x256",
  "512x512",
  "1024x1024",
  "1536x1024",
  "1024x1536",
  "1792x1024",
  "1024x1792",
] as const;

/** spec E5, E13: used if a model lists none. Models with 4:3 list it (wire.md section 2). */
const ratios = ["1:1", "3:2", "16:9", "21:9", "9:16", "2:3", "3:4", "4:5"];
const qualities = ["low", "medium", "high"];

const editRoute = "POST /image/edit";
const combineRoute = "POST /image/multi-edit";

function modeOf(layers: number): Way {
  if (layers === 0) return "generate";
  return layers === 1 ? "edit" : "combine";
}

/** The offer for this number of pictures. */
export function toOffer(
  listed: readonly Model[],
  draft: StudioDraft,
  layers: number,
  dialect: Dialect,
): Offer {
  const mode = modeOf(layers);
  const online = listed.filter(({ model_spec }) => model_spec?.offline !== true);
  const editors = online.filter(({ type }) => type === "inpaint");
  const models =
    mode === "generate"
      ? online.filter(({ type }) => type === "image")
      : editors.filter((model) => mostOf(model, dialect) >= layers);
  const preferred = mode === "generate" ? draft.generateModel : draft.editModel;
  const model = models.find(({ id }) => id === preferred) ?? models.find(isDefaultModel) ?? models[0];
  // Without a model the mode is not available, which another message explains.
  const mostLayers =
    editors.length === 0 ? usualLayers : Math.max(...editors.map((one) => mostOf(one, dialect)));
  return { mode, models, model, controls: controlsOf(model, mode, dialect), mostLayers };
}

/** Listed price of one picture in USD. Undefined if no price is listed. */
export function priceOf(
  { model, mode, controls }: Offer,
  draft: StudioDraft,
  inputs: number,
  amountOf: typeof imageAmount,
): number | undefined {
  if (mode === "generate") return amountOf(model, {}).usd?.[1];
  const { resolution, quality } = chosen(controls, draft);
  const pricing = membersOf(model?.model_spec?.pricing);
  const tiers = pricing.quality ?? pricing.resolutions;
  // Of a resolution that is written, not chosen, the list may have no price.
  if (resolution !== undefined && isMembers(tiers) && !Object.hasOwn(tiers, resolution)) return undefined;
  return amountOf(model, { resolution, quality, inputs }).usd?.[1];
}

/** The draft's values of the options that the model has. */
export function chosen(controls: StudioControls, draft: StudioDraft) {
  const ifListed = (list: readonly string[], value: string) => (list.includes(value) ? value : undefined);
  return {
    size: ifListed(controls.sizes, draft.size),
    ratio: ifListed(controls.ratios, draft.ratio),
    resolution: controls.takesResolution ? draft.resolution.trim() || undefined : undefined,
    quality: ifListed(controls.qualities, draft.quality),
  };
}

function controlsOf(model: Model | undefined, mode: Way, dialect: Dialect): StudioControls {
  const constraints = model?.model_spec?.constraints ?? {};
  const limit = constraints.promptCharacterLimit;
  const promptLimit = Math.min(promptLimits[mode], typeof limit === "number" ? limit : promptLimits[mode]);
  const none = {
    sizes: [],
    ratios: [],
    resolutions: [],
    takesResolution: false,
    qualities: [],
    takesEnhancing: false,
  };
  if (!model) return { ...none, promptLimit };
  if (mode === "generate") return { ...none, promptLimit, sizes: sizesOf(constraints) };
  const route = mode === "edit" ? editRoute : combineRoute;
  const takes = (name: string) => (value: unknown) =>
    memberProblem(dialect.rules, route, name, value) === undefined;
  return {
    promptLimit,
    sizes: [],
    ratios: ratiosOf(constraints).filter(takes("aspect_ratio")),
    resolutions: stringsIn(constraints.resolutions),
    takesResolution: takes("resolution")("1K"),
    qualities: qualitiesOf(constraints).filter(takes("quality")),
    takesEnhancing: takes("enhance_prompt")(true),
  };
}

type Constraints = Readonly<Record<string, unknown>>;

/** `auto` is sent if nothing is selected. */
function ratiosOf(constraints: Constraints): readonly string[] {
  const listed = stringsIn(constraints.aspectRatios);
  if (listed.length === 0) return ratios;
  return [...ratios, "4:3"].filter((ratio) => listed.includes(ratio));
}

/** All of the spec for a model that lists none: a model without tiers ignores it (spec E5, E13). */
function qualitiesOf(constraints: Constraints): readonly string[] {
  const listed = stringsIn(constraints.qualities);
  return listed.length === 0 ? qualities : qualities.filter((one) => listed.includes(one));
}

/** The sizes of the spec with a ratio and a divisor that the model supports. */
function sizesOf(constraints: Constraints): readonly string[] {
  const listed = stringsIn(constraints.aspectRatios).filter((ratio) => ratio !== "auto");
  const divisor = constraints.widthHeightDivisor;
  return sizes.filter((size) => {
    const [width = 1, height = 1] = size.split("x").map(Number);
    const isDivisible = typeof divisor !== "number" || (width % divisor === 0 && height % divisor === 0);
    return isDivisible && (listed.length === 0 || listed.some((ratio) => isNear(ratio, width / height)));
  });
}

/** 1792 × 1024 counts as 16:9. */
function isNear(ratio: string, target: number): boolean {
  const [across = 1, down = 1] = ratio.split(":").map(Number);
  return Math.abs(Math.log(across / down / target)) < 0.03;
}

/** The number of pictures that a model accepts, limited by the dialect. */
function mostOf({ model_spec }: Model, { rules }: Dialect): number {
  const { combineImages, maxInputImages } = model_spec?.constraints ?? {};
  if (combineImages === false) return 1;
  const listed = typeof maxInputImages === "number" ? maxInputImages : usualLayers;
  const takes = (count: number) =>
    memberProblem(rules, combineRoute, "images", Array.from({ length: count })) === undefined;
  let most = Math.max(1, Math.min(maxLayers, Math.floor(listed)));
  while (most > 1 && !takes(most)) most -= 1;
  return most;
}
