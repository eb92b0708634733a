import type { Model } from "../../../api/endpoints/models.ts";
import { usualLayers } from "../../../shared/images/imageBounds.ts";
import { formatUsd } from "../../../shared/money/formatUsd.ts";
import type { StudioControls, StudioState } from "../../protocol/studioState.ts";
import { toView } from "./layers/layers.ts";
import type { Offer } from "./models/modelOffer.ts";
import type { LayerFile } from "./requests/imageRequest.ts";

/** The controller's data that the state is built from. */
export interface StudioParts
  extends Pick<StudioState, "draft" | "run" | "outcome" | "hasEarlier" | "problem" | "folder" | "service"> {
  /** Undefined until the models are loaded. */
  readonly offer: Offer | undefined;
  readonly layers: readonly LayerFile[];
  readonly usd: number | undefined;
  /** True for the sandbox's play money. */
  readonly isPlayMoney: boolean;
}

const noControls: StudioControls = {
  promptLimit: 1500,
  sizes: [],
  ratios: [],
  resolutions: [],
  takesResolution: false,
  qualities: [],
  takesEnhancing: false,
};

export function toStudioState({ offer, layers, usd, isPlayMoney, ...parts }: StudioParts): StudioState {
  return {
    ...parts,
    way: offer?.mode ?? "generate",
    models: (offer?.models ?? []).map(toModel),
    model: offer?.model?.id ?? "",
    controls: offer?.controls ?? noControls,
    layers: layers.map(toView),
    mostLayers: offer?.mostLayers ?? usualLayers,
    price: usd === undefined ? "" : formatUsd(usd, isPlayMoney),
  };
}

function toModel({ id, model_spec }: Model) {
  return { id, name: model_spec?.name ?? id, description: model_spec?.description ?? "" };
}
