import type { TextModel } from "../../src/sandbox/catalog/modelRecord.ts";
import { plainCapabilities, textModel } from "../../src/sandbox/catalog/textModels.ts";
import { lastUserMessage, messageText, type PromptPart, partsOf } from "../../src/sandbox/chat/ask.ts";
import type { Author } from "../../src/sandbox/chat/draft.ts";
import { guide, thinker } from "../../src/sandbox/chat/guide/guide.ts";
import { long } from "./longModel.ts";

/** For tests of attachments, of long answers and of a model that is to be retired. */
export const testModels: readonly TextModel[] = [
  textModel({
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
  textModel({
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
  textModel({
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

/** Repeats the last user message, with a line for each part that is not text. */
const echo: Author = ({ ask }) => {
  const message = lastUserMessage(ask.body);
  if (!message) return { content: "" };
  const lines = partsOf(message).map(describe);
  return { content: [messageText(message), ...lines].filter((line) => line !== "").join("\n") };
};

function describe(part: PromptPart): string {
  switch (part.type) {
    case "image_url":
      return `[image: ${sizeOf(part.image_url.url)}]`;
    case "input_audio":
      return `[${part.input_audio.format} audio: ${part.input_audio.data.length} base64 characters]`;
    case "video_url":
      return `[video: ${sizeOf(part.video_url.url)}]`;
    case "file":
      return `[file ${part.file.filename ?? "without a name"}: ${sizeOf(part.file.file_data)}]`;
    case "text":
      return part.text;
  }
}

function sizeOf(url: string): string {
  const type = /^data:([^;,]+)/.exec(url)?.[1];
  return type ? `${type}, ${url.length} characters` : url;
}

/** Sends the reason of a refusal as the answer, so that tests need no question that the documentation answers. */
function answerAlways(author: Author): Author {
  return (context) => {
    const { isDeclined: _, ...draft } = author(context);
    return draft;
  };
}

export const testAuthors: Readonly<Record<string, Author>> = {
  guide: answerAlways(guide),
  thinker: answerAlways(thinker),
  "guide-classic": answerAlways(guide),
  echo,
  long,
};
