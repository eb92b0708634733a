import type { DialectId } from "../../api/dialect/dialect.ts";
import { speechModels } from "../speech/models.ts";
import type { CatalogSpec, ModelRecord } from "./modelRecord.ts";

const usd = (amount: number) => ({ usd: amount, diem: amount });
const aspectRatios = ["auto", "1:1", "3:2", "16:9", "21:9", "9:16", "2:3", "3:4", "4:5"];

/** Input images of one edit: spec E5; on venice a number of the model (wire.md section 11). */
const mostPictures: Readonly<Record<DialectId, number>> = { standard: 3, venice: 6 };

/** Image, edit and speech models. Together they have every form of price in wire.md section 4. */
export const otherModels = (dialect: DialectId): readonly ModelRecord[] => [
  record("image", "canvas", {
    name: "Canvas",
    description: "Draws your words as a picture of shapes.",
    traits: ["default", "fastest"],
    constraints: {
      promptCharacterLimit: 1500,
      widthHeightDivisor: 8,
      steps: { default: 1, max: 1 },
      aspectRatios: aspectRatios.slice(1),
    },
    pricing: { generation: usd(0.01) },
  }),
  record("image", "canvas-large", {
    name: "Canvas Large",
    description: "The same in three resolutions.",
    traits: ["highest_quality"],
    constraints: { promptCharacterLimit: 1500, widthHeightDivisor: 8, resolutions: ["1K", "2K", "4K"] },
    pricing: { resolutions: { "1K": usd(0.04), "2K": usd(0.06), "4K": usd(0.12) } },
  }),
  record("inpaint", "retouch", {
    name: "Retouch",
    description: "Edits one picture.",
    traits: ["default"],
    constraints: { aspectRatios, promptCharacterLimit: 32_768, combineImages: false, maxInputImages: 1 },
    pricing: { inpaint: usd(0.04) },
  }),
  record("inpaint", "retouch-layers", {
    name: "Retouch Layers",
    description: "Combines several pictures, priced by quality.",
    traits: [],
    constraints: {
      aspectRatios,
      promptCharacterLimit: 32_768,
      combineImages: true,
      maxInputImages: mostPictures[dialect],
      resolutions: ["1K", "2K", "4K"],
      qualities: ["low", "medium", "high"],
      defaultQuality: "high",
    },
    pricing: {
      inpaint: usd(0.08),
      inputImages: { included: 1, additional: usd(0.01) },
      quality: {
        "1K": { low: usd(0.02), medium: usd(0.04), high: usd(0.08) },
        "2K": { low: usd(0.04), medium: usd(0.08), high: usd(0.16) },
        "4K": { low: usd(0.08), medium: usd(0.16), high: usd(0.32) },
      },
    },
  }),
  record("embedding", "signature", {
    name: "Signature",
    description: "Texts with the same words have similar vectors.",
    traits: ["default"],
    embeddingDimensions: 256,
    maxInputTokens: 8192,
    supportsCustomDimensions: true,
    pricing: { input: usd(0.1) },
  }),
  ...speechModels.map(({ id, spec }) => record("tts", id, spec)),
];

function record(type: string, id: string, spec: Omit<CatalogSpec, "privacy" | "offline">): ModelRecord {
  const created = Date.UTC(2026, 5, 1) / 1000;
  const model_spec = { privacy: "private", offline: false, ...spec } as CatalogSpec;
  return { id, object: "model", owned_by: "sandbox", type, created, model_spec };
}
