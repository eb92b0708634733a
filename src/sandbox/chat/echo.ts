import { lastUserMessage, messageText, type PromptPart, partsOf } from "./ask.ts";
import type { Author } from "./draft.ts";

/** The last user message, to the letter; a line for each part that is no text. */
export const echo: Author = ({ ask }) => {
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
