import { imageDimensionsFromData } from "image-dimensions";
import type * as z from "zod";
import type { DialectId } from "../../api/dialect/dialect.ts";
import {
  type ChatMessage,
  type ChatRequest,
  ServiceParameters,
} from "../../api/endpoints/chat/chatRequest.ts";
import { suffixSwitches } from "../../shared/chat/chatParameters.ts";
import { withoutEditorNote } from "../../shared/chat/promptTexts.ts";
import { estimateImageTokens } from "../../shared/chat/tokenEstimate.ts";
import type { Capabilities, TextModel } from "../catalog/modelRecord.ts";
import { badField, Refusal } from "../refusal.ts";
import type { ServiceCall, State } from "../state/state.ts";
import { countTokens } from "./reply/tokens.ts";

export type ChatBody = z.output<typeof ChatRequest>;

/** A chat request that its model can answer. */
export interface Ask {
  readonly body: ChatBody;
  readonly model: TextModel;
  /** From body and feature suffix. The body takes precedence. */
  readonly switches: ServiceParameters;
  readonly dialect: DialectId;
  readonly promptTokens: number;
  /** Prompt tokens that an earlier prompt started with. */
  readonly cachedTokens: number;
  /** Visible and reasoning tokens together. */
  readonly maxTokens: number;
}

/** Resolves the model and checks that it supports the request (spec E10). */
export function readAsk(state: State, call: ServiceCall): Ask {
  const body = call.input as ChatBody;
  const { name, switches: suffix } = splitSuffix(body.model);
  const record = state.catalog.resolve("text", name);
  const model = record && state.catalog.textModel(record.id);
  if (!model) throw new Refusal(404, `The model ${name} does not exist`, { param: "model" });
  const { capabilities } = model.record.model_spec;
  if (capabilities) checkAbilities(body, capabilities);
  const switches = { ...suffix, ...body.service_parameters };
  const promptTokens = countPrompt(body, switches);
  const room = model.record.context_length ?? 0;
  if (promptTokens > room) {
    throw badField(["messages"], `The prompt has ${promptTokens} tokens, the model's context has ${room}`);
  }
  return {
    body,
    model,
    switches,
    dialect: state.dialect.id,
    promptTokens,
    cachedTokens: readCache(state, call, body, model),
    maxTokens: maxTokens(body, model),
  };
}

const minuteMs = 60_000;

/** Excludes the service's own prompt. Requests with other tools do not share a cache. */
function readCache(
  { promptCache }: State,
  { key }: ServiceCall,
  body: ChatBody,
  { record }: TextModel,
): number {
  const place = JSON.stringify([key?.id, record.id, body.prompt_cache_key, body.tools]);
  const messages = body.messages.map((message) => ({
    text: JSON.stringify(message),
    tokens: countMessage(message),
  }));
  const isLong = body.prompt_cache_retention === "extended" || body.prompt_cache_retention === "24h";
  return promptCache.read(place, messages, (isLong ? 24 * 60 : 5) * minuteMs);
}

function checkAbilities(body: ChatBody, can: Capabilities): void {
  const parts = new Set(body.messages.flatMap((message) => partsOf(message).map(({ type }) => type)));
  const needs: readonly (readonly [boolean, boolean, string, string])[] = [
    [parts.has("image_url"), can.supportsVision, "messages", "does not take images"],
    [parts.has("input_audio"), can.supportsAudioInput, "messages", "does not take audio"],
    [parts.has("video_url"), can.supportsVideoInput, "messages", "does not take video"],
    [(body.tools ?? []).length > 0, can.supportsFunctionCalling, "tools", "does not call functions"],
    [
      body.response_format?.type === "json_schema",
      can.supportsResponseSchema,
      "response_format",
      "does not support response schemas",
    ],
    [body.logprobs === true, can.supportsLogProbs, "logprobs", "does not give log probabilities"],
  ];
  for (const [asked, able, field, words] of needs) {
    if (asked && !able) throw badField([field], `The model ${words}`);
  }
}

/** For the deprecated name, 0 or less means no limit (spec E10). */
function maxTokens(body: ChatBody, model: TextModel): number {
  const own = model.record.model_spec.maxCompletionTokens ?? Number.POSITIVE_INFINITY;
  const old = body.max_tokens !== undefined && body.max_tokens > 0 ? body.max_tokens : own;
  return Math.min(own, body.max_completion_tokens ?? old);
}

/** Tokens of the service's own system prompt, which can be switched off (wire.md section 4). */
const ownPromptTokens = 1100;
const tokensPerMessage = 4;

function countPrompt(body: ChatBody, switches: ServiceParameters): number {
  const own = switches.include_venice_system_prompt === false ? 0 : ownPromptTokens;
  return body.messages.map(countMessage).reduce((sum, count) => sum + count, own);
}

function countMessage(message: ChatMessage): number {
  const pictures = partsOf(message).map(countPicture);
  return pictures.reduce((sum, count) => sum + count, countTokens(messageText(message)) + tokensPerMessage);
}

/** Characters of a data URL that are looked at for the size of its picture. */
const headLength = 400_000;

/** By its size in pixels; 0 if its data does not state one. */
function countPicture(part: PromptPart): number {
  if (part.type !== "image_url") return 0;
  const { url } = part.image_url;
  const comma = url.indexOf(",");
  if (!url.startsWith("data:") || comma < 0) return 0;
  const size = imageDimensionsFromData(Buffer.from(url.slice(comma + 1, comma + headLength), "base64"));
  return size ? estimateImageTokens(size.width, size.height) : 0;
}

export type PromptPart = Exclude<NonNullable<ChatMessage["content"]>, string>[number];

/** The parts of a message that are not text. */
export function partsOf({ content }: ChatMessage): readonly PromptPart[] {
  return Array.isArray(content) ? content.filter((part) => part.type !== "text") : [];
}

export function messageText({ content }: ChatMessage): string {
  if (!Array.isArray(content)) return content ?? "";
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

const requestStart = "<userRequest>";

/** The user's own words. VS Code's chat sends them in `<userRequest>`, among its instructions. */
export function questionText(message: ChatMessage): string {
  const text = withoutEditorNote(messageText(message));
  const start = text.lastIndexOf(requestStart);
  if (start === -1) return text.trim();
  const typed = text.slice(start + requestStart.length);
  const end = typed.indexOf("</userRequest>");
  return (end === -1 ? typed : typed.slice(0, end)).trim();
}

/** The last message of the user. */
export function lastUserMessage(body: ChatBody): ChatMessage | undefined {
  return body.messages.findLast(({ role }) => role === "user");
}

const suffixNames = new Set<string>(suffixSwitches);

/** Splits `guide:enable_web_search=on&disable_thinking=true` into model and switches. */
function splitSuffix(model: string): { readonly name: string; readonly switches: ServiceParameters } {
  const colon = model.indexOf(":");
  if (colon < 0) return { name: model, switches: {} };
  const given = [...new URLSearchParams(model.slice(colon + 1))];
  const unknown = given.find(([name]) => !suffixNames.has(name));
  if (unknown) throw badField(["model"], `Unknown feature suffix "${unknown[0]}"`);
  const parsed = ServiceParameters.safeParse(
    Object.fromEntries(given.map(([name, value]) => [name, flag(value)])),
  );
  if (!parsed.success) {
    throw badField(["model"], `Feature suffix: ${parsed.error.issues[0]?.message ?? "invalid"}`);
  }
  return { name: model.slice(0, colon), switches: parsed.data };
}

function flag(value: string): string | boolean {
  return value === "true" || value === "false" ? value === "true" : value;
}
