import { ratios } from "./drawing/size.ts";

/** The limits of an edit model, from its listing (wire.md section 4). */
export interface EditModel {
  readonly id: string;
  readonly ratios: readonly string[];
  readonly resolutions: readonly string[];
  /** Undefined for models without quality tiers. */
  readonly qualities: readonly string[] | undefined;
  /** Characters. */
  readonly promptLimit: number;
  readonly mostImages: number;
}

/** spec E5, E13: the limit of every model. The number of images depends on the dialect and the model. */
const promptLimit = 32_768;

export function toEditModel(record: { readonly id: string; readonly model_spec: object }): EditModel {
  const { constraints = {} } = record.model_spec as { constraints?: Constraints };
  return {
    id: record.id,
    ratios: constraints.aspectRatios?.filter((ratio) => ratio !== "auto") ?? ratios,
    resolutions: constraints.resolutions ?? ["1K"],
    qualities: constraints.qualities,
    promptLimit: Math.min(promptLimit, constraints.promptCharacterLimit ?? promptLimit),
    mostImages: constraints.maxInputImages ?? 1,
  };
}

interface Constraints {
  readonly aspectRatios?: readonly string[];
  readonly resolutions?: readonly string[];
  readonly qualities?: readonly string[];
  readonly promptCharacterLimit?: number;
  readonly maxInputImages?: number;
}
