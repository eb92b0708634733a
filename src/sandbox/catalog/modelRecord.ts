import type { TextTier } from "../limits/rates.ts";

/** A model record as the listing shows it (wire.md section 4). */
export interface ModelRecord {
  readonly id: string;
  readonly object: "model";
  readonly owned_by: string;
  readonly type: string;
  /** Unix time in seconds. */
  readonly created: number;
  readonly context_length?: number;
  readonly model_spec: CatalogSpec;
}

export interface CatalogSpec {
  readonly name: string;
  readonly description: string;
  /** Absent if it is unknown. */
  readonly privacy?: "private" | "anonymized";
  readonly offline: boolean;
  readonly traits: readonly string[];
  readonly betaModel?: boolean;
  readonly deprecation?: {
    readonly date: string;
    readonly removesAt: string;
    readonly replacementModelId: string;
  };
  readonly availableContextTokens?: number;
  readonly maxCompletionTokens?: number;
  readonly capabilities?: Capabilities;
  readonly constraints?: Readonly<Record<string, unknown>>;
  readonly pricing: Readonly<Record<string, unknown>>;
  readonly [more: string]: unknown;
}

export interface Capabilities {
  readonly optimizedForCode: boolean;
  readonly quantization: string;
  readonly supportsFunctionCalling: boolean;
  readonly supportsReasoning: boolean;
  readonly supportsReasoningEffort: boolean;
  readonly reasoningEffortOptions?: readonly string[];
  readonly supportsResponseSchema: boolean;
  readonly supportsVision: boolean;
  readonly supportsMultipleImages: boolean;
  readonly supportsAudioInput: boolean;
  readonly supportsVideoInput: boolean;
  readonly supportsWebSearch: boolean;
  readonly supportsLogProbs: boolean;
}

/** A text model with its rate limit tier and its prices in USD per million tokens. */
export interface TextModel {
  readonly record: ModelRecord;
  readonly tier: TextTier;
  readonly price: { readonly input: number; readonly output: number; readonly cacheInput: number };
}
