import { ChatRequest } from "../../../api/endpoints/chat/chatRequest.ts";
import { checkInput } from "../../../api/validate.ts";
import { isMembers, type Members } from "../../../shared/members.ts";
import type { AgentFormat } from "../agentFormat.ts";
import { BodyIssues } from "../bodyValue.ts";
import { createChatWriter } from "./chatWriter.ts";
import { errorBody } from "./errorBody.ts";
import { readMessages, withoutNulls } from "./readMessages.ts";

/** `POST /v1/chat/completions` as OpenAI defines it. Members that the chat route lacks are refused by name. */
export const chatFormat: AgentFormat = {
  read(body, context) {
    const { stream, ...members } = knownOnly(body);
    checkStream(stream);
    const request = checkInput("gateway.chat", ChatRequest, members);
    const isStreamed = stream === true;
    const hasUsage = request.stream_options?.include_usage === true;
    const { model, prompt_cache_key: session } = request;
    return {
      request,
      isStreamed,
      ...(session ? { session } : {}),
      openWriter: () =>
        createChatWriter({ model, newId: context.newId, now: context.now, isStreamed, hasUsage }),
    };
  },
  errorBody,
};

function checkStream(stream: unknown): void {
  if (stream === undefined || typeof stream === "boolean") return;
  checkInput("gateway.chat", ChatRequest.pick({ logprobs: true }).strict(), { stream });
}

/** The values by which these members say nothing. */
const sayNothing: Readonly<Record<string, readonly string[]>> = {
  service_tier: ['"auto"', '"default"'],
  logit_bias: ["{}"],
  modalities: ['["text"]'],
  stop: ["[]"],
};

/** Without members that say nothing, with the names of the specification. */
function knownOnly(body: Members): Members {
  const issues = new BodyIssues();
  const said = Object.entries(body).filter(([name, value]) => value !== null && !saysNothing(name, value));
  const { venice_parameters, promptCacheKey, safety_identifier, messages, verbosity, ...members } =
    Object.fromEntries(said);
  const read = {
    ...(promptCacheKey === undefined ? {} : { prompt_cache_key: promptCacheKey }),
    ...(safety_identifier === undefined ? {} : { user: safety_identifier }),
    ...members,
    ...readVerbosity(verbosity, members),
    ...(venice_parameters === undefined ? {} : { service_parameters: venice_parameters }),
    ...readOptions(members),
    ...readTools(members, issues),
    messages: readMessages(messages, issues),
  };
  const { user } = members;
  if (safety_identifier !== undefined && user !== undefined && user !== safety_identifier)
    issues.add({
      field: "safety_identifier",
      message: "must be the same as user: the service takes one of them",
    });
  issues.check();
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/** Both services take it inside `text`, and only one of them beside it. */
function readVerbosity(verbosity: unknown, { text }: Members): Members {
  if (verbosity === undefined) return {};
  return text === undefined ? { text: { verbosity } } : { verbosity };
}

function saysNothing(name: string, value: unknown): boolean {
  return Object.hasOwn(sayNothing, name) && (sayNothing[name]?.includes(JSON.stringify(value)) ?? false);
}

function readOptions({ stream_options: stream, reasoning, prompt_cache_retention: retention }: Members) {
  const { include_obfuscation, ...options } = isMembers(stream) ? withoutNulls(stream) : {};
  // Nothing is added to a stream, which is what false asks for.
  const padded =
    include_obfuscation === undefined || include_obfuscation === false ? {} : { include_obfuscation };
  return {
    ...(isMembers(stream) ? { stream_options: { ...options, ...padded } } : {}),
    ...(isMembers(reasoning) ? { reasoning: withoutNulls(reasoning) } : {}),
    ...(retention === "in_memory" ? { prompt_cache_retention: "default" } : {}),
  };
}

/** Cache points of tools are not passed on: the service caches the beginning of each prompt. */
function readTools({ tools, tool_choice: choice }: Members, issues: BodyIssues): Members {
  if (isMembers(choice) && choice.type !== "function")
    issues.add({
      field: "tool_choice.type",
      message: "must be function, which is what this service can force",
    });
  if (!Array.isArray(tools)) return {};
  // Servers refuse these without tools.
  if (tools.length === 0 && choice !== "required")
    return { tools: undefined, tool_choice: undefined, parallel_tool_calls: undefined };
  return { tools: tools.map((tool, index) => readTool(tool, `tools.${index}`, issues)) };
}

function readTool(tool: unknown, path: string, issues: BodyIssues): unknown {
  if (!isMembers(tool)) return tool;
  const { cache_control: _, ...members } = withoutNulls(tool);
  if (typeof members.type === "string" && members.type !== "function")
    issues.add({
      field: `${path}.type`,
      message: "must be function, which is the only type of this service",
    });
  if (!isMembers(members.function)) return members;
  const { cache_control: __, ...made } = withoutNulls(members.function);
  return { ...members, function: made };
}
