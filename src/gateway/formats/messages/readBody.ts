import type { ChatRequest } from "../../../api/endpoints/chat/chatRequest.ts";
import { maxStops } from "../../../shared/chat/chatParameters.ts";
import { isMembers, type Members, membersOf } from "../../../shared/members.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";
import { BodyIssues, BodyValue } from "../bodyValue.ts";
import { ToolNames } from "../toolNames.ts";
import {
  cachedToTheEnd,
  type Effort,
  readEffort,
  readMessages,
  readSystem,
  withoutOldReasoning,
} from "./readMessages.ts";
import { type Offered, readTools } from "./readTools.ts";

/** A body as this service understands it. */
export interface ReadBody {
  readonly request: ChatRequest;
  readonly isStreamed: boolean;
  readonly session: string | undefined;
  /** Sequences that end the answer. */
  readonly stops: readonly string[];
  /** The client wants reasoning back only as a signature. */
  readonly hidesReasoning: boolean;
  /** The client has offered a web search, so the sources are shown as its result. */
  readonly searches: boolean;
  /** The tools by the names that they have in the request. */
  readonly names: ToolNames;
}

/** All that is translated. Other members are refused by name, with the sentence of an unknown one. */
const known = [
  ...([
    "model",
    "messages",
    "system",
    "max_tokens",
    "stream",
    "tools",
    "tool_choice",
    "stop_sequences",
  ] as const),
  ...(["temperature", "top_p", "top_k", "thinking", "output_config", "output_format", "metadata"] as const),
  ...([
    "service_tier",
    "context_management",
    "cache_control",
    "betas",
    "diagnostics",
    "mcp_servers",
  ] as const),
  ...(["container", "inference_geo", "speed", "thread"] as const),
];
type Body = Readonly<Record<(typeof known)[number], BodyValue>>;

/**
 * Reads the body of POST /v1/messages, or of its count, which needs no `max_tokens`. Throws ApiError `invalid-request`
 * with the path of each member that can't be translated.
 */
export function readBody(members: Members, isCount = false): ReadBody {
  const issues = new BodyIssues();
  const body = new BodyValue(members, issues).members(known);
  const read = body && readKnown(body, isCount);
  issues.check();
  if (!read) throw new TypeError("a body without issues was not read");
  return read;
}

function readKnown(body: Body, isCount: boolean): ReadBody {
  refuseUntranslated(body);
  const model = body.model.neededText() ?? "";
  if (body.model.value === "") body.model.refuse("must not be empty");
  if (body.max_tokens.isAbsent && !isCount) body.max_tokens.refuse("is missing");
  const offered = readTools(body.tools, body.tool_choice);
  const conversation = readMessages(body.messages);
  const turns = withoutOldReasoning(conversation.messages, turnsWithReasoning(body.context_management));
  const messages = cachedToTheEnd([...readSystem(body.system), ...turns], body.cache_control);
  const thinking = readThinking(body.thinking);
  const output = body.output_config.members(["effort", "format"]);
  const effort = conversation.effort ?? (output && readEffort(output.effort)) ?? thinking.effort;
  const stops = readStops(body.stop_sequences);
  const names = new ToolNames();
  return {
    request: withFlatNames(names, {
      model,
      messages: [...messages],
      ...numbersIn(body),
      ...(thinking.isOff || effort === undefined ? {} : { reasoning_effort: effort }),
      ...(stops.length > 0 ? { stop: [...stops] } : {}),
      ...formatOf([output?.format, body.output_format]),
      ...offersOf(offered),
      ...switchesOf(offered, thinking.isOff),
    }),
    isStreamed: body.stream.flag() ?? false,
    session: readSession(body.metadata),
    stops,
    hidesReasoning: thinking.isHidden,
    searches: offered.webSearch !== undefined,
    names,
  };
}

function refuseUntranslated({
  mcp_servers,
  container,
  inference_geo,
  speed,
  service_tier,
  ...body
}: Body): void {
  if (mcp_servers.list().length > 0)
    mcp_servers.refuse("can't be used with this service; connect them in the client");
  container.refuseAny("can't be used with this service, which runs no code; leave it out");
  inference_geo.oneOf(["global"]);
  speed.oneOf(["standard"]);
  service_tier.oneOf(["auto", "standard_only"]);
  for (const beta of body.betas.list()) beta.neededText();
  // A request that begins a thread has the whole conversation, and clients send it again if the thread is not found.
  const thread = body.thread.members(["type", "previous_message_id"]);
  thread?.type.oneOf(["create", "continue"]);
  thread?.previous_message_id.refuseAny("is not stored here; send the whole conversation");
  // It asks for a diagnosis in the answer, which may be absent.
  body.diagnostics.members(["previous_message_id"])?.previous_message_id.text();
}

function numbersIn(body: Body): Partial<ChatRequest> {
  const max = body.max_tokens.number("max_completion_tokens");
  const [temperature, topP] = [body.temperature.number("temperature"), body.top_p.number("top_p")];
  const topK = body.top_k.number("top_k");
  return {
    ...(max === undefined ? {} : { max_completion_tokens: max }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(topK === undefined ? {} : { top_k: topK }),
  };
}

function readStops(list: BodyValue): readonly string[] {
  const stops = list.list();
  if (stops.length > maxStops) list.refuse(`must have ${maxStops} sequences at most (has ${stops.length})`);
  return stops.slice(0, maxStops).flatMap((stop) => stop.neededText() ?? []);
}

interface Thinking {
  readonly effort?: Effort;
  readonly isOff: boolean;
  readonly isHidden: boolean;
}

/** Budgets in tokens up to which an effort is low or medium. Claude Code asks for 4,000, 10,000 and 31,999. */
const [lowBudget, mediumBudget] = [4096, 16_384];

function readThinking(value: BodyValue): Thinking {
  // A binding is about the signatures of Anthropic; those that this format writes have none.
  const thinking = value.members(["type", "budget_tokens", "display", "block_binding"]);
  if (!thinking) return { isOff: false, isHidden: false };
  if (thinking.type.isAbsent) thinking.type.refuse("is missing");
  const type = thinking.type.oneOf(["enabled", "adaptive", "disabled"]);
  const isHidden = thinking.display.oneOf(["summarized", "omitted", "updates"]) === "omitted";
  const budget = thinking.budget_tokens.number("max_completion_tokens");
  if (type === "enabled" && thinking.budget_tokens.isAbsent) thinking.budget_tokens.refuse("is missing");
  if (type !== "enabled" || budget === undefined) return { isOff: type === "disabled", isHidden };
  const effort = budget <= lowBudget ? "low" : budget <= mediumBudget ? "medium" : "high";
  return { effort, isOff: false, isHidden };
}

/** The turns that keep their reasoning. Other edits depend on what Anthropic counts. */
function turnsWithReasoning(value: BodyValue): number {
  let kept = Number.POSITIVE_INFINITY;
  for (const edit of value.members(["edits"])?.edits.list() ?? []) {
    const type = edit.at("type").neededText();
    if (type !== "clear_thinking_20251015") {
      if (type !== undefined)
        edit.at("type").refuse("can't be translated for this service; shorten it in the client");
      continue;
    }
    const keep = edit.members(["type", "keep"])?.keep;
    if (typeof keep?.value === "string") keep.oneOf(["all"]);
    else kept = turnsIn(keep) ?? kept;
  }
  return kept;
}

function turnsIn(keep: BodyValue | undefined): number | undefined {
  const turns = keep?.members(["type", "value"]);
  return turns?.type.oneOf(["thinking_turns", "all"]) === "thinking_turns"
    ? turns.value.number("n")
    : undefined;
}

function formatOf(values: readonly (BodyValue | undefined)[]): Pick<ChatRequest, "response_format"> {
  const value = values.find((format) => format && !format.isAbsent);
  const format = value?.members(["type", "schema"]);
  if (!format) return {};
  if (format.schema.isAbsent) format.schema.refuse("is missing");
  const schema = format.schema.json();
  if (format.type.isAbsent) format.type.refuse("is missing");
  if (format.type.oneOf(["json_schema"]) === undefined || !schema) return {};
  return { response_format: { type: "json_schema", json_schema: { name: "answer", strict: true, schema } } };
}

function offersOf({ tools, tool_choice, parallel_tool_calls }: Offered): Partial<ChatRequest> {
  return {
    ...(tools.length > 0 ? { tools: [...tools] } : {}),
    ...(tool_choice ? { tool_choice } : {}),
    ...(parallel_tool_calls === false ? { parallel_tool_calls } : {}),
  };
}

function switchesOf({ webSearch }: Offered, isOff: boolean): Partial<ChatRequest> {
  const switches = {
    ...(webSearch ? { enable_web_search: webSearch } : {}),
    ...(isOff ? { disable_thinking: true } : {}),
  };
  return Object.keys(switches).length > 0 ? { service_parameters: switches } : {};
}

/** Anthropic's names of tools may have 128 characters, as agents give those of MCP servers; other models take 64. */
function withFlatNames(names: ToolNames, request: ChatRequest): ChatRequest {
  const flat = <Made extends { readonly name: string }>(made: Made): Made => ({
    ...made,
    name: names.flatOf({ kind: "function", name: made.name }),
  });
  const tools = request.tools?.map((tool) => ({ ...tool, function: flat(tool.function) }));
  const { tool_choice: choice } = request;
  return {
    ...request,
    messages: request.messages.map((message) =>
      message.role === "assistant" && message.tool_calls
        ? {
            ...message,
            tool_calls: message.tool_calls.map((call) =>
              call.type === "custom" ? call : { ...call, function: flat(call.function) },
            ),
          }
        : message,
    ),
    ...(tools ? { tools } : {}),
    ...(typeof choice === "object" ? { tool_choice: { ...choice, function: flat(choice.function) } } : {}),
  };
}

/** Longer names of sessions are not names. */
const maxSession = 200;

/**
 * The session in `metadata.user_id`: a member of a JSON text in newer versions of Claude Code, the end of the text in
 * older ones. The rest identifies the user to Anthropic, so it is not passed on.
 */
function readSession(metadata: BodyValue): string | undefined {
  const id = metadata.members(["user_id"])?.user_id.text();
  if (id === undefined || id.length > 10 * maxSession) return undefined;
  const json = parseJson(id);
  const named = isMembers(json) ? membersOf(json).session_id : id.split("_session_").slice(1).pop();
  return typeof named === "string" && named !== "" && named.length <= maxSession ? named : undefined;
}
