import type { ContentPart } from "../../../api/endpoints/chat/chatRequest.ts";
import type { MemberReader } from "./memberReader.ts";

const maxParts = 10_000;

/** Content of a chat message: one text, or parts. */
export type ChatContent = string | ContentPart[];

/** Who wrote the parts. Only a user, and the output of a tool, may have other ones than text. */
export type Author = "user" | "assistant" | "instructions" | "tool";

/** The content `name` of an item, text or parts; no parts if it is invalid. */
export function readContent(item: MemberReader, name: string, author: Author): ContentPart[] {
  const value = item.value(name);
  if (typeof value === "string") return [{ type: "text", text: value }];
  if (!Array.isArray(value)) {
    item.refuse(name, "must be text or a list of parts");
    return [];
  }
  return item.objects(name, maxParts).flatMap((part) => {
    const read = readPart(part, author);
    part.end();
    return read ? [read] : [];
  });
}

/** One text if there is nothing else, because not all servers take parts. Parts of empty text are left out. */
export function toContent(parts: readonly ContentPart[]): ChatContent {
  const said = parts.filter((part) => part.type !== "text" || part.text !== "");
  const [first, ...others] = said;
  if (!first) return "";
  return first.type === "text" && !first.cache_control && others.length === 0 ? first.text : said;
}

function readPart(part: MemberReader, author: Author): ContentPart | undefined {
  const type = part.value("type");
  switch (type) {
    case "input_text":
    case "output_text":
    case "text":
      // What an answer had beside its text is not read by a model.
      part.ignore("annotations", "logprobs");
      return { type: "text", text: part.presentText("text"), ...cachePoint(part) };
    case "refusal":
      return { type: "text", text: part.presentText("refusal") };
  }
  if (author !== "user" && author !== "tool")
    return part.refuse("type", "must be input_text, output_text or refusal, as only a user has other parts");
  if (type === "input_image") return readImage(part);
  if (type === "input_file") return readFile(part);
  if (type === "input_audio") return readAudio(part);
  return part.refuse("type", "must be input_text, input_image, input_file or input_audio");
}

function readImage(part: MemberReader): ContentPart {
  const url = part.neededText("image_url");
  part.allow("file_id", [], noFileIds);
  part.allow(
    "detail",
    ["auto", "high", "original"],
    "must be auto, high or original: the service has no smaller picture",
  );
  if (url !== "" && !/^(?:https:\/\/|data:)/.test(url))
    part.refuse("image_url", "must be an https or data URL");
  return { type: "image_url", image_url: { url }, ...cachePoint(part) };
}

const noFileIds = "can't be used, because this address stores no files. Send the content itself";

function readFile(part: MemberReader): ContentPart {
  part.allow("file_id", [], noFileIds);
  part.allow("file_url", [], "can't be used. Send the content as file_data");
  part.allow("detail", ["auto", "high"], "must be auto or high: the service has no smaller pages");
  const filename = part.text("filename");
  const file = { file_data: part.neededText("file_data"), ...(filename ? { filename } : {}) };
  return { type: "file", file, ...cachePoint(part) };
}

function readAudio(part: MemberReader): ContentPart {
  const audio = part.object("input_audio");
  if (!audio && part.value("input_audio") === undefined)
    part.refuse("input_audio", "is missing. It must be an object");
  const input = { data: audio?.neededText("data") ?? "", format: audio?.neededText("format") ?? "" };
  audio?.end();
  return { type: "input_audio", input_audio: input };
}

function cachePoint(part: MemberReader): { cache_control?: { type: "ephemeral" } } {
  const point = part.object("prompt_cache_breakpoint");
  if (!point) return {};
  point.allow("mode", ["explicit"], "must be explicit");
  point.end();
  return { cache_control: { type: "ephemeral" } };
}
