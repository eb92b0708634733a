import type { Capabilities, CatalogSpec, TextModel } from "./modelRecord.ts";

/** Text in, text out. */
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

interface TextModelFacts extends Pick<TextModel, "tier" | "price"> {
  readonly id: string;
  readonly contextTokens: number;
  readonly completionTokens: number;
  readonly spec: Pick<CatalogSpec, "name" | "description"> & Partial<CatalogSpec>;
}

/** The chat models, the default first. Prices are fictional: the sandbox charges nobody. */
export const userModels: readonly TextModel[] = [
  textModel({
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
  textModel({
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
  textModel({
    id: "scripted",
    tier: "S",
    price: { input: 0.4, output: 1.6, cacheInput: 0.1 },
    contextTokens: 131_072,
    completionTokens: 4_096,
    spec: {
      name: "Scripted",
      description: "Plays scripts of tool calls, to try the agent.",
      capabilities: { ...plainCapabilities, supportsFunctionCalling: true, supportsReasoning: true },
    },
  }),
  textModel({
    id: "probable",
    tier: "S",
    price: { input: 0.3, output: 1.2, cacheInput: 0.08 },
    contextTokens: 131_072,
    completionTokens: 16_384,
    spec: {
      name: "Probable",
      description: "The guide with log probabilities of the tokens of answer and prompt.",
      capabilities: { ...versatile, supportsLogProbs: true },
    },
  }),
  textModel({
    id: "viewer",
    tier: "S",
    price: { input: 0.3, output: 1.2, cacheInput: 0.08 },
    contextTokens: 131_072,
    completionTokens: 16_384,
    spec: {
      name: "Viewer",
      description: "Tells the format, the size and the colours of pictures; without one it is the guide.",
      traits: ["default_vision"],
      capabilities: { ...versatile, supportsVision: true, supportsMultipleImages: true },
    },
  }),
];

/** The record of a text model. */
export function textModel({
  id,
  tier,
  price,
  contextTokens,
  completionTokens,
  spec,
}: TextModelFacts): TextModel {
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
