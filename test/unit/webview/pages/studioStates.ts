import {
  emptyStudioDraft,
  type Layer,
  type StudioState,
} from "../../../../src/images/protocol/studioState.ts";

export const base: Layer = {
  id: "base",
  name: "base.png",
  width: 400,
  height: 300,
  bytes: 1000,
  isMask: false,
  url: "",
  note: "",
  problem: "",
  conversion: "none",
  pixels: "plain",
};

export const studioState: StudioState = {
  service: "Sandbox",
  draft: { ...emptyStudioDraft, prompt: "a red fox", stamp: 1 },
  way: "edit",
  models: [{ id: "retouch", name: "Retouch", description: "Edits one picture." }],
  model: "retouch",
  controls: {
    promptLimit: 1500,
    sizes: [],
    ratios: ["1:1", "3:2"],
    resolutions: [],
    takesResolution: false,
    qualities: ["low", "high"],
    takesEnhancing: true,
  },
  layers: [base],
  mostLayers: 3,
  price: "$0.04",
  problem: "",
  run: null,
  outcome: null,
  hasEarlier: false,
  folder: "images",
};
