import type { Capabilities, CatalogSpec, TextModel } from "./modelRecord.ts";

/** A model that takes and gives text, and no more. */
export const plainCapabilities: Capabilities = {
  optimizedForCode: false,
  quantization: "not-available",
  supportsFunctionCalling: false,
  supportsReasoning: false,
  supportsReasoningEffort: false,
  supportsResponseSchema: false,
  supportsVision: false,
  supportsMultipleImages: false,
  supportsAudioInput: false,
  supportsVideoInput: false,
  supportsWebSearch: false,
  supportsLogProbs: false,
};
const versatile: Capabilities = {
  ...plainCapabilities,
  supportsFunctionCalling: true,
  supportsResponseSchema: true,
  supportsWebSearch: true,
};

interface Card extends Pick<TextModel, "tier" | "price"> {
  readonly id: string;
  readonly contextTokens: number;
  readonly completionTokens: number;
  readonly spec: Pick<CatalogSpec, "name" | "description"> & Partial<CatalogSpec>;
}

/** The chat models, the default first. Prices are fictional: the sandbox charges nobody. */
export const userModels: readonly TextModel[] = [
  card({
    id: "guide",
    tier: "S",
    price: { input: 0.2, output: 0.8, cacheInput: 0.05 },
    contextTokens: 131_072,
    completionTokens: 16_384,
    spec: {
      name: "Guide",
      description: "Answers from the documentation of this extension, word for word.",
      traits: ["default", "default_code", "function_calling_default"],
      capabilities: versatile,
    },
  }),
  card({
    id: "thinker",
    tier: "M",
    price: { input: 1.2, output: 4.8, cacheInput: 0.12 },
    contextTokens: 200_000,
    completionTokens: 32_768,
    spec: {
      name: "Thinker",
      description: "The guide with its reasoning shown first.",
      traits: ["default_reasoning", "most_intelligent"],
      capabilities: {
        ...versatile,
        supportsReasoning: true,
        supportsReasoningEffort: true,
        reasoningEffortOptions: ["low", "medium", "high"],
      },
    },
  }),
];

/** Models that show what a client does with images, long answers and a retired model. */
export const testModels: readonly TextModel[] = [
  card({
    id: "echo",
    tier: "XS",
    price: { input: 0.02, output: 0.02, cacheInput: 0.01 },
    contextTokens: 32_768,
    completionTokens: 32_768,
    spec: {
      name: "Echo",
      description: "Says your last message again, to the letter.",
      traits: ["fastest", "default_vision"],
      capabilities: {
        ...plainCapabilities,
        supportsVision: true,
        supportsMultipleImages: true,
        supportsAudioInput: true,
        supportsVideoInput: true,
        supportsLogProbs: true,
      },
    },
  }),
  card({
    id: "long",
    tier: "XS",
    price: { input: 0.02, output: 0.04, cacheInput: 0.01 },
    contextTokens: 8_192,
    completionTokens: 2_000_000,
    spec: {
      name: "Long",
      description: "Writes as much markdown as you ask for: 80 KB, 20 KB table, 5000 tokens.",
      capabilities: plainCapabilities,
    },
  }),
  card({
    id: "guide-classic",
    tier: "L",
    price: { input: 0.6, output: 2.4, cacheInput: 0.3 },
    contextTokens: 8_192,
    completionTokens: 2_048,
    spec: {
      name: "Guide Classic",
      description: "An older guide, to be retired.",
      privacy: "anonymized",
      capabilities: plainCapabilities,
      deprecation: {
        date: "2026-09-01T00:00:00.000Z",
        removesAt: "2027-09-01T00:00:00.000Z",
        replacementModelId: "guide",
      },
    },
  }),
];

function card({ id, tier, price, contextTokens, completionTokens, spec }: Card): TextModel {
  const both = (usd: number) => ({ usd, diem: usd });
  const model_spec: CatalogSpec = {
    privacy: "private",
    offline: false,
    traits: [],
    availableContextTokens: contextTokens,
    maxCompletionTokens: completionTokens,
    constraints: { temperature: { default: 0.7 }, top_p: { default: 0.9 } },
    pricing: { input: both(price.input), output: both(price.output), cache_input: both(price.cacheInput) },
    ...spec,
  };
  const created = Date.UTC(2026, 5, 1) / 1000;
  const facts = { object: "model", owned_by: "sandbox", type: "text", created } as const;
  return { record: { id, ...facts, context_length: contextTokens, model_spec }, tier, price };
}
