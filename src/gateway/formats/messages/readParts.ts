import type { ContentPart } from "../../../api/endpoints/chat/chatRequest.ts";
import type { BodyValue } from "../bodyValue.ts";

const imageTypes = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const;

type TextPart = Extract<ContentPart, { readonly type: "text" }>;
type CachePoint = Pick<TextPart, "cache_control">;

/**
 * A cache point, to be spread into a part. Neither its life nor its scope is passed on: one dialect of the service
 * refuses the first, and the other is for accounts of Anthropic.
 */
export function readCachePoint(value: BodyValue): CachePoint {
  const point = value.members(["type", "ttl", "scope"]);
  if (!point) return {};
  point.ttl.oneOf(["5m", "1h"]);
  point.scope.text();
  return point.type.oneOf(["ephemeral"]) ? { cache_control: { type: "ephemeral" } } : {};
}

/** A text, or blocks of the types that `read` knows. */
export function readContent(
  content: BodyValue,
  read: (block: BodyValue, type: string) => readonly ContentPart[],
): ContentPart[] {
  if (typeof content.value === "string") return textPart(content.value);
  return content.list().flatMap((block) => {
    const type = blockType(block);
    return type === undefined ? [] : read(block, type);
  });
}

/** Undefined, and refused, if the block has no type. */
export function blockType(block: BodyValue): string | undefined {
  if (typeof block.value !== "object") return block.refuse("must be a block, an object with a type");
  return block.at("type").neededText();
}

/** The parts of a block of a user. Without a text there is none. */
export function readUserPart(block: BodyValue, type: string): ContentPart[] {
  if (type === "document") return readDocument(block);
  if (type === "search_result") return readSearchResult(block);
  return readInnerPart(block, type);
}

/** The parts of a block that has no blocks inside. */
function readInnerPart(block: BodyValue, type: string): ContentPart[] {
  if (type === "text") return readTextBlock(block);
  if (type === "image") return readImage(block);
  block.at("type").refuse(`can't be ${JSON.stringify(type.slice(0, 50))} here; send it as text`);
  return [];
}

/** Citations are not passed on: what they prove is in the text, and a request of the service can't hold them. */
export function readTextBlock(block: BodyValue): ContentPart[] {
  const members = block.members(["type", "text", "cache_control", "citations"]);
  members?.citations.list();
  const cached = members ? readCachePoint(members.cache_control) : {};
  return textPart(members?.text.neededText() ?? "", cached);
}

/** The service refuses parts without text. */
export function textPart(text: string, cached: CachePoint = {}): ContentPart[] {
  return text === "" ? [] : [{ type: "text", text, ...cached }];
}

function readImage(block: BodyValue): ContentPart[] {
  const members = block.members(["type", "source", "cache_control", "transformations"]);
  members?.transformations.refuseAny(
    "can't be translated for this service; send the picture in its final size",
  );
  if (!members) return [];
  const url = imageUrl(members.source);
  const cached = readCachePoint(members.cache_control);
  return url === undefined ? [] : [{ type: "image_url", image_url: { url }, ...cached }];
}

function imageUrl(source: BodyValue): string | undefined {
  const type = sourceType(source, ["base64", "url"]);
  if (type === "url") return httpsUrl(source);
  if (type !== "base64") return undefined;
  const members = source.members(["type", "media_type", "data"]);
  const mediaType = members?.media_type.oneOf(imageTypes);
  const data = members && base64In(members.data);
  if (members?.media_type.isAbsent) members.media_type.refuse("is missing");
  return mediaType && data ? `data:${mediaType};base64,${data}` : undefined;
}

function httpsUrl(source: BodyValue): string | undefined {
  const url = source.members(["type", "url"])?.url;
  const text = url?.neededText();
  if (text === undefined || text.startsWith("https://")) return text;
  return url?.refuse("must begin with https://");
}

function base64In(data: BodyValue): string | undefined {
  const text = data.neededText();
  if (text === undefined || /^[A-Za-z0-9+/]+={0,2}$/.test(text)) return text;
  return data.refuse("must be base64");
}

/** The type of a source; others are refused with those that can be sent. */
function sourceType(source: BodyValue, types: readonly string[]): string | undefined {
  if (source.isAbsent) return source.refuse("is missing");
  const type = blockType(source);
  if (type === undefined || types.includes(type)) return type;
  return source.at("type").refuse(`can't be sent to this service; send it as ${types.join(" or ")}`);
}

function readDocument(block: BodyValue): ContentPart[] {
  const members = block.members(["type", "source", "cache_control", "citations", "context", "title"]);
  if (!members) return [];
  refuseCitations(members.citations);
  const cached = readCachePoint(members.cache_control);
  const title = members.title.text() ?? "";
  const heading = [title, members.context.text() ?? ""].filter((line) => line !== "").join("\n");
  const { source } = members;
  const type = sourceType(source, ["text", "base64", "content"]);
  if (type === "text") {
    const text = source.members(["type", "media_type", "data"])?.data.neededText() ?? "";
    return textPart(heading === "" ? text : `${heading}\n\n${text}`, cached);
  }
  if (type === "content") {
    const inner = source.members(["type", "content"])?.content;
    const parts = inner ? readContent(inner, readInnerPart) : [];
    return [...textPart(heading), ...withCachePoint(parts, cached)];
  }
  return type === "base64" ? [...textPart(heading), ...readFile(source, title, cached)] : [];
}

function readFile(source: BodyValue, title: string, cached: CachePoint): ContentPart[] {
  const members = source.members(["type", "media_type", "data"]);
  const mediaType = members?.media_type.oneOf(["application/pdf"]);
  if (members?.media_type.isAbsent) members.media_type.refuse("is missing");
  const data = members && base64In(members.data);
  if (!mediaType || !data) return [];
  const file = { file_data: `data:${mediaType};base64,${data}`, filename: title || "document.pdf" };
  return [{ type: "file", file, ...cached }];
}

function readSearchResult(block: BodyValue): ContentPart[] {
  const members = block.members(["type", "content", "source", "title", "cache_control", "citations"]);
  if (!members) return [];
  refuseCitations(members.citations);
  const heading = [members.title.neededText(), members.source.neededText()].join("\n");
  const parts = readContent(members.content, readInnerPart);
  return withCachePoint([...textPart(`${heading}\n`), ...parts], readCachePoint(members.cache_control));
}

function refuseCitations(citations: BodyValue): void {
  const isOn = citations.members(["enabled"])?.enabled;
  if (isOn?.flag() === true)
    isOn.refuse("can't be true: this service doesn't cite what it is sent; leave it out");
}

/** The cache point at the last of the parts. */
export function withCachePoint(parts: readonly ContentPart[], cached: CachePoint): ContentPart[] {
  return parts.map((part, index) => (index === parts.length - 1 ? { ...part, ...cached } : part));
}

/** One text if no part needs more, which each model accepts. */
export function plainContent(parts: ContentPart[]): string | ContentPart[] {
  const [first, ...others] = parts;
  if (!first) return "";
  return others.length === 0 && first.type === "text" && !first.cache_control ? first.text : parts;
}
