import type { PromptBlock } from "../../../agents/agentSession.ts";
import type { ContentPart } from "../../../api/endpoints/chat/chatRequest.ts";
import type { BlobStore } from "../../../platform/files/blobStore.ts";
import type { Attachment } from "../../../shared/chat/chatAttachments.ts";
import { shortened } from "../../../shared/text/shortened.ts";
import type { AnswerMessage, Message, UserMessage } from "../../protocol/chatMessages.ts";
import { stepLines } from "../answer/answerRequest.ts";
import { attachedParts } from "../attachments/attachedParts.ts";

/** A question to an agent. */
export interface AgentPrompt {
  /** Messages that it does not know; empty for one that has answered them. */
  readonly before: readonly Message[];
  /** Messages of the user since its last answer; empty if it is to go on. */
  readonly asked: readonly UserMessage[];
  /** Notes of the editor, and the plan if the user has changed it. */
  readonly told: readonly string[];
}

/** Characters of earlier messages. An agent has a context of its own, which is not known here. */
const maxBefore = 60_000;
const maxMessage = 12_000;
const mostSteps = 40;

const goOn = "Go on where you stopped. Repeat nothing of your answer, and say nothing about it.";

export async function promptBlocks(
  { before, asked, told }: AgentPrompt,
  blobs: Pick<BlobStore, "read">,
  takesPictures: boolean,
): Promise<readonly PromptBlock[]> {
  const questions = asked.map(asReadable);
  const parts = await attachedParts(questions, blobs, { images: takesPictures });
  const earlier = transcript(before);
  const texts = [...(asked.length === 0 ? [goOn] : []), ...told];
  return [
    ...(earlier === "" ? [] : [textBlock(earlier)]),
    ...questions.flatMap(({ id, text }) => [...(parts.get(id) ?? []).map(toBlock), textBlock(text)]),
    ...texts.map(textBlock),
  ].filter((block) => block.type !== "text" || block.text !== "");
}

/** Agents take no documents, but their text. */
function asReadable(question: UserMessage): UserMessage {
  const { attachments = [] } = question;
  const asText = (one: Attachment): Attachment =>
    one.kind === "document" && one.textBlob !== undefined ? { ...one, way: "text" } : one;
  return { ...question, attachments: attachments.map(asText) };
}

function textBlock(text: string): PromptBlock {
  return { type: "text", text };
}

function toBlock(part: ContentPart): PromptBlock {
  if (part.type === "text") return textBlock(part.text);
  if (part.type === "file")
    return textBlock(`[${part.file.filename ?? "A document"} was omitted: this agent takes no such files.]`);
  const [, mimeType = "", data = ""] =
    part.type === "image_url" ? (/^data:([^;,]+);base64,(.*)$/s.exec(part.image_url.url) ?? []) : [];
  return data === "" ? textBlock("[An attachment was omitted.]") : { type: "image", data, mimeType };
}

/** Messages of a conversation that others have answered, the newest in full as far as they fit. */
function transcript(messages: readonly Message[]): string {
  const texts: string[] = [];
  let length = 0;
  for (const message of messages.toReversed()) {
    const text = message.role === "user" ? userText(message) : answerText(message);
    length += text.length;
    if (length > maxBefore) {
      texts.push("[Earlier messages were left out.]");
      break;
    }
    texts.push(text);
  }
  if (texts.length === 0) return "";
  return [
    "The conversation so far, between the user and an assistant. Its steps have been taken; take none of them again.",
    ...texts.toReversed(),
    "The end of the conversation so far. What follows is new.",
  ].join("\n\n");
}

function userText({ text, attachments = [] }: UserMessage): string {
  const names = attachments.map(({ name }) => `[attached: ${name}]`);
  return [`User: ${shortened(text, maxMessage)}`, ...names].join("\n");
}

function answerText({ text, calls = [] }: AnswerMessage): string {
  const steps = stepLines(calls.slice(0, mostSteps));
  return [`Assistant: ${shortened(text, maxMessage)}`, ...steps].join("\n");
}
