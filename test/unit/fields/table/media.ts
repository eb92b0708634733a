import { commands } from "../../../../src/shared/names/ids.ts";
import type { FieldTable, Place, Places } from "../place.ts";

const inStudio = (control: string): Place => ({ control, in: "image studio" });
const inPlayer = (control: string): Place => ({ control, in: "speech player" });
const compatible: Place = { unused: "accepted for compatibility; the service does not use it" };
const picture: Place = { shown: "Image studio" };

const editRequest: Places = {
  prompt: inStudio("Prompt"),
  aspect_ratio: inStudio("Aspect ratio"),
  output_format: inStudio("Format"),
  quality: inStudio("Quality"),
  resolution: inStudio("Resolution"),
  safe_mode: inStudio("Blur adult content"),
  enhance_prompt: inStudio("Let the service improve the prompt, which may cost extra"),
};

export const images: FieldTable["images"] = {
  generate: {
    request: {
      prompt: inStudio("Prompt"),
      model: inStudio("Model"),
      "n: 1": { unused: "one picture a request is the only value" },
      size: inStudio("Size"),
      output_format: inStudio("Format"),
      response_format: { automatic: "b64_json, the default: both forms carry the picture itself" },
      moderation: inStudio("Blur adult content"),
      background: compatible,
      output_compression: compatible,
      quality: compatible,
      style: compatible,
      user: compatible,
    },
    reply: {
      created: { unused: "the time on this computer is stored with the picture" },
      "data.b64_json": picture,
      "data.url": picture,
    },
  },
  edit: {
    request: {
      ...editRequest,
      image: inStudio("Add Picture…"),
      model: inStudio("Model"),
      modelId: { unused: "deprecated in favour of model" },
    },
    reply: { "(body)": picture },
  },
  multiEdit: {
    request: { ...editRequest, images: inStudio("Add Picture…"), modelId: inStudio("Model") },
    reply: { "(body)": picture },
  },
};

export const audio: FieldTable["audio"] = {
  speech: {
    request: {
      input: { command: commands.speechReadSelection },
      model: inPlayer("Model"),
      voice: inPlayer("Search voices"),
      response_format: inPlayer("Format"),
      speed: inPlayer("Speaking speed"),
      streaming: { automatic: "a format that can be played while it arrives is streamed" },
      language: inPlayer("Language"),
      prompt: inPlayer("Style"),
      temperature: inPlayer("Temperature"),
      top_p: inPlayer("Top-p"),
    },
    reply: { "(body)": { automatic: "played, and saved with Save as File…" } },
  },
  createVoice: {
    request: {
      file: { command: commands.speechCloneVoice },
      model: { command: commands.speechCloneVoice },
    },
    reply: {
      id: { automatic: "the voice of the next readings, shown by the name that the user gave it" },
      model: { automatic: "the only model that the voice works with" },
    },
  },
};

const ofAgent: Place = { automatic: "another agent's, which calls this route of the gateway" };

export const embeddings: FieldTable["embeddings"] = {
  create: {
    request: {
      model: ofAgent,
      input: ofAgent,
      dimensions: ofAgent,
      encoding_format: ofAgent,
      user: ofAgent,
    },
    reply: {
      object: ofAgent,
      model: ofAgent,
      "data.index": ofAgent,
      "data.embedding": ofAgent,
      "usage.prompt_tokens": { automatic: "the cost of the call" },
      "usage.total_tokens": { unused: "the same as usage.prompt_tokens" },
    },
  },
};

const inPicker: Place = { shown: "Model picker" };
const inPlayerView: Place = { shown: "Speech player" };
const form: Place = { automatic: "the kind of the list" };

const names = {
  request: { type: { automatic: "text: the names that a chat can use" } },
  reply: { object: form, data: inPicker },
} as const;

export const models: FieldTable["models"] = {
  read: {
    request: { id: { automatic: "each speech model that the list has without its voices" } },
    reply: {
      id: { automatic: "the model that was asked for" },
      "model_spec.voices": { automatic: "the voices of a model that the list has without them" },
    },
  },
  list: {
    request: { type: { automatic: "each view asks for the models that it can use" } },
    reply: {
      object: form,
      type: form,
      "data.id": inPicker,
      "data.object": form,
      "data.type": { automatic: "the views that offer the model" },
      "data.owned_by": inPicker,
      "data.created": inPicker,
      "data.context_length": inPicker,
      "data.model_spec.name": inPicker,
      "data.model_spec.description": inPicker,
      "data.model_spec.privacy": inPicker,
      "data.model_spec.offline": inPicker,
      "data.model_spec.betaModel": inPicker,
      "data.model_spec.traits": inPicker,
      "data.model_spec.regionRestrictions": inPicker,
      "data.model_spec.deprecation.date": inPicker,
      "data.model_spec.deprecation.removesAt": inPicker,
      "data.model_spec.deprecation.replacementModelId": inPicker,
      "data.model_spec.availableContextTokens": inPicker,
      "data.model_spec.maxCompletionTokens": {
        automatic: "the bound of the longest answer in the chat's settings",
      },
      "data.model_spec.capabilities.optimizedForCode": inPicker,
      "data.model_spec.capabilities.quantization": inPicker,
      "data.model_spec.capabilities.supportsFunctionCalling": inPicker,
      "data.model_spec.capabilities.supportsReasoning": inPicker,
      "data.model_spec.capabilities.supportsReasoningEffort": {
        automatic: "enables the levels of reasoning",
      },
      "data.model_spec.capabilities.reasoningEffortOptions": {
        automatic: "the levels of reasoning to choose",
      },
      "data.model_spec.capabilities.supportsResponseSchema": inPicker,
      "data.model_spec.capabilities.supportsVision": inPicker,
      "data.model_spec.capabilities.supportsMultipleImages": inPicker,
      "data.model_spec.capabilities.maxImages": inPicker,
      "data.model_spec.capabilities.supportsAudioInput": inPicker,
      "data.model_spec.capabilities.supportsVideoInput": inPicker,
      "data.model_spec.capabilities.supportsWebSearch": inPicker,
      "data.model_spec.capabilities.supportsLogProbs": inPicker,
      "data.model_spec.capabilities.supportsTeeAttestation": inPicker,
      "data.model_spec.capabilities.supportsE2EE": inPicker,
      "data.model_spec.capabilities.supportsXSearch": inPicker,
      "data.model_spec.capabilities.voice_cloning": { automatic: "offers Clone a Voice…" },
      "data.model_spec.constraints": { automatic: "the options of a model in the image studio" },
      "data.model_spec.pricing": inPicker,
      "data.model_spec.voices": inPlayerView,
      "data.model_spec.supported_formats": inPlayerView,
      "data.model_spec.default_format": inPlayerView,
      "data.model_spec.supportsPromptParam": inPlayerView,
      "data.model_spec.supportsTemperatureParam": inPlayerView,
      "data.model_spec.supportsTopPParam": inPlayerView,
      "data.model_spec.voice_cloning": { automatic: "offers Clone a Voice…" },
    },
  },
  traits: names,
  compatibilityMapping: names,
};
