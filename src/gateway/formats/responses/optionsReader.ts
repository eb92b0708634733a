import type { ChatRequest } from "../../../api/endpoints/chat/chatRequest.ts";
import { reasoningEfforts, reasoningSummaries, verbosities } from "../../../shared/chat/chatParameters.ts";
import { definedMembers } from "../../../shared/members.ts";
import type { MemberReader } from "./memberReader.ts";

/** The members of a chat request that need no translation of messages or tools. */
export type OptionMembers = Pick<
  ChatRequest,
  | "max_completion_tokens"
  | "metadata"
  | "prompt_cache_key"
  | "prompt_cache_retention"
  | "reasoning"
  | "response_format"
  | "temperature"
  | "text"
  | "top_p"
  | "user"
>;

const noPart = "can't be used on this service. Leave it out";

/** Reads all members that are no text, item or tool. */
export function readOptions(body: MemberReader): OptionMembers {
  refuseOthers(body);
  const { format, verbosity } = readText(body);
  const retention = body.oneOf("prompt_cache_retention", ["in_memory", "24h"]);
  return definedMembers<OptionMembers>({
    max_completion_tokens: body.number("max_output_tokens", "max_completion_tokens"),
    metadata: body.members("metadata"),
    prompt_cache_key: body.text("prompt_cache_key"),
    prompt_cache_retention: retention === "in_memory" ? "default" : retention,
    reasoning: readReasoning(body),
    response_format: format,
    temperature: body.number("temperature", "temperature"),
    text: verbosity === undefined ? undefined : { verbosity },
    top_p: body.number("top_p", "top_p"),
    user: readUser(body),
  });
}

/** What is accepted only as far as it asks for nothing. */
function refuseOthers(body: MemberReader): void {
  body.allow("background", [false], "must be false: an answer comes on the connection that asked for it");
  body.allow("conversation", [], "can't be used. Send the items as input, or previous_response_id");
  body.allow("truncation", ["disabled"], "must be disabled: nothing is left out of a conversation");
  body.allow("service_tier", ["auto", "default"], "must be auto or default: the service has one tier");
  body.allow("top_logprobs", [0], noPart);
  body.allow("max_tool_calls", [], noPart);
  body.allow("prompt", [], "can't be used, because no prompts are stored. Send the text as instructions");
  body.allow("context_management", [], noPart);
  body.allow("moderation", [], noPart);
  readInclude(body);
  const stream = body.object("stream_options");
  stream?.flag("include_usage");
  stream?.allow("include_obfuscation", [false], "must be false: nothing is added to a stream");
  stream?.end();
  const cache = body.object("prompt_cache_options");
  cache?.allow("mode", ["implicit"], "must be implicit");
  cache?.allow("ttl", ["30m"], "must be 30m. Use prompt_cache_retention for a longer time");
  cache?.end();
}

/** Parts of items that never occur here are as good as included. */
const included: ReadonlySet<unknown> = new Set([
  "reasoning.encrypted_content",
  "file_search_call.results",
  "web_search_call.results",
  "web_search_call.action.sources",
  "message.input_image.image_url",
  "computer_call_output.output.image_url",
  "code_interpreter_call.outputs",
]);

function readInclude(body: MemberReader): void {
  for (const [index, value] of (body.list("include", 100) ?? []).entries())
    if (!included.has(value)) body.refuse(`include.${index}`, "is nothing that this service can include");
}

function readReasoning(body: MemberReader): ChatRequest["reasoning"] {
  const reasoning = body.object("reasoning");
  if (!reasoning) return undefined;
  const effort = reasoning.oneOf("effort", reasoningEfforts);
  const summary = reasoning.oneOf("summary", reasoningSummaries);
  const former = reasoning.oneOf("generate_summary", reasoningSummaries);
  reasoning.allow("context", ["auto", "all_turns"], "must be auto: models get the reasoning of all turns");
  reasoning.allow("mode", ["standard"], "must be standard");
  reasoning.end();
  return definedMembers<NonNullable<ChatRequest["reasoning"]>>({ effort, summary: summary ?? former });
}

type ResponseFormat = ChatRequest["response_format"];
type Verbosity = (typeof verbosities)[number];

function readText(body: MemberReader): { format?: ResponseFormat; verbosity?: Verbosity | undefined } {
  const text = body.object("text");
  if (!text) return {};
  const verbosity = text.oneOf("verbosity", verbosities);
  const format = text.object("format");
  const read = format && readFormat(format);
  format?.end();
  text.end();
  return { verbosity, ...(read ? { format: read } : {}) };
}

function readFormat(format: MemberReader): ResponseFormat {
  const type = format.oneOf("type", ["text", "json_object", "json_schema"]);
  if (type === "json_object") return { type };
  if (type !== "json_schema") {
    if (type === undefined) format.refuse("type", "must be text or json_object or json_schema");
    return undefined;
  }
  const schema = format.members("schema");
  if (!schema) format.refuse("schema", "must be a JSON Schema");
  const description = format.text("description");
  const strict = format.flag("strict");
  const name = format.neededText("name");
  return { type, json_schema: { ...definedMembers({ name, description, strict }), schema: schema ?? {} } };
}

/** The service knows one name of a user. */
function readUser(body: MemberReader): string | undefined {
  const user = body.text("user");
  const identifier = body.text("safety_identifier");
  if (user !== undefined && identifier !== undefined && user !== identifier)
    body.refuse("safety_identifier", "must be the same as user: the service takes one of them");
  return user ?? identifier;
}
