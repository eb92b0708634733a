import type { ChatMessage, Tool } from "../../../api/endpoints/chat/chatRequest.ts";
import { isMembers, type Members, ownMember } from "../../../shared/members.ts";
import { stringIn } from "../../../shared/stringIn.ts";
import type { AgentFormat, ReadContext, ReadRequest } from "../agentFormat.ts";
import { errorBody } from "../chat/errorBody.ts";
import { ToolNames } from "../toolNames.ts";
import { Conversation } from "./conversation.ts";
import { checkBounds, Issues, MemberReader } from "./memberReader.ts";
import { type OptionMembers, readOptions } from "./optionsReader.ts";
import { type ClientResponses, ResponseStore } from "./responseStore.ts";
import { ResponsesWriter } from "./responsesWriter.ts";
import { readTools, type ToolMembers, toChatTool } from "./toolsReader.ts";

const maxItems = 50_000;

/** POST /v1/responses, as OpenAI's libraries and Codex use it. One instance holds the answers that can be continued. */
export function createResponsesFormat(): AgentFormat {
  const store = new ResponseStore();
  return {
    read: (body, context) => read(body, context, store.of(context.client)),
    errorBody,
    errorStatus,
  };
}

/** Statuses below 500 that a client is to act on: it signs in again, or waits. */
const actedOn = [401, 408, 409, 425, 429, 499];

/** Codex repeats a call five times after each other status, and shows nothing of 429 but the number. */
function errorStatus(status: number): number {
  return status >= 500 || actedOn.includes(status) ? status : 400;
}

function read(body: Members, context: ReadContext, stored: ClientResponses): ReadRequest {
  const issues = new Issues();
  checkBounds(body, issues);
  issues.check();
  const reader = new MemberReader(body, "", issues);
  const names = new ToolNames();
  const model = reader.neededText("model");
  const tools = readTools(reader, names);
  const options = readOptions(reader);
  const turn = readTurn(reader, stored, names);
  const isStreamed = reader.flag("stream") ?? false;
  const isStored = reader.flag("store") ?? true;
  // What a client says of itself is not sent on.
  const told = reader.members("client_metadata");
  const session = options.prompt_cache_key ?? stringIn(told?.session_id);
  reader.end();
  issues.check();
  const { webSearch, ...chatTools } = tools;
  const allTools = [...(chatTools.tools ?? []), ...turn.loaded];
  const id = context.newId("resp_");
  return {
    request: {
      model,
      messages: turn.messages,
      stream_options: { include_usage: true },
      ...options,
      ...chatTools,
      ...(allTools.length > 0 ? { tools: allTools } : {}),
      ...(webSearch ? { service_parameters: { enable_web_search: webSearch } } : {}),
    },
    isStreamed,
    ...(session ? { session } : {}),
    openWriter: () =>
      new ResponsesWriter({
        id,
        repeated: { ...repeatedMembers(body, options, tools), model, store: isStored },
        isStreamed,
        names,
        now: context.now,
        newId: context.newId,
        store: (items) => {
          if (isStored) stored.add(id, turn.previous, [...turn.items, ...items]);
        },
      }),
  };
}

interface Turn {
  readonly messages: ChatMessage[];
  readonly previous: string | undefined;
  /** The items of this request, without references. */
  readonly items: readonly Members[];
  /** The tools that its items have brought. */
  readonly loaded: readonly Tool[];
}

/** The instructions, the conversation that the request continues, and its own items. */
function readTurn(body: MemberReader, stored: ClientResponses, names: ToolNames): Turn {
  const conversation = new Conversation(names);
  const instructions = body.text("instructions");
  const previous = body.text("previous_response_id");
  const before = previous === undefined ? [] : stored.conversation(previous);
  if (before === undefined)
    body.refuse(
      "previous_response_id",
      "is not known any more. Answers are kept in memory and for a time: send the whole conversation as input",
    );
  for (const item of before ?? [])
    conversation.add(new MemberReader(item, "previous_response_id", body.issues));
  const items = readItems(body, stored);
  for (const item of items) conversation.add(item.reader);
  const said = conversation.messages();
  const messages: ChatMessage[] = instructions ? [{ role: "system", content: instructions }, ...said] : said;
  if (messages.length === 0) body.refuse("input", "must have a text or an item");
  const loaded = conversation.loaded.map((tool) => toChatTool(tool, names));
  return { messages, previous, items: items.map(({ item }) => item), loaded };
}

interface ReadItem {
  readonly item: Members;
  readonly reader: MemberReader;
}

function readItems(body: MemberReader, stored: ClientResponses): ReadItem[] {
  const value = body.value("input");
  if (typeof value === "string") {
    const item = { type: "message", role: "user", content: value };
    return [{ item, reader: new MemberReader(item, "input", body.issues) }];
  }
  return (body.list("input", maxItems) ?? []).flatMap((item, index) => {
    const path = `input.${index}`;
    const found = isReference(item) ? referenced(item, stored) : item;
    if (isMembers(found)) return [{ item: found, reader: new MemberReader(found, path, body.issues) }];
    body.issues.add(
      path,
      isReference(item) ? "is not known any more. Send the item itself" : "must be an object",
    );
    return [];
  });
}

function isReference(item: unknown): item is Members {
  if (!isMembers(item)) return false;
  return item.type === "item_reference" || (Object.keys(item).length === 1 && typeof item.id === "string");
}

function referenced({ id }: Members, stored: ClientResponses): Members | undefined {
  return typeof id === "string" ? stored.item(id) : undefined;
}

/** What a Response object repeats of its request, with the defaults of OpenAI. */
function repeatedMembers(body: Members, options: OptionMembers, tools: ToolMembers) {
  const asked = (name: string): unknown => ownMember(body, name) ?? null;
  const { effort = null, summary = null } = options.reasoning ?? {};
  return {
    background: false,
    instructions: asked("instructions"),
    max_output_tokens: asked("max_output_tokens"),
    metadata: options.metadata ?? {},
    parallel_tool_calls: tools.parallel_tool_calls ?? true,
    previous_response_id: asked("previous_response_id"),
    prompt_cache_key: asked("prompt_cache_key"),
    prompt_cache_retention: asked("prompt_cache_retention"),
    reasoning: { effort, summary },
    safety_identifier: asked("safety_identifier"),
    service_tier: "default",
    temperature: asked("temperature"),
    text: asked("text") ?? { format: { type: "text" } },
    tool_choice: asked("tool_choice") ?? "auto",
    tools: asked("tools") ?? [],
    top_logprobs: 0,
    top_p: asked("top_p"),
    truncation: "disabled",
    user: asked("user"),
  };
}
